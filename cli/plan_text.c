// SPDX-License-Identifier: Apache-2.0
// A plan as text, as rows for spreadsheets, as JSON, and as a file of buffers for planners.
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "plan_view.h"
#include "table.h"
#include "text.h"

// ---- Text ----
static void plan_total(FILE *out, const char *what, size_t bytes, const char *remark) {
  char count[TEXT_NUMBER];
  fprintf(out, "%-18s %14s  %s\n", what, text_count(count, bytes), remark);
}

static void plan_step_cell(table *t, int step, bool used) {
  if (!used)
    table_cell(t, "%s", "");
  else if (step < 0)
    table_cell(t, "in");
  else
    table_cell(t, "%d", step);
}

static void plan_row_cells(table *t, const arn_memory_row *row) {
  char count[TEXT_NUMBER], offset[TEXT_NUMBER];
  bool used = row->first_use >= 0 || row->last_use >= 0;
  if (row->tensor < 0)
    table_cell(t, "%s", "");
  else if (row->subgraph)
    table_cell(t, "%d:%d", row->subgraph, row->tensor);
  else
    table_cell(t, "%d", row->tensor);
  table_cell(t, "%s", plan_kind_name(row->kind));
  table_cell(t, "%s", text_count(count, row->bytes));
  plan_step_cell(t, row->first_use, used);
  plan_step_cell(t, row->last_use, used);
  table_cell(t, "%s", row->offset < 0 ? "" : text_count(offset, (uint64_t)row->offset));
  if (row->shares < 0)
    table_cell(t, "%s", "");
  else
    table_cell(t, "%d", row->shares);
  char *name = plan_row_name(row);
  table_cell(t, "%s", name);
  free(name);
  table_end_row(t);
}

static void plan_totals_text(const plan_view *view, FILE *out) {
  const arn_memory_totals *sum = &view->totals;
  char remark[128];
  const char *planner = arn_plan_algorithm_name(sum->planner);
  snprintf(remark, sizeof remark, "planner %s, alignment %zu", planner ? planner : "?", sum->alignment);
  plan_total(out, "arena (peak)", sum->arena, remark);
  snprintf(remark, sizeof remark, "%s", sum->proven ? "the plan is optimal for these lifetimes" : "no plan can need less");
  plan_total(out, "lower bound", sum->lower_bound, remark);
  snprintf(remark, sizeof remark, "reuse efficiency %.2f", plan_reuse(sum));
  plan_total(out, "without reuse", sum->planned_sum, remark);
  plan_total(out, "padding", sum->padding, "lost to alignment");
  size_t reserved = sum->heap - sum->persistent - sum->dynamic - sum->packed - sum->overhead;
  if (reserved > sum->arena) plan_total(out, "reserved", reserved, "the arena's memory, for the largest shapes");
  plan_total(out, "persistent", sum->persistent, "variables");
  plan_total(out, "dynamic", sum->dynamic, "tensors whose size is known at run time only");
  plan_total(out, "packed", sum->packed, "operators' own memory");
  plan_total(out, "overhead", sum->overhead, "tensor and node records");
  plan_total(out, "heap", sum->heap, "all of the above that is allocated");
  plan_total(out, "constants", sum->constants, "in the file, used in place");
}

static void plan_peak_text(const plan_view *view, FILE *out) {
  static const char *const headers[] = {">", ">first", ">last", "live at the peak"};
  char count[TEXT_NUMBER], first[PLAN_STEP_TEXT], last[PLAN_STEP_TEXT];
  int position = view->peak.position;
  if (position < 0) return;
  fprintf(out, "\nThe peak is at step %d, node %d (%s): %s bytes are live\n", position, view->peak.node,
          view->nodes[position].name, text_count(count, view->peak.live));
  arn_memory_row *live = command_alloc((size_t)view->root_count + 1, sizeof *live);
  int number = 0;
  for (int i = 0; i < view->root_count; i++) {  // boxes come by area: by size here
    const arn_memory_row *row = &view->boxes[i];
    if (row->first_use > position || position > row->last_use) continue;
    int at = number++;
    for (; at > 0 && live[at - 1].bytes < row->bytes; at--) live[at] = live[at - 1];
    live[at] = *row;
  }
  table *t = table_create(4, headers);
  for (int i = 0; i < number; i++) {
    char *name = plan_row_name(&live[i]);
    table_cell(t, "%s", text_count(count, live[i].bytes));
    table_cell(t, "%s", plan_step_text(view, live[i].first_use, first));
    table_cell(t, "%s", plan_step_text(view, live[i].last_use, last));
    table_cell(t, "%s", name);
    table_end_row(t);
    free(name);
  }
  table_print(t, out);
  table_destroy(t);
  free(live);
}

static void plan_aligned_text(const plan_view *view, FILE *out) {
  static const char *const headers[] = {">alignment", ">arena", ">padding"};
  char count[TEXT_NUMBER];
  if (!view->aligned_count) return;
  table *t = table_create(3, headers);
  for (int i = 0; i < view->aligned_count; i++) {
    table_cell(t, "%zu", view->aligned[i].alignment);
    table_cell(t, "%s", text_count(count, view->aligned[i].arena));
    table_cell(t, "%s", text_count(count, view->aligned[i].padding));
    table_end_row(t);
  }
  fputc('\n', out);
  table_print(t, out);
  table_destroy(t);
}

static void plan_suspects_text(const plan_view *view, FILE *out) {
  char count[TEXT_NUMBER], from[PLAN_STEP_TEXT], to[PLAN_STEP_TEXT], made[PLAN_STEP_TEXT];
  if (view->suspect_count) fputs("\nSuspicious lifetimes: large tensors that wait unused\n", out);
  for (int i = 0; i < view->suspect_count; i++) {
    const plan_suspect *s = &view->suspects[i];
    char *name = plan_row_name(s->row);
    fprintf(out, "  %s: %s bytes, written at %s, unused from %s to %s: %s\n    %s\n", name, text_count(count, s->row->bytes),
            plan_step_text(view, s->written, made), plan_step_text(view, s->used, from), plan_step_text(view, s->next, to),
            s->why, s->help);
    free(name);
  }
}

int plan_as_text(const plan_view *view, FILE *out) {
  static const char *const headers[] = {">tensor", "kind", ">bytes", ">first", ">last", ">offset", ">in", "name"};
  table *t = table_create(8, headers);
  for (int i = 0; i < view->row_count; i++) plan_row_cells(t, &view->rows[i]);
  table_print(t, out);
  table_destroy(t);
  fputc('\n', out);
  plan_totals_text(view, out);
  plan_peak_text(view, out);
  plan_aligned_text(view, out);
  plan_suspects_text(view, out);
  return COMMAND_OK;
}

// ---- Rows ----
int plan_as_rows(const plan_view *view, FILE *out) {
  fputs("subgraph,tensor,node,kind,bytes,first_use,last_use,offset,shares,name\n", out);
  for (int i = 0; i < view->row_count; i++) {
    const arn_memory_row *row = &view->rows[i];
    fprintf(out, "%d,%d,%d,%s,%zu,%d,%d,%lld,%d,\"", row->subgraph, row->tensor, row->node, plan_kind_name(row->kind), row->bytes,
            row->first_use, row->last_use, (long long)row->offset, row->shares);
    char *name = text_copy(row->name, strlen(row->name), 1);
    for (const char *s = name; *s; s++) fprintf(out, *s == '"' ? "\"\"" : "%c", *s);
    free(name);
    fputs("\"\n", out);
  }
  return COMMAND_OK;
}

// ---- JSON ----
static void plan_totals_json(cJSON *parent, const char *key, const arn_memory_totals *sum, bool whole) {
  cJSON *item = json_add_object(parent, key);
  json_add_text(item, "planner", arn_plan_algorithm_name(sum->planner));
  json_add_size(item, "alignment", sum->alignment);
  json_add_size(item, "arena", sum->arena);
  json_add_size(item, "lower_bound", sum->lower_bound);
  json_add_bool(item, "proven", sum->proven);
  json_add_size(item, "planned_sum", sum->planned_sum);
  json_add_real(item, "reuse_efficiency", plan_reuse(sum));
  json_add_size(item, "padding", sum->padding);
  if (!whole) return;
  json_add_size(item, "persistent", sum->persistent);
  json_add_size(item, "dynamic", sum->dynamic);
  json_add_size(item, "packed", sum->packed);
  json_add_size(item, "overhead", sum->overhead);
  json_add_size(item, "heap", sum->heap);
  json_add_size(item, "constants", sum->constants);
}

static void plan_row_json(cJSON *item, const arn_memory_row *row) {
  json_add_int(item, "subgraph", row->subgraph);
  json_add_int(item, "tensor", row->tensor);
  json_add_int(item, "node", row->node);
  json_add_text(item, "kind", plan_kind_name(row->kind));
  json_add_size(item, "bytes", row->bytes);
  json_add_int(item, "first_use", row->first_use);
  json_add_int(item, "last_use", row->last_use);
  json_add_int(item, "offset", row->offset);
  json_add_int(item, "shares", row->shares);
  json_add_text(item, "name", row->name);
}

static void plan_steps_json(cJSON *document, const plan_view *view) {
  cJSON *steps = json_add_array(document, "steps");
  for (int i = 0; i < view->steps; i++) {
    cJSON *item = json_add_object(steps, NULL);
    json_add_int(item, "node", view->nodes[i].node);
    json_add_text(item, "operator", view->nodes[i].name);
    json_add_size(item, "live", plan_live_at(view, i));
  }
}

int plan_as_json(const plan_view *view, FILE *out) {
  cJSON *document = json_object();
  json_add_text(document, "model", view->request->model);
  plan_totals_json(document, "totals", &view->totals, true);
  cJSON *rows = json_add_array(document, "rows");
  for (int i = 0; i < view->row_count; i++) plan_row_json(json_add_object(rows, NULL), &view->rows[i]);
  json_add_int(document, "subgraph", view->subgraph);
  plan_steps_json(document, view);
  if (view->peak.position >= 0) {
    cJSON *peak = json_add_object(document, "peak");
    json_add_int(peak, "step", view->peak.position);
    json_add_int(peak, "node", view->peak.node);
    json_add_text(peak, "operator", view->nodes[view->peak.position].name);
    json_add_size(peak, "live", view->peak.live);
  }
  cJSON *aligned = json_add_array(document, "alignments");
  for (int i = 0; i < view->aligned_count; i++) plan_totals_json(aligned, NULL, &view->aligned[i], false);
  cJSON *suspects = json_add_array(document, "suspicious");
  for (int i = 0; i < view->suspect_count; i++) {
    const plan_suspect *s = &view->suspects[i];
    cJSON *item = json_add_object(suspects, NULL);
    json_add_int(item, "tensor", s->row->tensor);
    json_add_text(item, "name", s->row->name);
    json_add_size(item, "bytes", s->row->bytes);
    json_add_int(item, "written_at", s->written);
    json_add_int(item, "unused_from", s->used);
    json_add_int(item, "next_use", s->next);
    json_add_text(item, "why", s->why);
    json_add_text(item, "help", s->help);
  }
  return json_write(document, out);
}

// ---- A file of buffers ----
// Sizes are rounded up to the alignment, so that a planner that knows none finds the same peak.
int plan_as_csv(const plan_view *view, FILE *out) {
  size_t alignment = view->totals.alignment;
  fputs("id,lower,upper,size\n", out);
  for (int i = 0; i < view->root_count; i++) {
    const arn_memory_row *row = &view->boxes[i];
    if (row->tensor < 0)
      fprintf(out, "scratch%d_%d", row->node, i);
    else
      fprintf(out, "%d", row->tensor);
    fprintf(out, ",%d,%d,%zu\n", row->first_use + 1, row->last_use + 2, (row->bytes + alignment - 1) / alignment * alignment);
  }
  return COMMAND_OK;
}

// Two boxes that are live together and share bytes are a pair of the planner: the distance that they keep is one that is allowed.
bool plan_write_pairs(const plan_view *view, const char *path, failure *why) {
  FILE *out = fopen(path, "w");
  if (!out) return failure_set(why, "cannot write %s", path);
  fputs("# a,b,D,E\n", out);
  for (int a = 0; a < view->root_count; a++) {
    for (int b = 0; b < view->root_count; b++) {
      const arn_memory_row *x = &view->boxes[a], *y = &view->boxes[b];
      if (y->last_use != x->first_use || y->first_use >= x->first_use) continue;  // b dies where a is written
      if (x->offset >= y->offset + (int64_t)y->bytes || y->offset >= x->offset + (int64_t)x->bytes) continue;
      long long forward = y->offset >= x->offset ? (long long)(y->offset - x->offset) : -1;
      long long backward = x->offset >= y->offset ? (long long)(x->offset - y->offset) : -1;
      fprintf(out, "%d,%d,%lld,%lld\n", a, b, forward, backward);
    }
  }
  bool good = !ferror(out);
  return fclose(out) == 0 && good ? true : failure_set(why, "cannot write %s", path);
}

// ---- All of them side by side ----
static void plan_compare_row(table *t, const char *name, const arn_memory_totals *sum, const char *time) {
  char text[TEXT_NUMBER];
  table_cell(t, "%s", name);
  table_cell(t, "%s", text_count(text, sum->arena));
  table_cell(t, "%s", text_count(text, sum->lower_bound));
  table_cell(t, "%.3f", sum->lower_bound ? (double)sum->arena / (double)sum->lower_bound : 1);
  table_cell(t, "%.2f", plan_reuse(sum));
  table_cell(t, "%s", text_count(text, sum->padding));
  table_cell(t, "%s", time);
  table_cell(t, "%s", sum->proven ? "optimal" : "");
  table_end_row(t);
}

static void plan_compare_ways(const plan_view *view, table *t, cJSON *array) {
  enum {
    ONE = ARN_MEMORY_VIEWS,
    TWO = ONE | ARN_MEMORY_IN_PLACE,
    THREE = TWO | ARN_MEMORY_JOINS,
    FOUR = THREE | ARN_MEMORY_ORDER
  };
  static const struct {
    const char *name;
    unsigned memory;
  } ways[] = {{"none", ARN_MEMORY_SEPARATE},
              {"views", ONE},
              {"+in-place", TWO},
              {"+joins", THREE},
              {"+order", FOUR},
              {"host", ARN_MEMORY_HOST},
              {"host+rows", ARN_MEMORY_HOST | ARN_MEMORY_ROWS},
              {"micro", ARN_MEMORY_MICRO}};
  const session_options *settings = &view->request->session;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    arn_memory_totals sum;
    if (!plan_what_if(view, settings->planner, settings->alignment, ways[i].memory, &sum)) continue;
    plan_compare_row(t, ways[i].name, &sum, "");
    cJSON *item = json_add_object(array, NULL);
    json_add_text(item, "memory", ways[i].name);
    plan_totals_json(item, "totals", &sum, false);
  }
}

int plan_compare(const plan_request *request, bool json, FILE *out) {
  static const char *const headers[] = {"planner", ">arena", ">bound", ">of bound", ">reuse", ">padding", ">prepared in", ""};
  static const char *const way_headers[] = {"memory", ">arena", ">bound", ">of bound", ">reuse", ">padding", "", ""};
  table *planners = table_create(8, headers), *ways = table_create(8, way_headers);
  cJSON *document = json_object(), *array = json_add_array(document, "planners"), *memory = json_add_array(document, "memory");
  json_add_text(document, "model", request->model);
  int code = COMMAND_OK;
  for (int i = 0; i < 4 && code == COMMAND_OK; i++) {
    session s;
    plan_view view;
    failure why;
    char time[TEXT_NUMBER];
    session_options settings = request->session;
    settings.planner = plan_planners[i];
    if (!plan_view_open(&view, &s, request, &settings, &why)) {
      code = command_failed("%s", why.text);
      break;
    }
    plan_compare_row(planners, plan_planner_names[i], &view.totals, text_time(time, (double)s.allocate_ns));
    cJSON *item = json_add_object(array, NULL);
    json_add_size(item, "prepare_ns", s.allocate_ns);
    plan_totals_json(item, "totals", &view.totals, true);
    if (plan_planners[i] == ARN_PLAN_EXACT) plan_compare_ways(&view, ways, memory);
    plan_view_close(&view);
  }
  if (code == COMMAND_OK && !json) {
    table_print(planners, out);
    fputc('\n', out);
    if (table_rows(ways)) table_print(ways, out);
  }
  table_destroy(planners);
  table_destroy(ways);
  if (code == COMMAND_OK && json) return json_write(document, out);
  cJSON_Delete(document);
  return code;
}
