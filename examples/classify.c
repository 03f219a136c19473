// SPDX-License-Identifier: Apache-2.0
// The native API in one page: opens a model, fills its first input with bytes from a file (zeros without one), prints the largest output.
//   cc classify.c $(pkg-config --cflags --libs arenite) -o classify && ./classify digits.tflite [INPUT.bin]
#include <arenite/interpreter.h>
#include <stdio.h>
#include <string.h>

static int fail(const arn_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: classify MODEL.tflite [INPUT.bin]\n");
    return 2;
  }
  arn_model *model;
  arn_interpreter *interpreter;
  arn_error error;
  if (arn_model_open_file(argv[1], 0, &model, &error) != ARN_OK) return fail(&error);
  if (arn_interpreter_create(model, NULL, &interpreter, &error) != ARN_OK) return fail(&error);
  if (arn_interpreter_allocate(interpreter, &error) != ARN_OK) return fail(&error);

  TfLiteTensor *input = arn_interpreter_input(interpreter, 0);
  FILE *file = argc > 2 ? fopen(argv[2], "rb") : NULL;
  if (file && fread(input->data.raw, 1, input->bytes, file) != input->bytes) fprintf(stderr, "%s is short of %zu bytes\n", argv[2], input->bytes);
  if (file) fclose(file);
  if (arn_interpreter_invoke(interpreter, &error) != ARN_OK) return fail(&error);

  const TfLiteTensor *output = arn_interpreter_output(interpreter, 0);
  size_t best = 0, count = output->type == kTfLiteFloat32 ? output->bytes / 4 : output->bytes;
  for (size_t i = 1; i < count; i++) {
    int larger = output->type == kTfLiteFloat32 ? output->data.f[i] > output->data.f[best]
                 : output->type == kTfLiteInt8  ? output->data.int8[i] > output->data.int8[best]
                                                : output->data.uint8[i] > output->data.uint8[best];
    if (larger) best = i;
  }
  printf("%s: element %zu of %zu is the largest\n", output->name, best, count);
  arn_interpreter_destroy(interpreter);
  arn_model_close(model);
  return 0;
}
