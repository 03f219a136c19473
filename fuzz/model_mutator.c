// SPDX-License-Identifier: Apache-2.0
// libFuzzer's custom mutator for models: half of the time it changes numbers that mean something (shapes, types, indices,
// options, quantisation, constants) or leads an offset to another place of the kind, so that the result still passes verification
// and the code behind it is reached. Linked by fuzz/run.sh to the targets that read models.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arenite/walk.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum { MUTATOR_NUMBERS = 8192, MUTATOR_OFFSETS = 2048, MUTATOR_VECTOR = 256 };

typedef struct mutator_number {
  uint32_t byte;
  uint8_t width;
  bool real, shape;
} mutator_number;

typedef struct mutator_offset {
  uint32_t byte, target;
  char type[24];  // offsets of one type may lead to each other's targets
} mutator_offset;

typedef struct mutator_structure {
  mutator_number numbers[MUTATOR_NUMBERS];
  mutator_offset offsets[MUTATOR_OFFSETS];
  size_t number_count, offset_count;
} mutator_structure;

static void add_numbers(mutator_structure *s, uint64_t byte, uint64_t count, uint64_t width, bool real, bool shape) {
  for (uint64_t i = 0; i < count && s->number_count < MUTATOR_NUMBERS; ++i) {
    s->numbers[s->number_count++] = (mutator_number){(uint32_t)(byte + i * width), (uint8_t)width, real, shape};
  }
}

static bool collect_structure(void *user, const arn_walk_event *event) {
  mutator_structure *s = user;
  bool real = strstr(event->type, "f32") != NULL, shape = strstr(event->path, ".shape") != NULL;
  switch (event->kind) {
    case ARN_WALK_SCALAR:
      if (event->size <= 8) add_numbers(s, event->byte, 1, event->size, real, shape);
      break;
    case ARN_WALK_VTABLE:  // past the two sizes: a field that becomes absent, or another one
      if (event->size > 4) add_numbers(s, event->byte + 4, (event->size - 4) / 2, 2, false, false);
      break;
    case ARN_WALK_VECTOR: {
      uint64_t bytes = event->size - 4, length = event->value > 0 ? (uint64_t)event->value : 1, width = bytes / length;
      if (event->size <= 4 || bytes > MUTATOR_VECTOR || width == 0 || width > 8) break;
      bool words = width == 1 && bytes % 4 == 0;  // the data of a buffer: often int32
      add_numbers(s, event->byte + 4, words ? bytes / 4 : length, words ? 4 : width, real, shape);
      break;
    }
    case ARN_WALK_OFFSET: {
      if (event->target < 0 || s->offset_count == MUTATOR_OFFSETS) break;
      mutator_offset *o = &s->offsets[s->offset_count++];
      *o = (mutator_offset){.byte = (uint32_t)event->byte, .target = (uint32_t)event->target};
      strncpy(o->type, event->type, sizeof o->type - 1);
      break;
    }
    default: break;
  }
  return true;
}

static uint64_t mutator_draw(uint64_t *state) {  // splitmix64
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = (*state ^ *state >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static uint64_t new_number(uint64_t old, const mutator_structure *s, const mutator_number *n, const uint8_t *data,
                           uint64_t *random) {
  static const int64_t special[] = {0, -1, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 127, -128, 255, 32767, 65536, 1 << 30};
  uint64_t r = mutator_draw(random), copy = 0;
  const mutator_number *other = &s->numbers[(r >> 8) % s->number_count];
  switch (r % 6) {
    case 0: return (uint64_t)((int64_t)(r >> 8 & 15) - 3);
    case 1: return n->shape ? r >> 8 & 7 : (uint64_t)special[(r >> 8) % 12];
    case 2: return old + (r >> 8 & 1 ? 1 : (uint64_t)-1);
    case 3: return r >> 8 & 1 ? old * 2 : old / 2;
    default:
      for (int tries = 0; tries < 8 && (other->width != n->width || other->real != n->real); ++tries) {
        other = &s->numbers[mutator_draw(random) % s->number_count];
      }
      memcpy(&copy, data + other->byte, other->width);
      return copy;
  }
}

static void change_number(const mutator_structure *s, uint8_t *data, uint64_t *random) {
  static const float reals[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e-38f, 1e38f, 0.5f, 1.0f / 128, 1e-10f, 1e10f};
  static const uint32_t patterns[] = {0x7F800000u, 0xFF800000u, 0x7FC00000u, 1u};
  const mutator_number *n = &s->numbers[mutator_draw(random) % s->number_count];
  uint64_t value = 0, r = mutator_draw(random);
  memcpy(&value, data + n->byte, n->width);
  if (n->real && n->width == 4 && r % 4 == 0)
    memcpy(&value, &reals[(r >> 8) % 10], 4);
  else if (n->real && n->width == 4 && r % 4 == 1)
    value = patterns[r >> 8 & 3];
  else
    value = new_number(value, s, n, data, random);
  memcpy(data + n->byte, &value, n->width);
}

static void change_offset(const mutator_structure *s, uint8_t *data, uint64_t *random) {
  const mutator_offset *o = &s->offsets[mutator_draw(random) % s->offset_count];
  for (int tries = 0; tries < 16; ++tries) {
    const mutator_offset *other = &s->offsets[mutator_draw(random) % s->offset_count];
    if (other->target <= o->byte || other->target == o->target || strcmp(other->type, o->type) != 0) continue;
    uint32_t distance = other->target - o->byte;
    memcpy(data + o->byte, &distance, 4);
    return;
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  static mutator_structure s;
  uint64_t random = seed;
  uint64_t r = mutator_draw(&random);
  if (r % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  s.number_count = s.offset_count = 0;
  arn_walk(data, size, 0, collect_structure, &s, NULL);
  if (s.number_count == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (uint64_t i = 0; i <= (r >> 8) % 4; ++i) {
    if (s.offset_count && mutator_draw(&random) % 8 == 0)
      change_offset(&s, data, &random);
    else
      change_number(&s, data, &random);
  }
  return size;
}
