// SPDX-License-Identifier: Apache-2.0
// Giving tensors and scratch their memory: lifetimes become planner requests, the plan one block from the allocator.
#include "runtime/place.h"

#include "base/checked.h"
#include "base/poison.h"

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
    if (!t->data.raw && !runtime_within_limit(in, t->bytes)) return runtime_over_limit(sg, -1, (int)i, t->bytes, "a variable");
    if (!t->data.raw) t->data.raw = runtime_add_block(in, &sg->variables, t->bytes, &in->persistent);
    if (!t->data.raw)
      return runtime_fail(sg, -1, (int)i, ARN_OUT_OF_MEMORY, "no memory for the %zu bytes of variable %d", t->bytes, (int)i);
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
// One way of planning a segment: which tensors are whose aliases, the requests of roots and scratch buffers, and where the plan
// puts them.
typedef struct place_attempt {
  lifetime *lives;     // by tensor, grown over aliases
  share_alias *alias;  // by tensor
  uint32_t *request;   // by tensor: its request, for pairs
  arn_plan_pair *pairs;
  arn_plan_request *requests;
  size_t *offsets;
  int *owner;  // by request: tensor index, or -1 - scratch index
  uint32_t *region;     // by request; UINT32_MAX: the segment's own memory
  uint32_t *accesses;   // by request
  uint32_t count, pair_count;
  arn_plan_result result;
  arn_memory_division division;
} place_attempt;

enum { PLACE_SOMEBODY_ELSE = INT32_MIN };  // owner of a request that only says what is taken

// A tensor belongs to the segment in which it is first written; graph inputs to the first one.
static bool tensor_begins_in(const place_scope *scope, const runtime_place *place) {
  return place->segment == scope->segment && place->life.first < scope->end &&
         (place->life.first >= scope->first || (place->life.first == -1 && scope->first == 0));
}

size_t place_bytes(const void *self, int tensor) {
  const place_scope *scope = self;
  const TfLiteTensor *t = &scope->sg->context.tensors[tensor];
  return t->allocation_type == kTfLiteArenaRw && tensor_begins_in(scope, &scope->sg->places[tensor]) ? t->bytes : 0;
}

static void place_node_of_scope(const void *self, int index, lifetime_node *node) {
  place_node_tensors(((const place_scope *)self)->sg, index, node);
}

static void place_rule(const void *self, int node, op_share *share) {
  const runtime_subgraph *sg = ((const place_scope *)self)->sg;
  if (sg->nodes[node].op && !sg->nodes[node].excluded)
    op_share_of(&sg->context, &sg->nodes[node].node, sg->nodes[node].op, share);
  else
    *share = (op_share){.kind = OP_SEPARATE};
}

static lifetime_graph place_lifetime_graph(const runtime_subgraph *sg, const void *self,
                                           void (*node)(const void *, int, lifetime_node *)) {
  return (lifetime_graph){.self = self,
                          .node = node,
                          .order = sg->plan->data,
                          .node_count = sg->node_count,
                          .tensor_count = (int)sg->context.tensors_size,
                          .inputs = sg->inputs,
                          .outputs = sg->outputs};
}

share_graph place_share_graph(const place_scope *scope) {
  return (share_graph){.lives = place_lifetime_graph(scope->sg, scope, place_node_of_scope),
                       .bytes = place_bytes,
                       .rule = place_rule,
                       .alignment = scope->sg->interpreter->alignment,
                       .first = scope->first,
                       .end = scope->end};
}

static void add_request(place_attempt *all, int owner, lifetime life, size_t bytes, size_t alignment) {
  all->owner[all->count] = owner;
  all->requests[all->count++] = lifetime_request(life, bytes, (uint32_t)alignment);
}

static void gather_requests(const place_scope *scope, place_attempt *all) {
  runtime_subgraph *sg = scope->sg;
  const size_t alignment = sg->interpreter->alignment;
  for (size_t i = 0; i < scope->tensors; i++) {
    if (all->alias[i].root != (int)i || place_bytes(scope, (int)i) == 0) continue;
    all->request[i] = all->count;
    add_request(all, (int)i, all->lives[i], sg->context.tensors[i].bytes, alignment);
  }
  for (int position = scope->first; position < scope->end; position++) {
    if (sg->nodes[sg->plan->data[position]].excluded) continue;
    for (int s = sg->nodes[sg->plan->data[position]].scratch; s >= 0; s = sg->scratch[s].next) {
      const size_t bytes = sg->scratch[s].bytes ? sg->scratch[s].bytes : 1;  // a request of nothing still has an address
      add_request(all, -1 - s, (lifetime){position, position}, bytes,
                  alignment > RUNTIME_ALIGNMENT ? alignment : RUNTIME_ALIGNMENT);
    }
  }
  if (sg->interpreter->arena) {
    const uint32_t steps = (uint32_t)sg->node_count + 2;  // before the first node, every node, behind the last
    uint32_t others = runtime_arena_requests(sg->interpreter, sg, scope->segment < 0 ? sg->segment_count : scope->segment, steps, &all->requests[all->count]);
    for (uint32_t i = 0; i < others; i++) all->owner[all->count++] = PLACE_SOMEBODY_ELSE;
  }
  for (uint32_t p = 0; p < all->pair_count; p++) {
    all->pairs[p].a = all->request[all->pairs[p].a];
    all->pairs[p].b = all->request[all->pairs[p].b];
  }
}

static arn_status take_attempt(const place_scope *scope, place_attempt *all) {
  arn_interpreter *in = scope->sg->interpreter;
  all->lives = runtime_take(in, scope->tensors, sizeof *all->lives);
  all->alias = runtime_take(in, scope->tensors, sizeof *all->alias);
  all->request = runtime_take(in, scope->tensors, sizeof *all->request);
  all->pairs = runtime_take(in, scope->pair_room, sizeof *all->pairs);
  all->requests = runtime_take(in, scope->room, sizeof *all->requests);
  all->offsets = runtime_take(in, scope->room, sizeof *all->offsets);
  all->owner = runtime_take(in, scope->room, sizeof *all->owner);
  all->region = runtime_take(in, scope->room, sizeof *all->region);
  all->accesses = runtime_take(in, scope->room, sizeof *all->accesses);
  bool all_there = all->region && all->accesses && all->lives && all->alias && all->request && all->pairs && all->requests && all->offsets && all->owner;
  return all_there ? ARN_OK : ARN_OUT_OF_MEMORY;
}

static void give_attempt(const place_scope *scope, place_attempt *all) {
  arn_interpreter *in = scope->sg->interpreter;
  runtime_give(in, all->lives, scope->tensors, sizeof *all->lives);
  runtime_give(in, all->alias, scope->tensors, sizeof *all->alias);
  runtime_give(in, all->request, scope->tensors, sizeof *all->request);
  runtime_give(in, all->pairs, scope->pair_room, sizeof *all->pairs);
  runtime_give(in, all->requests, scope->room, sizeof *all->requests);
  runtime_give(in, all->offsets, scope->room, sizeof *all->offsets);
  runtime_give(in, all->owner, scope->room, sizeof *all->owner);
  runtime_give(in, all->region, scope->room, sizeof *all->region);
  runtime_give(in, all->accesses, scope->room, sizeof *all->accesses);
}

// Inputs and outputs must not lie where another interpreter of the same arena works: they live on through that one's step.
static void keep_in_arena(const place_scope *scope, place_attempt *all) {
  const runtime_subgraph *sg = scope->sg;
  const TfLiteIntArray *lists[] = {sg->inputs, sg->outputs};
  const uint32_t owners = runtime_arena_owners(sg->interpreter);
  for (size_t l = 0; l < BASE_COUNT(lists) && owners; l++) {
    for (int i = 0; i < lists[l]->size; i++) {
      if (runtime_tensor(sg, lists[l]->data[i])) all->lives[all->alias[lists[l]->data[i]].root].last = sg->node_count + (int32_t)owners;
    }
  }
}

static void count_list(const place_scope *scope, const TfLiteIntArray *list, place_attempt *all) {
  for (int i = 0; list && i < list->size; i++) {
    int t = list->data[i];
    if (t >= 0 && (size_t)t < scope->tensors && place_bytes(scope, t)) all->accesses[all->request[all->alias[t].root]]++;
  }
}

// How often each request's bytes are touched: once for every node that names one of its tensors, twice for scratch.
static void count_accesses(const place_scope *scope, place_attempt *all) {
  const runtime_subgraph *sg = scope->sg;
  for (uint32_t i = 0; i < all->count; i++) all->accesses[i] = all->owner[i] < 0 ? 2 : 0;
  for (int position = scope->first; position < scope->end; position++) {
    const TfLiteNode *node = &sg->nodes[sg->plan->data[position]].node;
    count_list(scope, node->inputs, all);
    count_list(scope, node->outputs, all);
    count_list(scope, node->temporaries, all);
  }
}

// Plans the segment with these ways of saving memory.
static arn_status try_plan(const place_scope *scope, unsigned memory, place_attempt *all) {
  runtime_subgraph *sg = scope->sg;
  arn_interpreter *in = sg->interpreter;
  for (size_t i = 0; i < scope->tensors; i++) all->lives[i] = sg->places[i].life;
  all->count = all->pair_count = 0;
  share_graph graph = place_share_graph(scope);
  share_compute(&graph, memory, all->lives, all->alias, all->pairs, &all->pair_count);
  keep_in_arena(scope, all);
  gather_requests(scope, all);
  arn_plan_problem problem = {
      .requests = all->requests, .request_count = all->count, .pairs = all->pairs, .pair_count = all->pair_count};
  arn_plan_options options = {.algorithm = in->planner};
  if (sg->invoking && in->planner == ARN_PLAN_DEFAULT)
    options.algorithm = ARN_PLAN_GREEDY;  // no search while somebody waits for an answer
  all->result = (arn_plan_result){.offsets = all->offsets};
  size_t scratch_bytes = arn_plan_scratch_size(options.algorithm, problem.request_count, problem.pair_count);
  void *scratch = scratch_bytes < SIZE_MAX ? runtime_take(in, scratch_bytes, 1) : NULL;
  if (!scratch) return ARN_OUT_OF_MEMORY;
  arn_status status = arn_plan(&problem, &options, scratch, scratch_bytes, &all->result);
  runtime_give(in, scratch, scratch_bytes, 1);
  for (uint32_t i = 0; i < all->count; i++) all->region[i] = UINT32_MAX;
  all->division = (arn_memory_division){0};
  if (status != ARN_OK || !runtime_uses_regions(scope)) return status;
  count_accesses(scope, all);
  status = runtime_divide(scope, &problem, all->accesses, all->region, all->offsets, &all->division);
  all->result.peak = 0;
  all->result.proven = false;
  for (int r = 0; r < all->division.count; r++) all->result.peak += all->division.used[r];
  return status;
}

// The best of: everything asked for, the same without joins (which hold the whole from its first part on), and nothing. Sharing
// lowers what is needed but ties offsets together; so a plan is never worse than the one without it.
static arn_status best_plan(const place_scope *scope, place_attempt *best, place_attempt *other) {
  arn_interpreter *in = scope->sg->interpreter;
  const unsigned wanted = in->keep_all_tensors ? ARN_MEMORY_SEPARATE : in->memory;
  const unsigned ways[] = {wanted, wanted & ~(unsigned)ARN_MEMORY_JOINS, ARN_MEMORY_SEPARATE};
  arn_status status = try_plan(scope, ways[0], best);
  for (size_t w = 1; w < BASE_COUNT(ways) && status == ARN_OK; w++) {
    if (ways[w] == ways[w - 1] || wanted == ARN_MEMORY_SEPARATE) continue;
    status = try_plan(scope, ways[w], other);
    if (status != ARN_OK || other->result.peak >= best->result.peak) continue;
    place_attempt swap = *best;
    *best = *other;
    *other = swap;
  }
  return status;
}

static void describe_segment(runtime_segment *segment, const place_scope *scope, const place_attempt *all) {
  segment->first = scope->first;
  segment->end = scope->end;
  segment->peak = all->result.peak;
  segment->lower_bound = all->result.lower_bound;
  segment->padding = all->result.padding;
  segment->proven = all->result.proven;
  segment->planned_sum = 0;
  for (size_t i = 0; i < scope->tensors; i++) segment->planned_sum += place_bytes(scope, (int)i);
  for (uint32_t i = 0; i < all->count; i++) segment->planned_sum += all->owner[i] < 0 && all->owner[i] != PLACE_SOMEBODY_ELSE ? all->requests[i].size : 0;
}

static void release_segment_memory(arn_interpreter *in, runtime_segment *segment) {
  base_unpoison(segment->memory, segment->capacity);
  base_release(in->allocator, segment->memory);
  in->arenas -= segment->capacity;
  segment->memory = NULL;
  segment->capacity = 0;
}

// Cleared: an inference over inputs that were never set gives the same result everywhere, and touches no page for the first time.
static arn_status take_segment_memory(runtime_subgraph *sg, runtime_segment *segment, const place_attempt *all) {
  arn_interpreter *in = sg->interpreter;
  if (all->division.count) {
    segment->memory = NULL;
    return runtime_take_regions(sg, &all->division);
  }
  if (in->arena) {
    segment->memory = runtime_arena_memory(in->arena, segment->peak);
    if (segment->memory) return ARN_OK;  // others' tensors are in it: only what is assigned is cleared
    return runtime_fail(sg, -1, -1, ARN_ARENA_TOO_SMALL, "the shared arena has %zu bytes, the plan around what others keep there takes %zu",
                        runtime_arena_capacity(in->arena), segment->peak);
  }
  if (segment->peak > segment->capacity) {
    if (!runtime_within_limit(in, segment->peak - segment->capacity)) {
      return runtime_arena_over_limit(sg, segment->peak, all->owner, all->count);
    }
    release_segment_memory(in, segment);
    segment->memory =
        base_allocate(in->allocator, segment->peak, in->alignment > RUNTIME_ALIGNMENT ? in->alignment : RUNTIME_ALIGNMENT);
    if (!segment->memory) {
      return runtime_fail(sg, -1, -1, ARN_OUT_OF_MEMORY, "the arena of %zu bytes cannot be had", segment->peak);
    }
    segment->capacity = segment->peak;
    in->arenas += segment->capacity;
  }
  base_unpoison(segment->memory, segment->capacity);
  if (segment->peak) memset(segment->memory, 0, segment->peak);
  base_poison(segment->memory, segment->capacity);  // what a tensor or scratch takes is opened again
  return ARN_OK;
}

static void assign_places(const place_scope *scope, int index, const place_attempt *all) {
  runtime_subgraph *sg = scope->sg;
  const runtime_segment *segment = &sg->segments[index];
  for (uint32_t i = 0; i < all->count; i++) {
    if (all->owner[i] == PLACE_SOMEBODY_ELSE) continue;
    if (!all->division.count) base_unpoison(segment->memory + all->offsets[i], all->requests[i].size);
    if (all->owner[i] >= 0) continue;
    runtime_scratch *scratch = &sg->scratch[-1 - all->owner[i]];
    scratch->segment = index;
    scratch->region = (int)all->region[i];
    scratch->offset = all->offsets[i];
  }
  // Roots among the tensors stand before their aliases or behind them: both find their place from the request.
  for (size_t i = 0; i < scope->tensors; i++) {
    runtime_place *place = &sg->places[i];
    TfLiteTensor *t = &sg->context.tensors[i];
    if (t->allocation_type != kTfLiteArenaRw || !tensor_begins_in(scope, place)) continue;
    place->root = all->alias[i].root;
    place->offset = t->bytes ? all->offsets[all->request[place->root]] + all->alias[i].offset : 0;
    place->region = t->bytes ? (int)all->region[all->request[place->root]] : -1;
    const uint8_t *memory = place->region >= 0 ? sg->interpreter->region_memory[place->region] : segment->memory;
    t->data.raw = t->bytes ? (char *)(uintptr_t)memory + place->offset : empty_place();
    if (sg->interpreter->arena && t->bytes) memset(t->data.raw, 0, t->bytes);
  }
  for (size_t i = 0; i < scope->tensors; i++) {
    const TfLiteTensor *t = &sg->context.tensors[i];
    if (t->allocation_type == kTfLiteArenaRw && t->bytes && tensor_begins_in(scope, &sg->places[i]))
      sg->places[i].segment = index;
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

static bool list_names(const TfLiteIntArray *list, int tensor) {
  for (int i = 0; list && i < list->size; i++) {
    if (list->data[i] == tensor) return true;
  }
  return false;
}

// Tensors that only excluded nodes touch, and not the caller, need no memory here.
static void forget_inner_tensors(const runtime_subgraph *sg, lifetime *lives) {
  bool any = false;
  for (int n = 0; n < sg->node_count; n++) any |= sg->nodes[n].excluded;
  if (!any) return;
  for (size_t t = 0; t < sg->context.tensors_size; t++) {
    bool inner = false, known = false;
    for (int n = 0; n < sg->node_count; n++) {
      const TfLiteNode *node = &sg->nodes[n].node;
      if (!list_names(node->inputs, (int)t) && !list_names(node->outputs, (int)t) && !list_names(node->temporaries, (int)t)) continue;
      if (sg->nodes[n].excluded) inner = true;
      else known = true;
    }
    known |= list_names(sg->inputs, (int)t) || list_names(sg->outputs, (int)t);
    if (inner && !known) lives[t].first = LIFETIME_UNWRITTEN;
  }
}

arn_status runtime_compute_lifetimes(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  const size_t tensors = sg->context.tensors_size;
  lifetime *lives = runtime_take(in, tensors, sizeof *lives);
  if (!lives) return ARN_OUT_OF_MEMORY;
  lifetime_graph graph = place_lifetime_graph(sg, sg, place_node_tensors);
  unsigned keep = in->keep_all_tensors ? LIFETIME_KEEP_ALL : in->memory & ARN_MEMORY_FREE_INPUTS ? LIFETIME_FREE_INPUTS : 0;
  lifetime_compute(&graph, keep, lives);
  forget_inner_tensors(sg, lives);
  for (size_t i = 0; i < tensors; i++) sg->places[i].life = lives[i];
  runtime_give(in, lives, tensors, sizeof *lives);
  return ARN_OK;
}

// Runs the nodes in another order where that lowers the peak. Replaces *best by the plan for it, or puts the old order back.
static arn_status try_order(const place_scope *scope, place_attempt *best, place_attempt *other) {
  runtime_subgraph *sg = scope->sg;
  arn_interpreter *in = sg->interpreter;
  bool whole = scope->first == 0 && scope->end == sg->node_count && !sg->invoking && !in->keep_all_tensors;
  if (!whole || !(in->memory & ARN_MEMORY_ORDER)) return ARN_OK;
  const size_t nodes = (size_t)sg->node_count;
  int *old = runtime_take(in, nodes, sizeof *old);
  if (!old) return ARN_OUT_OF_MEMORY;
  if (nodes) memcpy(old, sg->plan->data, nodes * sizeof *old);
  place_attempt *attempts[2] = {best, other};
  size_t peak;
  share_graph graph = place_share_graph(scope);
  for (size_t i = 0; i < scope->tensors; i++) other->lives[i] = sg->places[i].life;
  share_compute(&graph, in->memory & ~(unsigned)ARN_MEMORY_JOINS, other->lives, other->alias, other->pairs, &other->pair_count);
  arn_status status = runtime_reorder(scope, other->alias, other->lives, other->pairs, other->pair_count, &peak);
  if (status == ARN_OK && peak < best->result.peak) {
    place_attempt keep = *best, third = {0};
    status = runtime_compute_lifetimes(sg);
    if (status == ARN_OK) status = take_attempt(scope, &third);
    if (status == ARN_OK) status = best_plan(scope, other, &third);
    if (status == ARN_OK && other->result.peak < keep.result.peak) {
      *attempts[0] = *other;
      *attempts[1] = keep;
      peak = 0;
    }
    give_attempt(scope, &third);
  }
  if (peak != 0) {  // not taken
    if (nodes) memcpy(sg->plan->data, old, nodes * sizeof *old);
    if (status == ARN_OK) status = runtime_compute_lifetimes(sg);
  }
  runtime_give(in, old, nodes, sizeof *old);
  return status;
}

// Plans a scope in the best way that the options allow. The attempts are the caller's to give back.
static arn_status plan_scope(place_scope *scope, place_attempt *best, place_attempt *other) {
  scope->tensors = scope->sg->context.tensors_size;
  scope->room = scope->tensors + (size_t)scope->sg->scratch_capacity + runtime_arena_ranges(scope->sg->interpreter->arena);
  share_graph graph = place_share_graph(scope);
  scope->pair_room = share_pair_room(&graph) + 1;
  arn_status status = take_attempt(scope, best);
  if (status == ARN_OK) status = take_attempt(scope, other);
  if (status == ARN_OK) status = best_plan(scope, best, other);
  if (status == ARN_OK) status = try_order(scope, best, other);
  return status;
}

static arn_status place_arena(runtime_subgraph *sg) {
  arn_status status = runtime_compute_lifetimes(sg);
  if (status != ARN_OK) return status;
  place_scope scope = {.sg = sg, .first = sg->placed, .end = sg->prepared, .segment = -1};
  place_attempt best = {0}, other = {0};
  runtime_segment *segment = next_segment(sg);
  status = segment ? plan_scope(&scope, &best, &other) : ARN_OUT_OF_MEMORY;
  if (status == ARN_OK) {
    describe_segment(segment, &scope, &best);
    status = take_segment_memory(sg, segment, &best);
  }
  if (status == ARN_OK) assign_places(&scope, sg->segment_count++, &best);
  if (status == ARN_OK && sg->interpreter->arena) status = runtime_arena_keep(sg, sg->segment_count - 1);
  give_attempt(&scope, &best);
  give_attempt(&scope, &other);
  return status;
}

arn_status runtime_weigh_plan(runtime_subgraph *sg, arn_memory_totals *totals) {
  arn_status status = runtime_compute_lifetimes(sg);
  for (int i = 0; i < sg->segment_count && status == ARN_OK; i++) {
    place_scope scope = {.sg = sg, .first = sg->segments[i].first, .end = sg->segments[i].end, .segment = i};
    place_attempt best = {0}, other = {0};
    status = plan_scope(&scope, &best, &other);
    if (status == ARN_OK) {
      runtime_segment weighed;
      describe_segment(&weighed, &scope, &best);
      totals->arena += weighed.peak;
      totals->lower_bound += weighed.lower_bound;
      totals->padding += weighed.padding;
      totals->planned_sum += weighed.planned_sum;
      totals->proven &= weighed.proven;
    }
    give_attempt(&scope, &best);
    give_attempt(&scope, &other);
  }
  return status;
}

arn_status runtime_place_tensors(runtime_subgraph *sg) {
  if (sg->segment_count > 0 && sg->placed == sg->prepared) return ARN_OK;
  arn_status status = place_persistent(sg);
  if (status == ARN_OK) status = place_arena(sg);
  if (status == ARN_OK)
    sg->placed = sg->prepared;
  else if (sg->interpreter->pending.status == ARN_OK)
    runtime_fail(sg, -1, -1, status, "memory cannot be planned: %s", arn_status_text(status));
  return status;
}

void runtime_drop_places(runtime_subgraph *sg, int position) {
  int keep = 0;
  while (keep < sg->segment_count && sg->segments[keep].first < position) keep++;
  for (size_t i = 0; i < sg->context.tensors_size; i++) {
    TfLiteTensor *t = &sg->context.tensors[i];
    if (t->allocation_type == kTfLiteArenaRw &&
        (sg->places[i].segment >= keep || (sg->places[i].segment < 0 && sg->places[i].life.first >= position))) {
      t->data.raw = NULL;
    }
    if (sg->places[i].segment >= keep) sg->places[i].segment = -1;
  }
  for (int i = 0; i < sg->scratch_capacity; i++) {
    if (sg->scratch[i].segment >= keep) sg->scratch[i].segment = -1;
  }
  runtime_arena_forget(sg->interpreter, sg, keep);
  sg->segment_count = keep;
  sg->placed = position;
}

void runtime_release_memory(runtime_subgraph *sg) {
  arn_interpreter *in = sg->interpreter;
  for (int i = 0; i < sg->segment_capacity && !in->arena; i++) release_segment_memory(in, &sg->segments[i]);
  runtime_arena_forget(in, sg, 0);
  runtime_give(in, sg->segments, (size_t)sg->segment_capacity, sizeof *sg->segments);
  runtime_give(in, sg->scratch, (size_t)sg->scratch_capacity, sizeof *sg->scratch);
  runtime_free_blocks(in, &sg->variables, &in->persistent);
}
