// SPDX-License-Identifier: Apache-2.0
// Giving tensors and scratch their memory: lifetimes become planner requests, the plan one block from the allocator.
#include "base/checked.h"
#include "runtime/subgraph.h"

// Where tensors without bytes point: not NULL, for kernels may pass it to memcpy with a size of 0.
static const _Alignas(64) uint8_t place_of_empty[64] = {0};
static char *empty_place(void) { return (char *)(uintptr_t)place_of_empty; }

static void place_node_tensors(const void *self, int index, lifetime_node *node) {
  const TfLiteNode *n = &((const runtime_subgraph *)self)->nodes[index].node;
  *node = (lifetime_node){n->inputs, n->outputs, n->temporaries};
}

// ---- Persistent tensors: variables, and what callers' kernels keep between inferences. ----
static arn_status place_persistent(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  bool missing = false;
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    const TfLiteTensor *t = &sg->context.tensors[i];
    missing |= t->allocation_type == kTfLiteArenaRwPersistent && !t->data.raw;
  }
  if (!missing) return ARN_OK;
  bool anew = sg->placed == 0;  // a shape changed: all of them are made again; during an inference new ones are only added
  if (anew) runtime_free_blocks(in, &sg->variables, &in->persistent);
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    TfLiteTensor *t = &sg->context.tensors[i];
    if (t->allocation_type != kTfLiteArenaRwPersistent) continue;
    if (anew) t->data.raw = NULL;
    if (!t->data.raw) t->data.raw = runtime_add_block(in, &sg->variables, t->bytes, &in->persistent);
    if (!t->data.raw) return runtime_fail(sg, -1, (int)i, ARN_OUT_OF_MEMORY, "no memory for the %zu bytes of variable %d", t->bytes, (int)i);
  }
  return ARN_OK;
}

void runtime_reset_variables(runtime_subgraph *sg) {
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    TfLiteTensor *t = &sg->context.tensors[i];
    if (!t->is_variable || t->allocation_type != kTfLiteArenaRwPersistent || !t->data.raw) continue;
    // TFLite reference, ResetVariableTensor: int8 starts at its zero point, every other type at zero bytes.
    memset(t->data.raw, t->type == kTfLiteInt8 ? t->params.zero_point : 0, t->bytes);
  }
}

// ---- The arena. ----
// What one planning looks at: requests of tensors, then of scratch buffers; owner[] says whose each is.
typedef struct place_requests {
  arn_plan_request *requests;
  size_t *offsets;
  int *owner;    // tensor index, or -1 - scratch index
  size_t count, room;
  bool overflow;
} place_requests;

static void add_request(place_requests *all, int owner, lifetime life, size_t bytes, size_t alignment) {
  all->owner[all->count] = owner;
  all->requests[all->count++] = lifetime_request(life, bytes, (uint32_t)alignment);
}

// A tensor belongs to the segment in which it is first written; graph inputs to the first one.
static bool tensor_begins_between(const runtime_place *place, int first, int end) {
  return place->segment < 0 && place->life.first < end && (place->life.first >= first || (place->life.first == -1 && first == 0));
}

static void gather_requests(runtime_subgraph *sg, int first, int end, place_requests *all) {
  const size_t alignment = sg->interpreter->alignment;
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    TfLiteTensor *t = &sg->context.tensors[i];
    if (t->allocation_type != kTfLiteArenaRw || !tensor_begins_between(&sg->places[i], first, end)) continue;
    if (t->bytes == 0) t->data.raw = empty_place();
    else add_request(all, (int)i, sg->places[i].life, t->bytes, alignment);
  }
  for (int position = first; position < end; position++) {
    for (int s = sg->nodes[sg->plan->data[position]].scratch; s >= 0; s = sg->scratch[s].next) {
      const size_t bytes = sg->scratch[s].bytes ? sg->scratch[s].bytes : 1;  // a request of nothing still has an address
      add_request(all, -1 - s, (lifetime){position, position}, bytes, alignment > RUNTIME_ALIGNMENT ? alignment : RUNTIME_ALIGNMENT);
    }
  }
}

static arn_status take_requests(arn_interpreter *in, place_requests *all) {
  all->requests = runtime_take(in, all->room, sizeof *all->requests);
  all->offsets = runtime_take(in, all->room, sizeof *all->offsets);
  all->owner = runtime_take(in, all->room, sizeof *all->owner);
  return all->requests && all->offsets && all->owner ? ARN_OK : ARN_OUT_OF_MEMORY;
}

static void give_requests(arn_interpreter *in, place_requests *all) {
  runtime_give(in, all->requests, all->room, sizeof *all->requests);
  runtime_give(in, all->offsets, all->room, sizeof *all->offsets);
  runtime_give(in, all->owner, all->room, sizeof *all->owner);
}

static arn_status plan_segment(runtime_subgraph *sg, runtime_segment *segment, place_requests *all) {
  arn_interpreter *in = sg->interpreter;
  arn_plan_problem problem = {.requests = all->requests, .request_count = (uint32_t)all->count};
  arn_plan_options options = {.algorithm = in->planner};
  if (sg->invoking && in->planner == ARN_PLAN_DEFAULT) options.algorithm = ARN_PLAN_GREEDY;  // no search while somebody waits for an answer
  arn_plan_result result = {.offsets = all->offsets};
  size_t scratch_bytes = arn_plan_scratch_size(options.algorithm, problem.request_count, 0);
  void *scratch = scratch_bytes < SIZE_MAX ? runtime_take(in, scratch_bytes, 1) : NULL;
  if (!scratch) return ARN_OUT_OF_MEMORY;
  arn_status status = arn_plan(&problem, &options, scratch, scratch_bytes, &result);
  runtime_give(in, scratch, scratch_bytes, 1);
  segment->peak = result.peak;
  segment->lower_bound = result.lower_bound;
  segment->padding = result.padding;
  segment->proven = result.proven;
  segment->planned_sum = 0;
  for (size_t i = 0; i < all->count; i++) segment->planned_sum += all->requests[i].size;
  return status;
}

// Cleared: an inference over inputs that were never set gives the same result everywhere, and touches no page for the first time.
static arn_status take_segment_memory(runtime_subgraph *sg, runtime_segment *segment) {
  arn_interpreter *in = sg->interpreter;
  if (segment->peak > segment->capacity) {
    base_release(in->allocator, segment->memory);
    segment->capacity = 0;
    segment->memory = base_allocate(in->allocator, segment->peak, in->alignment > RUNTIME_ALIGNMENT ? in->alignment : RUNTIME_ALIGNMENT);
    if (!segment->memory) {
      return runtime_fail(sg, -1, -1, ARN_OUT_OF_MEMORY, "the arena of %zu bytes cannot be had", segment->peak);
    }
    segment->capacity = segment->peak;
  }
  if (segment->peak) memset(segment->memory, 0, segment->peak);
  return ARN_OK;
}

static void assign_places(runtime_subgraph *sg, int index, const place_requests *all) {
  const runtime_segment *segment = &sg->segments[index];
  for (size_t i = 0; i < all->count; i++) {
    if (all->owner[i] >= 0) {
      sg->places[all->owner[i]].segment = index;
      sg->places[all->owner[i]].offset = all->offsets[i];
      sg->context.tensors[all->owner[i]].data.raw = (char *)segment->memory + all->offsets[i];
    } else {
      runtime_scratch *scratch = &sg->scratch[-1 - all->owner[i]];
      scratch->segment = index;
      scratch->offset = all->offsets[i];
    }
  }
}

// The next segment's record, with the memory it had the last time.
static runtime_segment *next_segment(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  if (sg->segment_count == sg->segment_capacity) {
    size_t have = (size_t)sg->segment_capacity, larger = have ? 2 * have : 1;
    runtime_segment *more = larger < INT32_MAX ? runtime_take(in, larger, sizeof *more) : NULL;
    if (!more) return NULL;
    if (have) memcpy(more, sg->segments, have * sizeof *more);
    runtime_give(in, sg->segments, have, sizeof *more);
    sg->segments = more;
    sg->segment_capacity = (int)larger;
  }
  return &sg->segments[sg->segment_count];
}

static void compute_lifetimes(runtime_subgraph *sg, lifetime *lives) {
  lifetime_graph graph = {.self = sg,
                          .node = place_node_tensors,
                          .order = sg->plan->data,
                          .node_count = sg->node_count,
                          .tensor_count = (int)sg->context.tensors_size,
                          .inputs = sg->inputs,
                          .outputs = sg->outputs};
  lifetime_compute(&graph, sg->interpreter->keep_all_tensors, lives);
  for (size_t i = 0; i < sg->context.tensors_size; i++) sg->places[i].life = lives[i];
}

static arn_status place_arena(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  const size_t tensors = sg->context.tensors_size;
  place_requests all = {.room = tensors + (size_t)sg->scratch_capacity};
  lifetime *lives = runtime_take(in, tensors, sizeof *lives);
  runtime_segment *segment = next_segment(sg);
  arn_status status = lives && segment ? take_requests(in, &all) : ARN_OUT_OF_MEMORY;
  if (status == ARN_OK) {
    compute_lifetimes(sg, lives);
    segment->first = sg->placed;
    segment->end = sg->prepared;
    gather_requests(sg, sg->placed, sg->prepared, &all);
    status = plan_segment(sg, segment, &all);
  }
  if (status == ARN_OK) status = take_segment_memory(sg, segment);
  if (status == ARN_OK) assign_places(sg, sg->segment_count++, &all);
  give_requests(in, &all);
  runtime_give(in, lives, tensors, sizeof *lives);
  return status;
}

arn_status runtime_place_tensors(runtime_subgraph *sg) {
  if (sg->segment_count > 0 && sg->placed == sg->prepared) return ARN_OK;
  arn_status status = place_persistent(sg);
  if (status == ARN_OK) status = place_arena(sg);
  if (status == ARN_OK) sg->placed = sg->prepared;
  else if (sg->interpreter->pending.status == ARN_OK) runtime_fail(sg, -1, -1, status, "memory cannot be planned: %s", arn_status_text(status));
  return status;
}

void runtime_drop_places(runtime_subgraph *sg, int position) {
  int keep = 0;
  while (keep < sg->segment_count && sg->segments[keep].first < position) keep++;
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    TfLiteTensor *t = &sg->context.tensors[i];
    if (t->allocation_type == kTfLiteArenaRw && (sg->places[i].segment >= keep || (sg->places[i].segment < 0 && sg->places[i].life.first >= position))) {
      t->data.raw = NULL;
    }
    if (sg->places[i].segment >= keep) sg->places[i].segment = -1;
  }
  for (int i = 0; i < sg->scratch_capacity; i++) {
    if (sg->scratch[i].segment >= keep) sg->scratch[i].segment = -1;
  }
  sg->segment_count = keep;
  sg->placed = position;
}

void runtime_release_memory(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  for (int i = 0; i < sg->segment_capacity; i++) base_release(in->allocator, sg->segments[i].memory);
  runtime_give(in, sg->segments, (size_t)sg->segment_capacity, sizeof *sg->segments);
  runtime_give(in, sg->scratch, (size_t)sg->scratch_capacity, sizeof *sg->scratch);
  runtime_free_blocks(in, &sg->variables, &in->persistent);
}
