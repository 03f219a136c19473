// SPDX-License-Identifier: Apache-2.0
// The published path of core/c/c_api_experimental.h.
#include "tensorflow/lite/core/c/c_api_experimental.h"  // IWYU pragma: export
