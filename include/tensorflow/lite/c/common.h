// SPDX-License-Identifier: Apache-2.0
// The published path of core/c/common.h.
#include "tensorflow/lite/core/c/common.h"  // IWYU pragma: export
