// SPDX-License-Identifier: Apache-2.0
// Planning again without reloading: other rules, a limit, the largest shapes, nodes that somebody else evaluates.
#include "arenite/replan.h"

#include <stdio.h>

#include "runtime/place.h"

// ---- Other rules. ----
typedef struct replan_rules {
  arn_plan_algorithm planner;
  size_t alignment;
  unsigned memory;
} replan_rules;

static replan_rules rules_of(const arn_interpreter *in) { return (replan_rules){in->planner, in->alignment, in->memory}; }

static void set_rules(arn_interpreter *in, replan_rules rules) {
  in->planner = rules.planner;
  in->alignment = rules.alignment;
  in->memory = rules.memory;
}

static arn_status read_options(arn_interpreter *in, const arn_memory_options *options, replan_rules *rules) {
  *rules = (replan_rules){.planner = options->planner,
                          .alignment = options->alignment ? options->alignment : RUNTIME_ALIGNMENT,
                          .memory = options->memory ? options->memory : ARN_MEMORY_HOST};
  bool power = (rules->alignment & (rules->alignment - 1)) == 0 && rules->alignment <= RUNTIME_MAX_ALIGNMENT;
  if (power && arn_plan_algorithm_name(rules->planner)) return ARN_OK;
  return runtime_fail(&in->subgraphs[0], -1, -1, ARN_INVALID_ARGUMENT, "unknown planner, or an alignment that is no power of two up to %d",
                      RUNTIME_MAX_ALIGNMENT);
}

// Weighs every subgraph under other rules, and puts orders and lifetimes back as they were.
static arn_status replan_weigh(arn_interpreter *in, replan_rules rules, arn_memory_totals *totals) {
  const replan_rules present = rules_of(in);
  *totals = (arn_memory_totals){
      .planner = rules.planner == ARN_PLAN_DEFAULT ? ARN_PLAN_EXACT : rules.planner, .alignment = rules.alignment, .proven = true};
  arn_status status = ARN_OK;
  for (int s = 0; s < in->subgraph_count && status == ARN_OK; s++) {
    runtime_subgraph *sg = &in->subgraphs[s];
    const size_t nodes = (size_t)sg->node_count;
    int *order = runtime_take(in, nodes, sizeof *order);
    if (!order) return ARN_OUT_OF_MEMORY;
    if (nodes) memcpy(order, sg->plan->data, nodes * sizeof *order);
    set_rules(in, rules);
    status = runtime_weigh_plan(sg, totals);
    set_rules(in, present);
    if (nodes) memcpy(sg->plan->data, order, nodes * sizeof *order);
    arn_status restored = runtime_compute_lifetimes(sg);
    if (status == ARN_OK) status = restored;
    runtime_give(in, order, nodes, sizeof *order);
  }
  return status;
}

static arn_status check_allocated(arn_interpreter *in) {
  if (!in->subgraphs[0].needs_allocate && !in->subgraphs[0].invoking) return ARN_OK;
  return runtime_fail(&in->subgraphs[0], -1, -1, ARN_WRONG_STATE, "allocate first, and not while an inference runs");
}

arn_status arn_memory_what_if(arn_interpreter *in, const arn_memory_options *options, arn_memory_totals *totals, arn_error *error) {
  replan_rules rules;
  runtime_begin(in);
  arn_status status = check_allocated(in);
  if (status == ARN_OK) status = read_options(in, options, &rules);
  if (status == ARN_OK) status = replan_weigh(in, rules, totals);
  return runtime_end(in, status, error);
}

// What would bring the arenas down, as text: each way of saving that is off, with what it would give.
static void write_advice(arn_interpreter *in, replan_rules rules, size_t arena, char *text, size_t size) {
  static const struct {
    unsigned bit;
    const char *name;
  } ways[] = {{ARN_MEMORY_VIEWS, "views"},      {ARN_MEMORY_IN_PLACE, "in-place operators"}, {ARN_MEMORY_ROWS, "overlapping rows"},
              {ARN_MEMORY_JOINS, "joins"},      {ARN_MEMORY_ORDER, "another order"},         {ARN_MEMORY_FREE_INPUTS, "freed inputs"}};
  size_t used = 0;
  text[0] = '\0';
  for (size_t w = 0; w < BASE_COUNT(ways); w++) {
    if (rules.memory & ways[w].bit) continue;
    replan_rules with = rules;
    with.memory = (with.memory | ways[w].bit) & ~(unsigned)ARN_MEMORY_SEPARATE;
    arn_memory_totals totals;
    if (replan_weigh(in, with, &totals) != ARN_OK || totals.arena >= arena || used >= size) continue;
    int n = snprintf(text + used, size - used, "%s%s would make it %zu", used ? "; " : ". ", ways[w].name, totals.arena);
    used += n > 0 ? (size_t)n : 0;
  }
}

static arn_status refuse_limit(arn_interpreter *in, replan_rules rules, size_t arena, size_t limit) {
  arn_memory_peak peak = {-1, -1, 0};
  char advice[256];
  runtime_subgraph *sg = &in->subgraphs[0];
  bool known = arn_memory_peak_of(in, 0, &peak);
  write_advice(in, rules, arena, advice, sizeof advice);
  return runtime_fail(sg, known ? peak.node : -1, -1, ARN_OUT_OF_MEMORY, "the plan takes %zu bytes, the limit is %zu: most, %zu bytes, is live here%s", arena,
                      limit, peak.live, advice);
}

static arn_status plan_again(runtime_subgraph *sg) {
  if (sg->needs_allocate || sg->segment_count == 0) return ARN_OK;
  if (runtime_is_dynamic(sg)) {  // its segments follow data-dependent shapes: they are found again
    sg->needs_allocate = true;
    return runtime_allocate(sg);
  }
  runtime_drop_places(sg, 0);
  arn_status status = runtime_place_tensors(sg);
  if (status != ARN_OK) sg->needs_allocate = true;
  return status;
}

arn_status arn_interpreter_replan(arn_interpreter *in, const arn_memory_options *options, arn_error *error) {
  replan_rules rules, present = rules_of(in);
  arn_memory_totals totals;
  runtime_begin(in);
  arn_status status = check_allocated(in);
  if (status == ARN_OK) status = read_options(in, options, &rules);
  if (status == ARN_OK) status = replan_weigh(in, rules, &totals);
  if (status == ARN_OK && options->limit && totals.arena > options->limit) status = refuse_limit(in, rules, totals.arena, options->limit);
  if (status != ARN_OK) return runtime_end(in, status, error);
  set_rules(in, rules);
  for (int s = 0; s < in->subgraph_count && status == ARN_OK; s++) status = plan_again(&in->subgraphs[s]);
  if (status != ARN_OK) set_rules(in, present);
  return runtime_end(in, status, error);
}

// ---- Nodes that somebody else evaluates. ----
arn_status runtime_set_excluded(runtime_subgraph *sg, int node, bool excluded) {
  if (node < 0 || node >= sg->node_count) return runtime_fail(sg, -1, -1, ARN_INVALID_ARGUMENT, "there is no node %d", node);
  if (sg->invoking) return runtime_fail(sg, node, -1, ARN_WRONG_STATE, "cannot change hands while the subgraph runs");
  sg->nodes[node].excluded = excluded;
  return plan_again(sg);
}

// ---- The largest shapes. ----
arn_status arn_interpreter_set_max_shape(arn_interpreter *in, int input, const int *dims, int rank, arn_error *error) {
  runtime_subgraph *sg = &in->subgraphs[0];
  arn_status status = ARN_OK;
  runtime_begin(in);
  if (input < 0 || input >= sg->inputs->size || !runtime_tensor(sg, sg->inputs->data[input])) {
    status = runtime_fail(sg, -1, -1, ARN_INVALID_ARGUMENT, "there is no input %d", input);
  }
  for (int i = 0; i < rank && status == ARN_OK; i++) {
    if (dims[i] < 0) status = runtime_fail(sg, -1, sg->inputs->data[input], ARN_INVALID_ARGUMENT, "dimension %d of the largest shape is %d", i, dims[i]);
  }
  if (status == ARN_OK && !in->max_shapes) {
    in->max_shapes = runtime_take(in, (size_t)sg->inputs->size, sizeof *in->max_shapes);
    if (!in->max_shapes) status = ARN_OUT_OF_MEMORY;
  }
  if (status != ARN_OK) return runtime_end(in, status, error);
  TfLiteIntArrayFree(in->max_shapes[input]);
  in->max_shapes[input] = NULL;
  if (rank > 0) {
    in->max_shapes[input] = TfLiteIntArrayCreate(rank);
    if (!in->max_shapes[input]) return runtime_end(in, ARN_OUT_OF_MEMORY, error);
    memcpy(in->max_shapes[input]->data, dims, (size_t)rank * sizeof *dims);
  }
  sg->needs_allocate = true;
  return runtime_end(in, ARN_OK, error);
}

void runtime_forget_max_shapes(arn_interpreter *in) {
  if (!in->max_shapes) return;
  const runtime_subgraph *sg = &in->subgraphs[0];
  for (int i = 0; i < sg->inputs->size; i++) TfLiteIntArrayFree(in->max_shapes[i]);
  runtime_give(in, in->max_shapes, (size_t)sg->inputs->size, sizeof *in->max_shapes);
  in->max_shapes = NULL;
}

// Sets every input that has a largest shape to it, or back to the shapes in `saved`.
static arn_status resize_bounded(arn_interpreter *in, TfLiteIntArray *const *shapes) {
  runtime_subgraph *sg = &in->subgraphs[0];
  arn_status status = ARN_OK;
  for (int i = 0; i < sg->inputs->size && status == ARN_OK; i++) {
    if (in->max_shapes[i] && shapes[i]) status = runtime_resize_input(sg, sg->inputs->data[i], shapes[i]->data, shapes[i]->size);
  }
  return status;
}

arn_status runtime_reserve_max_shapes(arn_interpreter *in) {
  runtime_subgraph *sg = &in->subgraphs[0];
  if (!in->max_shapes || !sg->needs_allocate) return ARN_OK;
  const size_t inputs = (size_t)sg->inputs->size;
  TfLiteIntArray **saved = runtime_take(in, inputs, sizeof *saved);
  if (!saved) return ARN_OUT_OF_MEMORY;
  arn_status status = ARN_OK;
  for (size_t i = 0; i < inputs && status == ARN_OK; i++) {
    const TfLiteTensor *t = runtime_tensor(sg, sg->inputs->data[i]);
    saved[i] = t ? TfLiteIntArrayCopy(t->dims) : NULL;
    if (t && !saved[i]) status = ARN_OUT_OF_MEMORY;
  }
  // Segments keep the memory that they once had: what this allocation takes is there for the real shapes.
  if (status == ARN_OK) status = resize_bounded(in, in->max_shapes);
  if (status == ARN_OK) status = runtime_allocate(sg);
  arn_status restored = status == ARN_OUT_OF_MEMORY && !saved[inputs - 1] ? status : resize_bounded(in, saved);
  sg->needs_allocate = true;
  for (size_t i = 0; i < inputs; i++) TfLiteIntArrayFree(saved[i]);
  runtime_give(in, saved, inputs, sizeof *saved);
  return status == ARN_OK ? restored : status;
}

// ---- The peak. ----
static size_t live_at(const runtime_subgraph *sg, int position) {
  size_t live = 0;
  for (size_t t = 0; t < sg->context.tensors_size; t++) {
    const runtime_place *p = &sg->places[t];
    bool own = p->segment >= 0 && p->root == (int)t;
    if (own && p->life.first <= position && position <= p->life.last) live += sg->context.tensors[t].bytes;
  }
  for (int s = sg->nodes[sg->plan->data[position]].scratch; s >= 0; s = sg->scratch[s].next) live += sg->scratch[s].bytes;
  return live;
}

bool arn_memory_peak_of(const arn_interpreter *in, int subgraph, arn_memory_peak *peak) {
  if (subgraph < 0 || subgraph >= in->subgraph_count) return false;
  const runtime_subgraph *sg = &in->subgraphs[subgraph];
  *peak = (arn_memory_peak){-1, -1, 0};
  for (int position = 0; position < sg->placed; position++) {
    size_t live = live_at(sg, position);
    if (peak->position < 0 || live > peak->live) *peak = (arn_memory_peak){position, sg->plan->data[position], live};
  }
  return peak->position >= 0;
}
