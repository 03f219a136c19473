// SPDX-License-Identifier: Apache-2.0
// The test image: reads input.bin into the model's first input, runs the model, writes output.bin from its first output, and
// prints what it took. FIRMWARE_OPS (a header of firmware/ops) lists the operators, FIRMWARE_ARENA the arena's bytes.
//
// The arena's size is checked on the way: what arn_micro_arena_used says must work, one byte less must be refused.
#include <stdint.h>
#include <string.h>

#include "arenite/micro.h"
#include "arenite/model.h"
#include "semihost.h"

static const arn_op *const ops[] = {
#include FIRMWARE_OPS
};

extern const uint8_t model_start[], model_end[];
static _Alignas(16) uint8_t memory[FIRMWARE_ARENA];

static void print_number(const char *name, size_t value) {
  char digits[12], *at = digits + sizeof digits - 1;
  *at = '\0';
  do *--at = (char)('0' + value % 10);
  while (value /= 10);
  semihost_write(name);
  semihost_write(at);
  semihost_write("\n");
}

static int failed(const char *what, arn_status status, const arn_error *error) {
  semihost_write(what);
  print_number(" failed, status ", (size_t)status);
  if (error->node >= 0) print_number("  at node ", (size_t)error->node);
  return 1;
}

static size_t bytes_of(const TfLiteTensor *t) {
  size_t n = t->type == kTfLiteFloat32 ? 4 : 1;
  for (int i = 0; i < t->dims->size; i++) n *= (size_t)t->dims->data[i];
  return n;
}

int main(void) {
  arn_micro *micro;
  arn_error error = {.node = -1};
  size_t model_size = (size_t)(model_end - model_start);
  const int op_count = sizeof ops / sizeof ops[0];
  arn_status status = arn_micro_create(model_start, model_size, 0, ops, op_count, memory, sizeof memory, &micro, &error);
  if (status != ARN_OK) return failed("create", status, &error);
  size_t needed = arn_micro_arena_used(micro);
  print_number("arena ", needed);
  print_number("activations ", arn_micro_activations(micro));

  memset(memory, 0xA5, sizeof memory);
  status = arn_micro_create(model_start, model_size, ARN_MODEL_TRUSTED, ops, op_count, memory, needed - 1, &micro, &error);
  if (status != ARN_ARENA_TOO_SMALL) return failed("one byte less", status, &error);
  memset(memory, 0xA5, sizeof memory);
  status = arn_micro_create(model_start, model_size, ARN_MODEL_TRUSTED, ops, op_count, memory, needed, &micro, &error);
  if (status != ARN_OK) return failed("the exact arena", status, &error);

  TfLiteTensor *input = arn_micro_input(micro, 0);
  if (semihost_read_file("input.bin", input->data.raw, bytes_of(input)) != (long)bytes_of(input)) {
    semihost_write("input.bin is missing or short\n");
    return 1;
  }
  status = arn_micro_invoke(micro, &error);
  if (status != ARN_OK) return failed("invoke", status, &error);
  for (size_t i = needed; i < sizeof memory; i++) {
    if (memory[i] != 0xA5) {
      semihost_write("memory behind the arena was written\n");
      return 1;
    }
  }
  const TfLiteTensor *output = arn_micro_output(micro, 0);
  return semihost_write_file("output.bin", output->data.raw, bytes_of(output)) ? 0 : 1;
}
