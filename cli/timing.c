// SPDX-License-Identifier: Apache-2.0
// Statistics and profile tables.
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

static int sample_order(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static double rank_of(const uint64_t *sorted, int count, int percent) {
  int rank = (count * percent + 99) / 100;
  return (double)sorted[rank < 1 ? 0 : rank - 1];
}

timing timing_of(const uint64_t *samples, int count) {
  uint64_t *sorted = command_alloc((size_t)count, sizeof *sorted);
  memcpy(sorted, samples, (size_t)count * sizeof *sorted);
  qsort(sorted, (size_t)count, sizeof *sorted, sample_order);
  timing t = {.count = count};
  double sum = 0, squares = 0;
  for (int i = 0; i < count; i++) sum += (double)sorted[i];
  t.mean = sum / count;
  for (int i = 0; i < count; i++) squares += ((double)sorted[i] - t.mean) * ((double)sorted[i] - t.mean);
  t.deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
  t.least = (double)sorted[0];
  t.largest = (double)sorted[count - 1];
  t.median = count % 2 ? (double)sorted[count / 2] : ((double)sorted[count / 2 - 1] + (double)sorted[count / 2]) / 2;
  t.p90 = rank_of(sorted, count, 90);
  t.p95 = rank_of(sorted, count, 95);
  t.p99 = rank_of(sorted, count, 99);
  free(sorted);
  return t;
}

void timing_json(cJSON *parent, const char *key, const timing *t) {
  cJSON *item = json_add_object(parent, key);
  json_add_int(item, "runs", t->count);
  json_add_real(item, "mean_ns", t->mean);
  json_add_real(item, "deviation_ns", t->deviation);
  json_add_real(item, "least_ns", t->least);
  json_add_real(item, "median_ns", t->median);
  json_add_real(item, "p90_ns", t->p90);
  json_add_real(item, "p95_ns", t->p95);
  json_add_real(item, "p99_ns", t->p99);
  json_add_real(item, "largest_ns", t->largest);
}

// ---- Profiles ----
typedef struct profile_line {
  arn_profile_row row;
  arn_node_info node;
} profile_line;

static int line_order(const void *a, const void *b) {
  uint64_t x = ((const profile_line *)a)->row.total_ns, y = ((const profile_line *)b)->row.total_ns;
  return x < y ? 1 : x > y ? -1 : 0;
}

static profile_line *profile_lines(const session *s, const arn_profile *profile, int *count, uint64_t *total) {
  int room = 64;
  profile_line *lines = command_alloc((size_t)room, sizeof *lines);
  *count = 0;
  *total = 0;
  arn_profile_row row;
  for (int i = 0; arn_profile_row_at(profile, i, &row); i++) {
    if (*count == room) {
      room *= 2;
      lines = command_grow(lines, (size_t)room, sizeof *lines);
    }
    profile_line *line = &lines[*count];
    line->row = row;
    if (!arn_interpreter_node(s->interpreter, row.subgraph, row.node, &line->node))
      line->node = (arn_node_info){.name = "?", .owner = ""};
    if (row.subgraph == 0) *total += row.total_ns;  // nodes of called subgraphs count within their caller
    ++*count;
  }
  return lines;
}

typedef struct profile_kind {
  const char *name;
  int nodes;
  uint64_t ns, macs;
} profile_kind;

static int kind_order(const void *a, const void *b) {
  uint64_t x = ((const profile_kind *)a)->ns, y = ((const profile_kind *)b)->ns;
  return x < y ? 1 : x > y ? -1 : 0;
}

static profile_kind *profile_kinds(const profile_line *lines, int count, int *kinds) {
  profile_kind *found = command_alloc((size_t)count, sizeof *found);
  *kinds = 0;
  for (int i = 0; i < count; i++) {
    int k = 0;
    while (k < *kinds && strcmp(found[k].name, lines[i].node.name)) k++;
    if (k == *kinds) found[(*kinds)++].name = lines[i].node.name;
    found[k].nodes++;
    found[k].ns += lines[i].row.total_ns;
    found[k].macs += lines[i].node.macs;
  }
  qsort(found, (size_t)*kinds, sizeof *found, kind_order);
  return found;
}

static void rate_cell(table *t, double macs, double ns) {
  if (macs > 0 && ns > 0)
    table_cell(t, "%.2f", macs / ns);
  else
    table_cell(t, "%s", "");
}

static void print_lines(FILE *out, const session *s, const profile_line *lines, int count, uint64_t total, int runs, int most) {
  static const char *const headers[] = {">node", "operator", "owner", ">time", ">share", ">GMAC/s", "output"};
  table *t = table_create(7, headers);
  for (int i = 0; i < count && (most == 0 || i < most); i++) {
    const profile_line *line = &lines[i];
    char text[TEXT_NUMBER];
    if (line->row.subgraph)
      table_cell(t, "%d:%d", line->row.subgraph, line->row.node);
    else
      table_cell(t, "%d", line->row.node);
    table_cell(t, "%s", line->node.name);
    table_cell(t, "%s", line->node.owner);
    table_cell(t, "%s", text_time(text, (double)line->row.total_ns / runs));
    table_cell(t, "%.1f%%", total ? 100.0 * (double)line->row.total_ns / (double)total : 0);
    rate_cell(t, (double)line->node.macs * (double)line->row.calls, (double)line->row.total_ns);
    const TfLiteTensor *made = NULL;
    if (line->node.outputs > 0) made = arn_interpreter_tensor(s->interpreter, line->row.subgraph, line->node.output_tensors[0]);
    table_cell(t, "%s", made && made->name ? made->name : "");
    table_end_row(t);
  }
  table_print(t, out);
  if (most && count > most) fprintf(out, "... and %d more nodes\n", count - most);
  table_destroy(t);
}

static void print_kinds(FILE *out, const profile_line *lines, int count, uint64_t total, int runs) {
  static const char *const headers[] = {"operator", ">nodes", ">time", ">share", ">million MAC"};
  int kinds;
  profile_kind *found = profile_kinds(lines, count, &kinds);
  table *t = table_create(5, headers);
  for (int k = 0; k < kinds; k++) {
    char text[TEXT_NUMBER];
    table_cell(t, "%s", found[k].name);
    table_cell(t, "%d", found[k].nodes);
    table_cell(t, "%s", text_time(text, (double)found[k].ns / runs));
    table_cell(t, "%.1f%%", total ? 100.0 * (double)found[k].ns / (double)total : 0);
    if (found[k].macs) table_cell(t, "%.2f", (double)found[k].macs / 1e6);
    table_end_row(t);
  }
  table_print(t, out);
  table_destroy(t);
  free(found);
}

void timing_profile_text(FILE *out, const session *s, const arn_profile *profile, int runs, int most) {
  int count;
  uint64_t total;
  char text[TEXT_NUMBER];
  profile_line *lines = profile_lines(s, profile, &count, &total);
  qsort(lines, (size_t)count, sizeof *lines, line_order);
  fprintf(out, "\nProfile: %d nodes, %s an inference, %d run%s\n", count, text_time(text, (double)total / runs), runs,
          runs == 1 ? "" : "s");
  print_lines(out, s, lines, count, total, runs, most);
  fputc('\n', out);
  print_kinds(out, lines, count, total, runs);
  free(lines);
}

void timing_profile_json(cJSON *parent, const session *s, const arn_profile *profile, int runs) {
  int count;
  uint64_t total;
  profile_line *lines = profile_lines(s, profile, &count, &total);
  cJSON *object = json_add_object(parent, "profile"), *array = json_add_array(object, "nodes");
  json_add_int(object, "runs", runs);
  json_add_size(object, "total_ns", total);
  for (int i = 0; i < count; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_int(item, "subgraph", lines[i].row.subgraph);
    json_add_int(item, "node", lines[i].row.node);
    json_add_text(item, "operator", lines[i].node.name);
    json_add_int(item, "version", lines[i].node.version);
    json_add_text(item, "owner", lines[i].node.owner);
    json_add_size(item, "calls", lines[i].row.calls);
    json_add_size(item, "total_ns", lines[i].row.total_ns);
    json_add_size(item, "least_ns", lines[i].row.min_ns);
    json_add_size(item, "largest_ns", lines[i].row.max_ns);
    json_add_size(item, "macs", lines[i].node.macs);
  }
  free(lines);
}
