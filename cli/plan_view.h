// SPDX-License-Identifier: Apache-2.0
// What `arenite plan` knows about a prepared model's memory, collected once for every format that shows it.
#ifndef CLI_PLAN_VIEW_H
#define CLI_PLAN_VIEW_H

#include <stdio.h>

#include "arenite/replan.h"
#include "session.h"
#include "shape_option.h"

typedef struct plan_request {
  const char *model;
  session_options session;
  shape_options shapes, max_shapes;
  const char *output, *pairs;  // files to write; NULL: stdout, none
  size_t limit;                // bytes; 0: none
  int subgraph;                // that pictures show; -1: the signature's, or the first that plans anything
  int order, format;           // positions in plan_order_names and plan_formats
  bool compare, all;
} plan_request;

// A large tensor that stays for many steps in which nothing uses it.
typedef struct plan_suspect {
  const arn_memory_row *row;
  int written, used,
      next;  // steps: made (-1: a graph input), the last use before the gap, and the next after it (node count: the end)
  char why[96], help[192];
} plan_suspect;

enum { PLAN_ALIGNMENTS = 3 };

typedef struct plan_view {
  const plan_request *request;
  session *session;
  arn_memory_totals totals;
  arn_memory_row *rows;  // as wanted: filtered and sorted
  int row_count;
  // ---- Of the subgraph that pictures show ----
  int subgraph;
  arn_memory_row *boxes;  // what has a place in its arena: first what has memory of its own, the largest area first; then aliases
  int box_count, root_count;
  arn_node_info *nodes;  // by position in the execution order
  int steps;             // how many
  size_t arena;          // bytes
  size_t bound;          // lower bound; 0: not known for this subgraph alone
  arn_memory_peak peak;  // position -1: nothing is planned
  plan_suspect *suspects;
  int suspect_count;
  // What other alignments would cost; count 0 where that cannot be asked.
  arn_memory_totals aligned[PLAN_ALIGNMENTS];
  int aligned_count;
} plan_view;

extern const char *const plan_order_names[];
extern const arn_plan_algorithm plan_planners[4];
extern const char *const plan_planner_names[5];  // ends with NULL

// Opens, allocates, applies the limit and collects. On failure nothing is left to close.
bool plan_view_open(plan_view *view, session *s, const plan_request *request, const session_options *settings, failure *why);
// Looks for suspicious lifetimes and asks what other alignments would cost: several plans more.
void plan_view_study(plan_view *view, const session_options *settings);
void plan_view_close(plan_view *view);

const char *plan_kind_name(arn_memory_kind kind);
double plan_reuse(const arn_memory_totals *totals);  // bytes wanted without reuse for each byte taken
// What a plan by other rules would take; false where it cannot be asked (another subgraph's signature).
bool plan_what_if(const plan_view *view, arn_plan_algorithm planner, size_t alignment, unsigned memory,
                  arn_memory_totals *totals);
size_t plan_live_at(const plan_view *view, int step);  // bytes of boxes with memory of their own; step -1: before the first node

enum { PLAN_STEP_TEXT = 24 };
// "in", "12" or "end"
const char *plan_step_text(const plan_view *view, int step, char text[PLAN_STEP_TEXT]);
// "image", or "scratch of node 3"; clean; the caller frees.
char *plan_row_name(const arn_memory_row *row);

// ---- Formats: each writes the whole view. Returns an exit code. ----
int plan_as_text(const plan_view *view, FILE *out);
int plan_as_rows(const plan_view *view, FILE *out);
int plan_as_json(const plan_view *view, FILE *out);
int plan_as_csv(const plan_view *view, FILE *out);
int plan_as_svg(const plan_view *view, FILE *out);
int plan_as_html(const plan_view *view, FILE *out);
int plan_as_dot(const plan_view *view, FILE *out);
// The pairs that the plan makes use of, beside the CSV.
bool plan_write_pairs(const plan_view *view, const char *path, failure *why);
// All planners and all ways to save memory side by side.
int plan_compare(const plan_request *request, bool json, FILE *out);

typedef struct plan_buffers_request {
  const char *file, *pairs;
  arn_plan_options options;
  uint32_t alignment;
  bool json;
} plan_buffers_request;
// Plans a file of buffers instead of a model.
int plan_buffers(const plan_buffers_request *request, FILE *out);

#endif
