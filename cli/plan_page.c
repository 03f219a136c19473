// SPDX-License-Identifier: Apache-2.0
// A plan as one self-contained page: the picture, the totals, and a table to filter, to sort and to find in the picture.
#include <stdlib.h>
#include <string.h>

#include "plan_picture.h"
#include "text.h"

static const char page_style[] =
    "<style>\n"
    "body{font-family:sans-serif;margin:1.2em;color:#222;background:#fff}h1{font-size:1.25em}.scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.88em}th,td{padding:.2em .7em;text-align:left}td.n,th.n{text-align:right}\n"
    "#rows th{cursor:pointer;background:#eef1f5;position:sticky;top:0}#rows tr.hot td{background:#fff1c9}\n"
    "#rows tr[hidden]{display:none}input{font:inherit;width:22em;max-width:90%}.totals td:first-child{color:#555}\n"
    "</style>\n";

// The filter is also the address's fragment (#filter=conv), so that a view can be linked to.
static const char page_script[] =
    "<script>\n"
    "'use strict';\n"
    "const body = document.querySelector('#rows tbody'), field = document.getElementById('filter');\n"
    "const shown = document.getElementById('shown'), all = Array.from(body.rows);\n"
    "const boxOf = row => document.getElementById(row.id.replace('r', 'b'));\n"
    "function filter() {\n"
    "  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);\n"
    "  let count = 0, bytes = 0;\n"
    "  for (const row of all) {\n"
    "    const text = row.textContent.toLowerCase(), hit = words.every(word => text.includes(word)), box = boxOf(row);\n"
    "    row.hidden = !hit;\n"
    "    if (box) box.style.opacity = hit ? 1 : 0.15;\n"
    "    if (hit) { count++; bytes += Number(row.dataset.bytes); }\n"
    "  }\n"
    "  shown.textContent = count + ' of ' + all.length + ' rows, ' + bytes.toLocaleString('en') + ' bytes';\n"
    "}\n"
    "function fromAddress() {\n"
    "  const match = /^#filter=(.*)$/.exec(location.hash);\n"
    "  let words = match ? match[1] : '';\n"
    "  try { words = decodeURIComponent(words); } catch (error) { /* a stray %: taken as it is */ }\n"
    "  field.value = words;\n"
    "  filter();\n"
    "}\n"
    "function sortBy(column, rising) {\n"
    "  const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent;\n"
    "  const order = (a, b) => {\n"
    "    const x = key(a), y = key(b), numbers = x !== '' && y !== '' && !isNaN(x) && !isNaN(y);\n"
    "    return numbers ? x - y : x < y ? -1 : x > y ? 1 : 0;\n"
    "  };\n"
    "  all.sort((a, b) => rising ? order(a, b) : order(b, a));\n"
    "  body.append(...all);\n"
    "}\n"
    "document.querySelectorAll('#rows th').forEach((head, column) => head.addEventListener('click', () => {\n"
    "  const rising = head.getAttribute('aria-sort') !== 'ascending';\n"
    "  document.querySelectorAll('#rows th').forEach(other => other.removeAttribute('aria-sort'));\n"
    "  head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');\n"
    "  sortBy(column, rising);\n"
    "}));\n"
    "for (const row of all) {\n"
    "  const box = boxOf(row), both = box ? [row, box] : [row];\n"
    "  for (const one of both) {\n"
    "    one.addEventListener('mouseenter', () => both.forEach(other => other.classList.add('hot')));\n"
    "    one.addEventListener('mouseleave', () => both.forEach(other => other.classList.remove('hot')));\n"
    "  }\n"
    "  if (box) box.addEventListener('click', () => row.scrollIntoView({block: 'center'}));\n"
    "}\n"
    "field.addEventListener('input', () => {\n"
    "  history.replaceState(null, '', '#filter=' + encodeURIComponent(field.value));\n"
    "  filter();\n"
    "});\n"
    "addEventListener('hashchange', fromAddress);\n"
    "fromAddress();\n"
    "</script>\n";

static void page_total(FILE *out, const char *what, size_t bytes, const char *remark) {
  char count[TEXT_NUMBER];
  fprintf(out, "<tr><td>%s</td><td class=\"n\">%s</td><td>%s</td></tr>\n", what, text_count(count, bytes), remark);
}

static void page_totals(const plan_view *view, FILE *out) {
  const arn_memory_totals *sum = &view->totals;
  char remark[160];
  fputs("<table class=\"totals\">\n", out);
  snprintf(remark, sizeof remark, "planner %s, alignment %zu", arn_plan_algorithm_name(sum->planner), sum->alignment);
  page_total(out, "arena (peak)", sum->arena, remark);
  page_total(out, "lower bound", sum->lower_bound,
             sum->proven ? "the plan is optimal for these lifetimes" : "no plan can need less");
  snprintf(remark, sizeof remark, "reuse efficiency %.2f", plan_reuse(sum));
  page_total(out, "without reuse", sum->planned_sum, remark);
  page_total(out, "padding", sum->padding, "lost to alignment");
  for (int i = 0; i < view->aligned_count; i++) {
    snprintf(remark, sizeof remark, "of it %zu padding", view->aligned[i].padding);
    char what[48];
    snprintf(what, sizeof what, "arena at alignment %zu", view->aligned[i].alignment);
    page_total(out, what, view->aligned[i].arena, remark);
  }
  page_total(out, "persistent", sum->persistent, "variables");
  page_total(out, "dynamic", sum->dynamic, "tensors whose size is known at run time only");
  page_total(out, "packed", sum->packed, "operators' own memory");
  page_total(out, "overhead", sum->overhead, "tensor and node records");
  page_total(out, "heap", sum->heap, "all of the above that is allocated");
  page_total(out, "constants", sum->constants, "in the file, used in place");
  fputs("</table>\n", out);
}

static void page_suspects(const plan_view *view, FILE *out) {
  char count[TEXT_NUMBER], made[PLAN_STEP_TEXT], from[PLAN_STEP_TEXT], to[PLAN_STEP_TEXT];
  if (!view->suspect_count) return;
  fputs("<h2>Suspicious lifetimes</h2>\n<ul id=\"suspects\">\n", out);
  for (int i = 0; i < view->suspect_count; i++) {
    const plan_suspect *s = &view->suspects[i];
    fputs("<li><b>", out);
    plan_picture_escape(out, s->row->name);
    fprintf(out, "</b>: %s bytes, written at %s, unused from %s to %s: ", text_count(count, s->row->bytes),
            plan_step_text(view, s->written, made), plan_step_text(view, s->used, from), plan_step_text(view, s->next, to));
    plan_picture_escape(out, s->why);
    fputs(". What would help: ", out);
    plan_picture_escape(out, s->help);
    fputs(".</li>\n", out);
  }
  fputs("</ul>\n", out);
}

static void page_row(const plan_view *view, const arn_memory_row *row, const char *kind, int index, FILE *out) {
  char count[TEXT_NUMBER], text[PLAN_STEP_TEXT];
  fprintf(out, "<tr id=\"r%d\" data-bytes=\"%zu\"><td class=\"n\" data-key=\"%d\">", index, row->bytes, row->tensor);
  if (row->tensor >= 0 && row->subgraph) fprintf(out, "%d:", row->subgraph);
  if (row->tensor >= 0) fprintf(out, "%d", row->tensor);
  fprintf(out, "</td><td>%s</td>", kind);
  fprintf(out, "<td class=\"n\" data-key=\"%zu\">%s</td>", row->bytes, text_count(count, row->bytes));
  fprintf(out, "<td class=\"n\" data-key=\"%d\">%s</td>", row->first_use, plan_step_text(view, row->first_use, text));
  fprintf(out, "<td class=\"n\" data-key=\"%d\">%s</td>", row->last_use, plan_step_text(view, row->last_use, text));
  fprintf(out, "<td class=\"n\" data-key=\"%lld\">%s</td><td class=\"n\">", (long long)row->offset,
          row->offset < 0 ? "" : text_count(count, (uint64_t)row->offset));
  if (row->shares >= 0) fprintf(out, "%d", row->shares);
  fputs("</td><td>", out);
  char *name = plan_row_name(row);
  plan_picture_escape(out, name);
  free(name);
  fputs("</td></tr>\n", out);
}

// The boxes of the picture first, then what is in no picture: other subgraphs, variables, tensors of sizes not known yet.
static void page_rows(const plan_view *view, FILE *out) {
  fputs(
      "<p><input id=\"filter\" type=\"search\" placeholder=\"filter: words of a row\" aria-label=\"filter\"> <output "
      "id=\"shown\"></output></p>\n"
      "<table id=\"rows\"><thead><tr><th class=\"n\">tensor</th><th>kind</th><th class=\"n\">bytes</th><th class=\"n\">first</th>"
      "<th class=\"n\">last</th><th class=\"n\">offset</th><th class=\"n\">in</th><th>name</th></tr></thead><tbody>\n",
      out);
  for (int i = 0; i < view->box_count; i++) page_row(view, &view->boxes[i], plan_picture_class(view, &view->boxes[i]), i, out);
  int index = view->box_count;
  for (int i = 0; i < view->row_count; i++) {
    const arn_memory_row *row = &view->rows[i];
    bool drawn = row->subgraph == view->subgraph && row->offset >= 0 && row->bytes > 0;
    if (!drawn) page_row(view, row, plan_kind_name(row->kind), index++, out);
  }
  fputs("</tbody></table>\n", out);
}

int plan_as_html(const plan_view *view, FILE *out) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>Memory plan of ", out);
  plan_picture_escape(out, view->request->model);
  fputs("</title>\n", out);
  fputs(page_style, out);
  fputs("</head><body>\n<h1>Memory plan of ", out);
  plan_picture_escape(out, view->request->model);
  fputs("</h1>\n<div class=\"scroll\">\n", out);
  plan_picture_draw(view, out);
  fputs("</div>\n", out);
  page_totals(view, out);
  page_suspects(view, out);
  page_rows(view, out);
  fputs(page_script, out);
  fputs("</body></html>\n", out);
  return COMMAND_OK;
}
