// SPDX-License-Identifier: Apache-2.0
// Options of MediaPipe's custom operators: the published C structs as they lie in memory, little-endian ints of 4 bytes.
#ifndef OPS_RAW_OPTIONS_H
#define OPS_RAW_OPTIONS_H

#include "ops/op.h"

// TfLitePoolParams up to the activation; TfLiteTransposeConvParams up to the strides. False when the bytes are too few.
static inline bool raw_options(const TfLiteNode *node, int32_t *values, int count) {
  const uint8_t *bytes = node->custom_initial_data;
  if (!bytes || node->custom_initial_data_size < 4 * count) return false;
  for (int i = 0; i < count; i++) values[i] = fb_load_i32(bytes + 4 * i);
  return true;
}

static inline bool raw_pool_options(const TfLiteNode *node, TfLitePoolParams *p) {
  int32_t v[6];
  if (!raw_options(node, v, 6)) return false;
  *p = (TfLitePoolParams){
      .padding = v[0] == kTfLitePaddingSame || v[0] == kTfLitePaddingValid ? (TfLitePadding)v[0] : kTfLitePaddingUnknown,
      .stride_width = v[1],
      .stride_height = v[2],
      .filter_width = v[3],
      .filter_height = v[4],
      .activation = v[5] >= kTfLiteActNone && v[5] <= kTfLiteActSigmoid ? (TfLiteFusedActivation)v[5] : kTfLiteActNone,
  };
  return true;
}

#endif
