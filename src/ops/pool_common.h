// SPDX-License-Identifier: Apache-2.0
// What the pooling operators share: options, shapes, clamp.
#ifndef OPS_POOL_COMMON_H
#define OPS_POOL_COMMON_H

#include "kernels/pool.h"
#include "ops/op.h"

typedef struct pool_state {
  pool_shape shape;
  int32_t low, high;
  float real_low, real_high;
} pool_state;

static inline void pool_parse(fb_table options, void *params) {
  TfLitePoolParams *p = params;
  *p = (TfLitePoolParams){
      .padding = op_padding(Pool2DOptions_padding(options)),
      .stride_width = Pool2DOptions_stride_w(options),
      .stride_height = Pool2DOptions_stride_h(options),
      .filter_width = Pool2DOptions_filter_width(options),
      .filter_height = Pool2DOptions_filter_height(options),
      .activation = op_activation(Pool2DOptions_fused_activation_function(options)),
  };
}

// Sets the shape of a pool over a rank 4 input; fails where the window makes no sense.
TfLiteStatus pool_set_shape(TfLiteContext *context, const TfLitePoolParams *p, const TfLiteTensor *input, pool_shape *s);
// The whole of prepare; types: OP_TYPE bits.
TfLiteStatus pool_prepare(TfLiteContext *context, TfLiteNode *node, uint32_t types);
void pool_share(const TfLiteContext *context, const TfLiteNode *node, op_share *share);
void pool_cost(const TfLiteContext *context, const TfLiteNode *node, op_cost *cost);

#endif
