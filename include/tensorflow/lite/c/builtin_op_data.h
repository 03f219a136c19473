// SPDX-License-Identifier: Apache-2.0
// The published path of core/c/builtin_op_data.h.
#include "tensorflow/lite/core/c/builtin_op_data.h"  // IWYU pragma: export
