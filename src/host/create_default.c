// SPDX-License-Identifier: Apache-2.0
// arn_interpreter_create: the one function that refers to every operator. A file of its own, so that a program that calls
// arn_interpreter_create_with links only the kernels of its resolver.
#include "arenite/interpreter.h"

arn_status arn_interpreter_create(const arn_model *model, const arn_interpreter_options *options, arn_interpreter **interpreter,
                                  arn_error *error) {
  arn_interpreter_options chosen = {0};
  if (options) chosen = *options;
  if (!chosen.resolver) chosen.resolver = arn_resolver_builtin();
  return arn_interpreter_create_with(model, &chosen, interpreter, error);
}
