// SPDX-License-Identifier: Apache-2.0
// Reading values whose type only a description knows.
#include "flatbuffer/fb_schema.h"

#include "flatbuffer/fb_read.h"

int64_t fb_load_integer(const uint8_t *at, uint8_t base) {
  switch (base) {
    case FB_BASE_u8: return fb_load_u8(at);
    case FB_BASE_bool: return fb_load_bool(at);
    case FB_BASE_i8: return fb_load_i8(at);
    case FB_BASE_u16: return fb_load_u16(at);
    case FB_BASE_i16: return fb_load_i16(at);
    case FB_BASE_u32: return fb_load_u32(at);
    case FB_BASE_i32: return fb_load_i32(at);
    default: return fb_load_i64(at);
  }
}
