// SPDX-License-Identifier: Apache-2.0
// The published path of core/c/c_api.h.
#include "tensorflow/lite/core/c/c_api.h"  // IWYU pragma: export
