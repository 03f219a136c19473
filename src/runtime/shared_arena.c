// SPDX-License-Identifier: Apache-2.0
// One arena for interpreters that take turns. Each leaves two kinds of ranges behind: what it keeps (its inputs and outputs), which nobody may touch,
// and all that it uses, which only must not hold what somebody else keeps. As planner requests with fixed offsets both are a matter of
// lifetimes: kept ranges live during every step of the plan at hand, used ones during a step of their own behind the last, up to which the
// plan's own inputs and outputs are made to live.
#include "runtime/place.h"

typedef struct arena_range {
  const arn_interpreter *owner;
  int subgraph, segment;
  size_t offset, bytes;
  bool kept;
} arena_range;

struct arn_arena {
  const base_allocator *allocator;
  uint8_t *memory;
  size_t capacity, used;
  bool owned;
  arena_range *ranges;
  size_t count, room;
};

arn_status runtime_arena_make(const base_allocator *allocator, void *memory, size_t bytes, arn_arena **arena) {
  *arena = NULL;
  if (bytes == 0 || ((uintptr_t)memory & (RUNTIME_ALIGNMENT - 1))) return ARN_INVALID_ARGUMENT;
  arn_arena *a = base_allocate_array(allocator, 1, sizeof *a, _Alignof(arn_arena));
  if (!a) return ARN_OUT_OF_MEMORY;
  *a = (arn_arena){.allocator = allocator, .memory = memory, .capacity = bytes, .owned = !memory};
  if (a->owned) a->memory = base_allocate(allocator, bytes, RUNTIME_ALIGNMENT);
  if (!a->memory) {
    base_release(allocator, a);
    return ARN_OUT_OF_MEMORY;
  }
  *arena = a;
  return ARN_OK;
}

void arn_arena_destroy(arn_arena *arena) {
  if (!arena) return;
  const base_allocator *allocator = arena->allocator;
  if (arena->owned) base_release(allocator, arena->memory);
  base_release(allocator, arena->ranges);
  base_release(allocator, arena);
}

size_t arn_arena_used(const arn_arena *arena) { return arena->used; }

uint8_t *runtime_arena_memory(const arn_arena *arena, size_t peak) { return peak <= arena->capacity ? arena->memory : NULL; }
size_t runtime_arena_capacity(const arn_arena *arena) { return arena->capacity; }
size_t runtime_arena_ranges(const arn_arena *arena) { return arena ? arena->count : 0; }

// How many interpreters other than `in` have ranges before the index-th.
static uint32_t owners_before(const arn_arena *arena, const arn_interpreter *in, size_t index) {
  uint32_t owners = 0;
  for (size_t i = 0; i < index; i++) {
    bool first = arena->ranges[i].owner != in;
    for (size_t k = 0; k < i && first; k++) first = arena->ranges[k].owner != arena->ranges[i].owner;
    owners += first;
  }
  return owners;
}

uint32_t runtime_arena_owners(const arn_interpreter *in) { return in->arena ? owners_before(in->arena, in, in->arena->count) : 0; }

uint32_t runtime_arena_requests(const arn_interpreter *in, const runtime_subgraph *sg, int segment, uint32_t steps, arn_plan_request *requests) {
  const arn_arena *arena = in->arena;
  uint32_t count = 0;
  for (size_t i = 0; i < runtime_arena_ranges(arena); i++) {
    const arena_range *range = &arena->ranges[i];
    arn_plan_request request = {.size = range->bytes, .fixed_offset = range->offset, .alignment = 1, .first = 0, .last = steps - 1};
    if (range->owner == in) {  // another subgraph's, or an earlier segment's: both are in use during this one's inference
      if (range->kept || (range->subgraph == sg->index && range->segment == segment)) continue;
      request.last = steps + runtime_arena_owners(in);
    } else if (!range->kept) {
      // A step of its owner's own: owners may lie on top of each other.
      size_t first = i;
      while (first > 0 && arena->ranges[first - 1].owner == range->owner) first--;
      request.first = request.last = steps + owners_before(arena, in, first);
    }
    requests[count++] = request;
  }
  return count;
}

void runtime_arena_forget(arn_interpreter *in, const runtime_subgraph *sg, int segment) {
  arn_arena *arena = in->arena;
  size_t left = 0;
  for (size_t i = 0; i < runtime_arena_ranges(arena); i++) {
    const arena_range *r = &arena->ranges[i];
    bool gone = r->owner == in && (!sg || (r->subgraph == sg->index && r->segment >= segment));
    if (!gone) arena->ranges[left++] = *r;
  }
  if (arena) arena->count = left;
}

// Ranges of one owner stand together: the new one goes behind the last of its owner's.
static arn_status add_range(arn_arena *arena, arena_range range) {
  if (range.bytes == 0) return ARN_OK;
  if (arena->count == arena->room) {
    size_t room = arena->room ? 2 * arena->room : 32;
    arena_range *more = base_allocate_array(arena->allocator, room, sizeof *more, sizeof(void *));
    if (!more) return ARN_OUT_OF_MEMORY;
    if (arena->count) memcpy(more, arena->ranges, arena->count * sizeof *more);
    base_release(arena->allocator, arena->ranges);
    arena->ranges = more;
    arena->room = room;
  }
  size_t at = arena->count;
  for (size_t i = 0; i < arena->count; i++) at = arena->ranges[i].owner == range.owner ? i + 1 : at;
  memmove(arena->ranges + at + 1, arena->ranges + at, (arena->count - at) * sizeof range);
  arena->ranges[at] = range;
  arena->count++;
  if (range.offset + range.bytes > arena->used) arena->used = range.offset + range.bytes;
  return ARN_OK;
}

static arn_status keep_tensors(const runtime_subgraph *sg, int segment, const TfLiteIntArray *list) {
  arn_status status = ARN_OK;
  for (int i = 0; i < list->size && status == ARN_OK; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, list->data[i]);
    if (!t || sg->places[list->data[i]].segment != segment) continue;
    size_t offset = sg->places[list->data[i]].offset;
    bool known = false;  // two names of the same memory, or an output that is an input
    for (size_t k = 0; k < sg->interpreter->arena->count; k++) {
      const arena_range *r = &sg->interpreter->arena->ranges[k];
      known |= r->owner == sg->interpreter && r->kept && r->offset < offset + t->bytes && offset < r->offset + r->bytes;
    }
    if (!known) {
      status = add_range(sg->interpreter->arena, (arena_range){sg->interpreter, sg->index, segment, offset, t->bytes, true});
    }
  }
  return status;
}

// The bytes that a segment uses, as disjoint ranges: the union of its tensors' and scratch buffers' places, found by walking from gap to gap.
static arn_status use_ranges(const runtime_subgraph *sg, int segment) {
  size_t at = 0;
  for (;;) {
    size_t begin = SIZE_MAX, end = 0;
    for (size_t i = 0; i < sg->context.tensors_size; i++) {
      const runtime_place *p = &sg->places[i];
      if (p->segment == segment && p->offset + sg->context.tensors[i].bytes > at && p->offset < begin) begin = p->offset;
    }
    for (int i = 0; i < sg->scratch_capacity; i++) {
      const runtime_scratch *s = &sg->scratch[i];
      if (s->node >= 0 && s->segment == segment && s->offset + s->bytes > at && s->offset < begin) begin = s->offset;
    }
    if (begin == SIZE_MAX) return ARN_OK;
    if (begin < at) begin = at;
    end = begin;
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t i = 0; i < sg->context.tensors_size; i++) {
        const runtime_place *p = &sg->places[i];
        size_t stop = p->offset + sg->context.tensors[i].bytes;
        if (p->segment == segment && p->offset <= end && stop > end) end = stop, grown = true;
      }
      for (int i = 0; i < sg->scratch_capacity; i++) {
        const runtime_scratch *s = &sg->scratch[i];
        if (s->node >= 0 && s->segment == segment && s->offset <= end && s->offset + s->bytes > end) end = s->offset + s->bytes, grown = true;
      }
    }
    arn_status status = add_range(sg->interpreter->arena, (arena_range){sg->interpreter, sg->index, segment, begin, end - begin, false});
    if (status != ARN_OK) return status;
    at = end;
  }
}

arn_status runtime_arena_keep(runtime_subgraph *sg, int segment) {
  runtime_arena_forget(sg->interpreter, sg, segment);
  arn_status status = use_ranges(sg, segment);
  if (status == ARN_OK) status = keep_tensors(sg, segment, sg->inputs);
  if (status == ARN_OK) status = keep_tensors(sg, segment, sg->outputs);
  return status;
}
