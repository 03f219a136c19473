// SPDX-License-Identifier: Apache-2.0
// The model file, as it is, in flash: MODEL_FILE names it.
.section .model, "a"
.balign 16
.global model_start
.global model_end
model_start:
.incbin MODEL_FILE
model_end:
