// SPDX-License-Identifier: Apache-2.0
// Running a model on a microcontroller: one caller-given arena, no heap, no files, constants read where the model lies (flash).
// Built with ARENITE_MICRO=1; the operators linked are those named in `ops`.
//
//   static const arn_op *const ops[] = {&arn_op_conv_2d, &arn_op_softmax};
//   static _Alignas(16) uint8_t memory[20000];
//   arn_micro *micro;
//   arn_error error;
//   if (arn_micro_create(model, model_size, 0, ops, 2, memory, sizeof memory, &micro, &error) != ARN_OK) ...
//   memcpy(arn_micro_input(micro, 0)->data.int8, picture, sizeof picture);
//   if (arn_micro_invoke(micro, &error) != ARN_OK) ...
//   use(arn_micro_output(micro, 0)->data.int8);
#ifndef ARENITE_MICRO_H
#define ARENITE_MICRO_H

#include "arenite/ops.h"
#include "arenite/status.h"
#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct arn_micro arn_micro;  // lies in the arena

// Binds every operator of the model to one of `ops` (by code and version, or custom name and version), prepares them, plans the
// activations and readies the model for arn_micro_invoke. model: 4-byte aligned, as it stands in the .tflite file, to stay in place and
// unchanged, like ops and the arena. flags: ARN_MODEL_TRUSTED skips the file's verification. On error *micro is NULL.
//   ARN_INVALID_MODEL, ARN_UNRESOLVED_OP (error->node), ARN_ARENA_TOO_SMALL, ARN_ERROR (an operator refused: error->node)
arn_status arn_micro_create(const void *model, size_t model_size, unsigned flags, const arn_op *const *ops, int op_count, void *memory,
                            size_t memory_size, arn_micro **micro, arn_error *error);

// Bytes of arena that this model needs, counted from a 16-byte aligned start: so many suffice for arn_micro_create and arn_micro_invoke,
// one less is refused. What operators take during an inference (variables of VAR_HANDLE models) is counted once it has run.
size_t arn_micro_arena_used(const arn_micro *micro);
// Of these, bytes of planned activations and scratch; the rest is records, operator state and variables.
size_t arn_micro_activations(const arn_micro *micro);

// Subgraph 0's inputs and outputs by position; NULL when out of range. Shape in dims, bytes in data.
int arn_micro_input_count(const arn_micro *micro);
int arn_micro_output_count(const arn_micro *micro);
TfLiteTensor *arn_micro_input(const arn_micro *micro, int input);
const TfLiteTensor *arn_micro_output(const arn_micro *micro, int output);

// Runs the model once. Inputs may be overwritten by later activations: set them before every call. Allocates nothing.
arn_status arn_micro_invoke(arn_micro *micro, arn_error *error);

// Sets variable tensors back to zero (their zero point when quantised).
void arn_micro_reset_variables(arn_micro *micro);

#ifdef __cplusplus
}
#endif
#endif
