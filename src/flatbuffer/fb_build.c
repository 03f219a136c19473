// SPDX-License-Identifier: Apache-2.0
// The FlatBuffer builder. Distances are counted from the buffer's end, where writing starts: the finished buffer's size is a
// multiple of its alignment, so a distance that is a multiple of n is an address that is one.
#include "flatbuffer/fb_build.h"

#include <string.h>

#include "flatbuffer/fb_read.h"

enum { BUILD_MAX_BYTES = 0x7FFFFFF0, BUILD_FIRST_BYTES = 1024, BUILD_MAX_ALIGNMENT = 4096 };

void fb_build_init(fb_builder *b, const base_allocator *allocator) {
  *b = (fb_builder){.allocator = allocator, .alignment = 4};
}

void fb_build_release(fb_builder *b) {
  base_release(b->allocator, b->data);
  base_release(b->allocator, b->vtables);
  *b = (fb_builder){.allocator = b->allocator, .alignment = 4};
}

static void build_fail(fb_builder *b, arn_status status) {
  if (b->status == ARN_OK) b->status = status;
}

// Makes room for `bytes` more in front. used <= capacity <= BUILD_MAX_BYTES, so the sums below stay under 2^32.
static bool build_reserve(fb_builder *b, uint32_t bytes) {
  if (b->status != ARN_OK) return false;
  if (bytes > BUILD_MAX_BYTES - b->used) return build_fail(b, ARN_UNSUPPORTED), false;
  if (b->data && bytes <= b->capacity - b->used) return true;
  uint32_t needed = b->used + bytes, capacity = b->capacity ? b->capacity : BUILD_FIRST_BYTES;
  while (capacity < needed) capacity = capacity > BUILD_MAX_BYTES / 2 ? BUILD_MAX_BYTES : capacity * 2;
  uint8_t *data = base_allocate(b->allocator, capacity, 16);
  if (!data) return build_fail(b, ARN_OUT_OF_MEMORY), false;
  if (b->used) memcpy(data + capacity - b->used, b->data + b->capacity - b->used, b->used);
  base_release(b->allocator, b->data);
  b->data = data;
  b->capacity = capacity;
  return true;
}

// The next `bytes` bytes in front, not written yet; NULL after an error.
static uint8_t *build_take(fb_builder *b, uint32_t bytes) {
  if (!build_reserve(b, bytes)) return NULL;
  b->used += bytes;
  return b->data + b->capacity - b->used;
}

// Zeros in front until what is `following` bytes further on starts at a multiple of the alignment.
static void build_pad(fb_builder *b, uint32_t alignment, uint32_t following) {
  if (following > BUILD_MAX_BYTES) return build_fail(b, ARN_UNSUPPORTED);
  if (alignment > b->alignment) b->alignment = alignment;
  uint32_t padding = (0u - (b->used + following)) & (alignment - 1);
  uint8_t *at = build_take(b, padding);
  if (at) memset(at, 0, padding);
}

static void store_little(uint8_t *at, uint64_t value, uint32_t width) {
  for (uint32_t i = 0; i < width; ++i) at[i] = (uint8_t)(value >> (8 * i));
}

static void build_scalar(fb_builder *b, uint64_t value, uint32_t width) {
  build_pad(b, width, width);
  uint8_t *at = build_take(b, width);
  if (at) store_little(at, value, width);
}

fb_ref fb_build_vector(fb_builder *b, const void *elements, uint32_t count, uint32_t width, uint32_t alignment) {
  if (alignment == 0) alignment = width;
  bool wrong = (width & (width - 1)) != 0 || width == 0 || width > 8 || (alignment & (alignment - 1)) != 0 ||
               alignment < width || alignment > BUILD_MAX_ALIGNMENT;
  if (wrong) return build_fail(b, ARN_INVALID_ARGUMENT), 0;
  if (b->in_table) return build_fail(b, ARN_WRONG_STATE), 0;
  if (count > BUILD_MAX_BYTES / width) return build_fail(b, ARN_UNSUPPORTED), 0;
  uint32_t bytes = count * width;
  build_pad(b, 4, bytes);
  build_pad(b, alignment, bytes);
  uint8_t *at = build_take(b, bytes);
  if (!at) return 0;
#if FB_BIG_ENDIAN
  const uint8_t *from = elements;
  for (uint32_t i = 0; i < bytes; ++i) at[i] = from[(i & ~(width - 1)) + (width - 1 - i % width)];
#else
  if (bytes) memcpy(at, elements, bytes);
#endif
  build_scalar(b, count, 4);
  return b->status == ARN_OK ? b->used : 0;
}

fb_ref fb_build_string(fb_builder *b, const char *text, uint32_t length) {
  if (b->in_table) return build_fail(b, ARN_WRONG_STATE), 0;
  if (length >= BUILD_MAX_BYTES) return build_fail(b, ARN_UNSUPPORTED), 0;
  build_pad(b, 4, length + 1);
  uint8_t *at = build_take(b, length + 1);
  if (!at) return 0;
  if (length) memcpy(at, text, length);
  at[length] = 0;
  build_scalar(b, length, 4);
  return b->status == ARN_OK ? b->used : 0;
}

fb_ref fb_build_text(fb_builder *b, const char *text) {
  size_t length = strlen(text);
  if (length >= BUILD_MAX_BYTES) return build_fail(b, ARN_UNSUPPORTED), 0;
  return fb_build_string(b, text, (uint32_t)length);
}

// Stores the uoffset from here, 4 bytes in front, to `child`.
static void build_uoffset(fb_builder *b, fb_ref child) {
  build_pad(b, 4, 4);
  if (child == 0 || child > b->used) return build_fail(b, ARN_INVALID_ARGUMENT);
  uint8_t *at = build_take(b, 4);
  if (at) store_little(at, b->used - child, 4);
}

fb_ref fb_build_refs(fb_builder *b, const fb_ref *refs, uint32_t count) {
  if (b->in_table) return build_fail(b, ARN_WRONG_STATE), 0;
  if (count > BUILD_MAX_BYTES / 4) return build_fail(b, ARN_UNSUPPORTED), 0;
  build_pad(b, 4, count * 4);
  for (uint32_t i = count; i-- > 0;) build_uoffset(b, refs[i]);
  build_scalar(b, count, 4);
  return b->status == ARN_OK ? b->used : 0;
}

void fb_build_table(fb_builder *b) {
  if (b->in_table) return build_fail(b, ARN_WRONG_STATE);
  b->in_table = true;
  b->table_start = b->used;
  b->field_count = 0;
  memset(b->fields, 0, sizeof b->fields);
}

static void build_field(fb_builder *b, uint32_t id) {
  if (b->status != ARN_OK) return;
  if (!b->in_table) return build_fail(b, ARN_WRONG_STATE);
  if (id >= FB_BUILD_MAX_FIELDS || b->fields[id]) return build_fail(b, ARN_INVALID_ARGUMENT);
  b->fields[id] = b->used;
  if (id >= b->field_count) b->field_count = id + 1;
}

void fb_build_ref(fb_builder *b, uint32_t id, fb_ref child) {
  if (child == 0) return;
  build_uoffset(b, child);
  build_field(b, id);
}

static void build_scalar_field(fb_builder *b, uint32_t id, uint64_t value, uint32_t width, bool is_default) {
  if (is_default && !b->keep_defaults) return;
  build_scalar(b, value, width);
  build_field(b, id);
}

#define BUILD_SCALAR(name, type, bits)                                                     \
  void fb_build_##name(fb_builder *b, uint32_t id, type value, type otherwise) {           \
    build_scalar_field(b, id, (bits)value, (uint32_t)sizeof(type), value == otherwise);    \
  }
BUILD_SCALAR(u8, uint8_t, uint64_t)
BUILD_SCALAR(i8, int8_t, uint64_t)
BUILD_SCALAR(u16, uint16_t, uint64_t)
BUILD_SCALAR(i32, int32_t, uint64_t)
BUILD_SCALAR(u32, uint32_t, uint64_t)
BUILD_SCALAR(i64, int64_t, uint64_t)
BUILD_SCALAR(u64, uint64_t, uint64_t)

void fb_build_bool(fb_builder *b, uint32_t id, bool value, bool otherwise) {
  build_scalar_field(b, id, value, 1, value == otherwise);
}

void fb_build_f32(fb_builder *b, uint32_t id, float value, float otherwise) {
  uint32_t bits, default_bits;  // compared as bits: -0.0 is not 0.0, and a NaN equals itself
  memcpy(&bits, &value, 4);
  memcpy(&default_bits, &otherwise, 4);
  build_scalar_field(b, id, bits, 4, bits == default_bits);
}

static bool build_remember_vtable(fb_builder *b, uint32_t ref) {
  if (b->vtable_count == b->vtable_capacity) {
    uint32_t capacity = b->vtable_capacity ? b->vtable_capacity * 2 : 32;
    uint32_t *longer = base_allocate_array(b->allocator, capacity, sizeof *longer, sizeof *longer);
    if (!longer) return build_fail(b, ARN_OUT_OF_MEMORY), false;
    if (b->vtable_count) memcpy(longer, b->vtables, b->vtable_count * sizeof *longer);
    base_release(b->allocator, b->vtables);
    b->vtables = longer;
    b->vtable_capacity = capacity;
  }
  b->vtables[b->vtable_count++] = ref;
  return true;
}

// The ref of a vtable with these bytes: one that is there, or a new one in front of the table.
static uint32_t build_vtable(fb_builder *b, const uint8_t *vtable, uint32_t size) {
  for (uint32_t i = 0; i < b->vtable_count; ++i) {
    const uint8_t *old = b->data + b->capacity - b->vtables[i];
    if (fb_load_u16(old) == size && memcmp(old, vtable, size) == 0) return b->vtables[i];
  }
  uint8_t *at = build_take(b, size);
  if (!at) return 0;
  memcpy(at, vtable, size);
  return build_remember_vtable(b, b->used) ? b->used : 0;
}

fb_ref fb_build_table_end(fb_builder *b) {
  if (!b->in_table) build_fail(b, ARN_WRONG_STATE);
  b->in_table = false;
  build_scalar(b, 0, 4);  // the soffset, filled in below
  uint32_t table = b->used, table_size = table - b->table_start;
  if (b->status == ARN_OK && table_size > UINT16_MAX) build_fail(b, ARN_UNSUPPORTED);
  if (b->status != ARN_OK) return 0;
  uint8_t vtable[4 + 2 * FB_BUILD_MAX_FIELDS];
  uint32_t size = 4 + 2 * b->field_count;
  store_little(vtable, size, 2);
  store_little(vtable + 2, table_size, 2);
  for (uint32_t id = 0; id < b->field_count; ++id)
    store_little(vtable + 4 + 2 * id, b->fields[id] ? table - b->fields[id] : 0, 2);
  uint32_t ref = build_vtable(b, vtable, size);
  if (ref == 0) return 0;
  // table address - vtable address; negative when a shared vtable lies behind the table.
  store_little(b->data + b->capacity - table, (uint32_t)(ref - table), 4);
  return table;
}

arn_status fb_build_finish(fb_builder *b, fb_ref root, const char *identifier, const uint8_t **bytes, size_t *size) {
  if (b->in_table) build_fail(b, ARN_WRONG_STATE);
  build_pad(b, b->alignment, 8);
  uint8_t *at = build_take(b, 4);
  if (at) memcpy(at, identifier, 4);
  build_uoffset(b, root);
  if (b->status != ARN_OK) return *bytes = NULL, *size = 0, b->status;
  *bytes = b->data + b->capacity - b->used;
  *size = b->used;
  return ARN_OK;
}
