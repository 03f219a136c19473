// SPDX-License-Identifier: Apache-2.0
// Reducing arrays along some of their dimensions: sums, products, extremes, any, all. Accumulators live in registers and on the
// stack; each output's elements are taken in memory order (along contiguous ones in eight interleaved parts).
#ifndef KERNELS_REDUCTION_H
#define KERNELS_REDUCTION_H

#include "base/compiler.h"
#include "quant/quant.h"

enum { REDUCTION_MAX_RANK = 8 };

// A shape with neighbouring dimensions of one fate fused; level 0 is the innermost.
typedef struct reduction_plan {
  int levels;
  size_t extent[REDUCTION_MAX_RANK], stride[REDUCTION_MAX_RANK];  // stride in elements
  bool reduced[REDUCTION_MAX_RANK];
  size_t outputs;  // elements of the output
  size_t count;    // elements reduced into each
} reduction_plan;
// Bit i of axes: dimension i is reduced.
void reduction_plan_make(reduction_plan *plan, int rank, const int *dims, uint32_t axes);

// How elements are folded into n accumulators; across: one element into each, along: all into the first.
typedef struct reduction_kind {
  uint8_t in_bytes, accumulator_bytes;
  void (*start)(void *accumulators, size_t n);
  void (*across)(const void *params, void *accumulators, const void *in, size_t n);
  void (*along)(const void *params, void *accumulators, const void *in, size_t n);
} reduction_kind;
// NULL: not defined on that type.
typedef struct reduction_kinds {
  const reduction_kind *f32, *i8, *u8, *i16, *i32, *i64, *boolean;
} reduction_kinds;
extern const reduction_kinds reduction_sum;       // accumulators of the element type, wrapping
extern const reduction_kinds reduction_sum_wide;  // f32: float; i8, u8, i16: int32; i32, i64: int64
extern const reduction_kinds reduction_product, reduction_maximum, reduction_minimum;
extern const reduction_kinds reduction_product_quantized;  // i8, i16; params: reduction_product_scale; accumulators int64
typedef struct reduction_product_scale {
  int32_t zero_point;
  quant_multiplier step;  // applied after each multiplication; shift <= 7
} reduction_product_scale;

// Gets the accumulators of n outputs, from output `first` on.
typedef void (*reduction_finish)(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);

// params go to the kind's functions, finish_params to finish.
void reduction_run(const reduction_plan *plan, const reduction_kind *kind, const void *params, const void *in,
                   reduction_finish finish, const void *finish_params, void *out);

// Finishing touches. The accumulators are the results: size_t, their bytes.
void reduction_copy(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);
// Means: params size_t, the count. Integer means are cut off towards zero.
void reduction_mean_f32(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);
void reduction_mean_i32(const void *finish_params, const void *accumulators, size_t first, size_t n,
                        void *out);  // int64 accumulators
void reduction_mean_i64(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);
// Quantised sums, means and products: params reduction_scale.
typedef struct reduction_scale {
  int64_t offset;  // taken away from each sum (32-bit arithmetic, wrapping): the zero point times the count
  quant_multiplier scale;
  int32_t zero_point_out, low, high;
} reduction_scale;
void reduction_scale_i8(const void *finish_params, const void *accumulators, size_t first, size_t n,
                        void *out);  // int32 accumulators
void reduction_scale_u8(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);
void reduction_scale_i16(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);
void reduction_product_i8(const void *finish_params, const void *accumulators, size_t first, size_t n,
                          void *out);  // int64 accumulators
void reduction_product_i16(const void *finish_params, const void *accumulators, size_t first, size_t n, void *out);

#endif
