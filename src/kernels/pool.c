// SPDX-License-Identifier: Apache-2.0
// Pooling in portable C: a tile of channels, side by side, pixel after pixel.
#include "kernels/pool.h"

#include <float.h>
#include <math.h>

enum { POOL_CHANNELS = 64 };  // of a tile: what it gathers is on the stack

// Integer sums wrap at 32 bits (16-bit windows of more than 2^16 pixels).
static inline int32_t pool_rounded(uint32_t sum, int32_t count) {
  int32_t total = (int32_t)sum;
  return (int32_t)(total > 0 ? sum + (uint32_t)(count / 2) : sum - (uint32_t)(count / 2)) / count;
}

#define POOL_FUNCTION pool_average_f32
#define POOL_ELEMENT float
#define POOL_LIMIT float
#define POOL_SUM float
#define POOL_START 0
#define POOL_STEP(sum, x) (sum) + (x)
#define POOL_FINISH(sum, count) (sum) / (float)(count)
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_l2_f32
#define POOL_ELEMENT float
#define POOL_LIMIT float
#define POOL_SUM float
#define POOL_START 0
#define POOL_STEP(sum, x) (sum) + (x) * (x)
#define POOL_FINISH(sum, count) sqrtf((sum) / (float)(count))
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_max_f32
#define POOL_ELEMENT float
#define POOL_LIMIT float
#define POOL_SUM float
#define POOL_START -FLT_MAX
#define POOL_STEP(sum, x) ((x) > (sum) ? (x) : (sum))
#define POOL_FINISH(sum, count) (sum)
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_average_s8
#define POOL_ELEMENT int8_t
#define POOL_LIMIT int32_t
#define POOL_SUM uint32_t
#define POOL_START 0
#define POOL_STEP(sum, x) (sum) + (uint32_t)(x)
#define POOL_FINISH(sum, count) pool_rounded((sum), (count))
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_max_s8
#define POOL_ELEMENT int8_t
#define POOL_LIMIT int32_t
#define POOL_SUM int8_t
#define POOL_START INT8_MIN
#define POOL_STEP(sum, x) ((x) > (sum) ? (x) : (sum))
#define POOL_FINISH(sum, count) (sum)
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_average_u8
#define POOL_ELEMENT uint8_t
#define POOL_LIMIT int32_t
#define POOL_SUM uint32_t
#define POOL_START 0
#define POOL_STEP(sum, x) (sum) + (uint32_t)(x)
#define POOL_FINISH(sum, count) pool_rounded((sum), (count))
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_max_u8
#define POOL_ELEMENT uint8_t
#define POOL_LIMIT int32_t
#define POOL_SUM uint8_t
#define POOL_START 0
#define POOL_STEP(sum, x) ((x) > (sum) ? (x) : (sum))
#define POOL_FINISH(sum, count) (sum)
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_average_s16
#define POOL_ELEMENT int16_t
#define POOL_LIMIT int32_t
#define POOL_SUM uint32_t
#define POOL_START 0
#define POOL_STEP(sum, x) (sum) + (uint32_t)(x)
#define POOL_FINISH(sum, count) pool_rounded((sum), (count))
#include "kernels/pool_template.h"

#define POOL_FUNCTION pool_max_s16
#define POOL_ELEMENT int16_t
#define POOL_LIMIT int32_t
#define POOL_SUM int16_t
#define POOL_START INT16_MIN
#define POOL_STEP(sum, x) ((x) > (sum) ? (x) : (sum))
#define POOL_FINISH(sum, count) (sum)
#include "kernels/pool_template.h"
