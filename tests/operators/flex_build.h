// SPDX-License-Identifier: Apache-2.0
// Writes a FlexBuffers map of a few numbers, lists and texts: the options of custom operators.
//   uint8_t options[FLEX_BUILD_ROOM];
//   size_t size = FLEX_BUILD(options, FLEX_I("stride", 2), FLEX_F("scale", 0.5), FLEX_LIST("size", 3, 4), FLEX_TEXT("mode",
//   "bilinear"));
#ifndef OPERATORS_FLEX_BUILD_H
#define OPERATORS_FLEX_BUILD_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FLEX_BUILD_ROOM = 2048, FLEX_BUILD_ENTRIES = 24 };

typedef struct flex_entry {
  const char *key;
  int type;  // 1 int, 3 float, 5 text, 11 list of ints, 26 bool
  int32_t number;
  float real;
  const int32_t *list;
  int count;
  const char *text;
} flex_entry;
#define FLEX_I(name, value) ((flex_entry){.key = name, .type = 1, .number = value})
#define FLEX_B(name, value) ((flex_entry){.key = name, .type = 26, .number = value})
#define FLEX_F(name, value) ((flex_entry){.key = name, .type = 3, .real = (float)(value)})
#define FLEX_LIST(name, ...)                      \
  ((flex_entry){.key = name,                      \
                .type = 11,                       \
                .list = (int32_t[]){__VA_ARGS__}, \
                .count = (int)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t))})
#define FLEX_TEXT(name, value) ((flex_entry){.key = name, .type = 5, .text = value})
#define FLEX_BUILD(room, ...) \
  flex_build(room, (flex_entry[]){__VA_ARGS__}, (int)(sizeof((flex_entry[]){__VA_ARGS__}) / sizeof(flex_entry)))

static inline size_t flex_build_word(uint8_t *out, size_t at, uint32_t word) {
  for (int i = 0; i < 4; i++) out[at++] = (uint8_t)(word >> 8 * i);
  return at;
}
static inline size_t flex_build_text(uint8_t *out, size_t at, const char *text) {
  size_t n = strlen(text) + 1;
  memcpy(out + at, text, n);
  for (at += n; at % 4;) out[at++] = 0;
  return at;
}

static inline size_t flex_build(uint8_t *out, const flex_entry *entries, int count) {
  flex_entry sorted[FLEX_BUILD_ENTRIES];
  size_t keys[FLEX_BUILD_ENTRIES], values[FLEX_BUILD_ENTRIES], at = 0;
  assert(count <= FLEX_BUILD_ENTRIES);
  for (int i = 0; i < count; i++) {  // by key
    int k = i;
    for (; k > 0 && strcmp(entries[i].key, sorted[k - 1].key) < 0; k--) sorted[k] = sorted[k - 1];
    sorted[k] = entries[i];
  }
  for (int i = 0; i < count; i++) {
    const flex_entry *e = &sorted[i];
    keys[i] = at;
    at = flex_build_text(out, at, e->key);
    if (e->text) at = flex_build_word(out, at, (uint32_t)strlen(e->text));
    if (e->list) at = flex_build_word(out, at, (uint32_t)e->count);
    values[i] = at;
    if (e->text) at = flex_build_text(out, at, e->text);
    for (int k = 0; k < e->count; k++) at = flex_build_word(out, at, (uint32_t)e->list[k]);
    assert(at < FLEX_BUILD_ROOM - 512);
  }
  at = flex_build_word(out, at, (uint32_t)count);
  size_t key_vector = at;
  for (int i = 0; i < count; i++) at = flex_build_word(out, at, (uint32_t)(at - keys[i]));
  at = flex_build_word(out, at, (uint32_t)(at - key_vector));
  at = flex_build_word(out, at, 4);
  at = flex_build_word(out, at, (uint32_t)count);
  size_t map = at;
  for (int i = 0; i < count; i++) {
    const flex_entry *e = &sorted[i];
    uint32_t word = (uint32_t)e->number;
    if (e->type == 3) memcpy(&word, &e->real, 4);
    at = flex_build_word(out, at, e->text || e->list ? (uint32_t)(at - values[i]) : word);
  }
  for (int i = 0; i < count; i++) out[at++] = (uint8_t)(sorted[i].type << 2 | 2);  // everything in words
  while (at % 4) out[at++] = 0;
  at = flex_build_word(out, at, (uint32_t)(at - map));
  out[at++] = 9 << 2 | 2;
  out[at++] = 4;
  return at;
}

#endif
