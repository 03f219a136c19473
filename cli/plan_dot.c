// SPDX-License-Identifier: Apache-2.0
// A plan as a graph for Graphviz: operators as nodes, tensors as edges with their size, first and last use.
#include <stdlib.h>
#include <string.h>

#include "plan_view.h"
#include "text.h"

static void dot_text(FILE *out, const char *text) {
  char *clean = text_copy(text, strlen(text), 1);
  for (const char *s = clean; *s; s++) {
    if (*s == '"' || *s == '\\') fputc('\\', out);
    fputc(*s, out);
  }
  free(clean);
}

static const arn_memory_row *dot_row(const arn_memory_row *rows, int count, int tensor) {
  return tensor >= 0 && tensor < count ? &rows[tensor] : NULL;
}

static void dot_edge(const plan_view *view, const arn_memory_row *row, const char *from, const char *to, FILE *out) {
  char count[TEXT_NUMBER], first[PLAN_STEP_TEXT], last[PLAN_STEP_TEXT];
  fprintf(out, "  %s -> %s [label=\"", from, to);
  dot_text(out, row->name);
  fprintf(out, "\\n%s bytes\\n%s..%s", text_count(count, row->bytes), plan_step_text(view, row->first_use, first),
          plan_step_text(view, row->last_use, last));
  if (row->shares >= 0) fprintf(out, "\\nin tensor %d", row->shares);
  fputs("\"];\n", out);
}

// The subgraph's tensors by number.
static arn_memory_row *dot_tensors(const plan_view *view, int *count) {
  const arn_interpreter *in = view->session->interpreter;
  *count = arn_interpreter_tensor_count(in, view->subgraph);
  arn_memory_row *rows = command_alloc((size_t)*count + 1, sizeof *rows), row;
  for (int i = 0; arn_memory_row_at(in, i, &row); i++)
    if (row.subgraph == view->subgraph && row.tensor >= 0 && row.tensor < *count) rows[row.tensor] = row;
  return rows;
}

static void dot_operators(const plan_view *view, FILE *out) {
  for (int step = 0; step < view->steps; step++) {
    fprintf(out, "  n%d [label=\"%d: ", view->nodes[step].node, step);
    dot_text(out, view->nodes[step].name ? view->nodes[step].name : "");
    fprintf(out, "\"%s];\n", step == view->peak.position ? ", style=filled, fillcolor=\"#f2c1bb\"" : "");
  }
}

static void dot_readers(const plan_view *view, const arn_memory_row *rows, int count, const int *writers, bool *read, FILE *out) {
  for (int step = 0; step < view->steps; step++) {
    const arn_node_info *node = &view->nodes[step];
    for (int i = 0; i < node->inputs; i++) {
      const arn_memory_row *row = dot_row(rows, count, node->input_tensors[i]);
      char from[PLAN_STEP_TEXT], to[PLAN_STEP_TEXT];
      if (!row || row->kind == ARN_MEMORY_CONSTANT) continue;
      int writer = writers[row->tensor];
      snprintf(from, sizeof from, writer < 0 ? "t%d" : "n%d", writer < 0 ? row->tensor : view->nodes[writer].node);
      snprintf(to, sizeof to, "n%d", node->node);
      read[row->tensor] = true;
      dot_edge(view, row, from, to, out);
    }
  }
}

int plan_as_dot(const plan_view *view, FILE *out) {
  int count;
  arn_memory_row *rows = dot_tensors(view, &count);
  int *writers = command_alloc((size_t)count + 1, sizeof *writers);  // steps; -1: nobody
  bool *read = command_alloc((size_t)count + 1, sizeof *read);
  for (int t = 0; t < count; t++) writers[t] = -1;
  for (int step = 0; step < view->steps; step++)
    for (int i = 0; i < view->nodes[step].outputs; i++) {
      int tensor = view->nodes[step].output_tensors[i];
      if (tensor >= 0 && tensor < count) writers[tensor] = step;
    }
  fputs("digraph plan {\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n", out);
  dot_operators(view, out);
  dot_readers(view, rows, count, writers, read, out);
  for (int t = 0; t < count; t++) {
    bool kept = writers[t] >= 0 && rows[t].last_use >= view->steps;
    char from[PLAN_STEP_TEXT], to[PLAN_STEP_TEXT];
    if (!kept && !(writers[t] < 0 && read[t])) continue;
    fprintf(out, "  t%d [shape=ellipse, label=\"", t);
    dot_text(out, rows[t].name);
    fputs("\"];\n", out);
    if (!kept) continue;
    snprintf(from, sizeof from, "n%d", view->nodes[writers[t]].node);
    snprintf(to, sizeof to, "t%d", t);
    dot_edge(view, &rows[t], from, to, out);
  }
  fputs("}\n", out);
  free(rows);
  free(writers);
  free(read);
  return COMMAND_OK;
}
