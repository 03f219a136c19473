// SPDX-License-Identifier: Apache-2.0
// A program with a resolver of one operator: the test looks whether the linker took only that operator's kernel.
#include <stdio.h>

#include "arenite/interpreter.h"
#include "arenite/ops.h"

int main(int argc, char **argv) {
  arn_error error = {0};
  arn_resolver *resolver = NULL;
  arn_model *model = NULL;
  arn_interpreter *interpreter = NULL;
  arn_status status = arn_resolver_create(NULL, &resolver);
  if (status == ARN_OK) status = arn_resolver_add_op(resolver, &arn_op_reshape);
  if (status == ARN_OK) status = arn_model_open_file(argc > 1 ? argv[1] : "model.tflite", 0, &model, &error);
  if (status == ARN_OK)
    status = arn_interpreter_create_with(model, &(arn_interpreter_options){.resolver = resolver}, &interpreter, &error);
  if (status == ARN_OK) status = arn_interpreter_allocate(interpreter, &error);
  if (status == ARN_OK) status = arn_interpreter_invoke(interpreter, &error);
  puts(status == ARN_OK ? "ran" : error.message);
  arn_interpreter_destroy(interpreter);
  arn_model_close(model);
  arn_resolver_destroy(resolver);
  return status != ARN_OK;
}
