// SPDX-License-Identifier: Apache-2.0
// A plan as a picture: steps on the x axis, offsets on the y axis, a box for every tensor and scratch buffer.
#include "plan_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// Column 0 is the time before the first operator, column steps + 1 the time after the last.
typedef struct plan_canvas {
  FILE *out;
  const plan_view *view;
  double left, top, width, height;  // of the plot, in units of the picture
  double column, byte;              // width of a step, height of a byte
} plan_canvas;

void plan_picture_escape(FILE *out, const char *text) {
  char *clean = text_copy(text, strlen(text), 1);
  for (const char *s = clean; *s; s++) {
    switch (*s) {
      case '&': fputs("&amp;", out); break;
      case '<': fputs("&lt;", out); break;
      case '>': fputs("&gt;", out); break;
      case '"': fputs("&quot;", out); break;
      case '\'': fputs("&#39;", out); break;
      default: fputc(*s, out);
    }
  }
  free(clean);
}

const char *plan_picture_class(const plan_view *view, const arn_memory_row *row) {
  if (row->tensor < 0) return "scratch";
  if (row->shares >= 0) return "alias";
  if (row->first_use < 0) return "input";
  return row->last_use >= view->steps ? "output" : "planned";
}

static double canvas_x(const plan_canvas *c, int step) { return c->left + (step + 1) * c->column; }
static double canvas_y(const plan_canvas *c, double offset) { return c->top + c->height - offset * c->byte; }

// 1, 2 or 5 times a power of ten: the least that cuts `range` into at most `most` parts.
static double canvas_tick(double range, int most) {
  double power = 1;
  while (range / (power * 10) > most) power *= 10;
  if (range / power <= most) return power;
  if (range / (power * 2) <= most) return power * 2;
  return range / (power * 5) <= most ? power * 5 : power * 10;
}

static void canvas_style(FILE *out) {
  fputs(
      "<style>\n"
      ".plan text{font-family:sans-serif;font-size:11px;fill:#222}.plan .title{font-size:15px;font-weight:bold}\n"
      ".plan .grid{stroke:#ddd;stroke-width:1}.plan .axis{stroke:#555;stroke-width:1}.plan .step{fill:#000;fill-opacity:0}\n"
      ".plan .step:hover{fill-opacity:.06}.plan .busy{fill:#c0392b;fill-opacity:.12}\n"
      ".plan .box{fill-opacity:.68;stroke:#1b2a3a;stroke-width:.6}.plan .planned{fill:#4c84c4}.plan .input{fill:#3a9d5d}\n"
      ".plan .output{fill:#e08a2e}.plan .scratch{fill:#8e63b5}.plan .alias{fill:url(#hatch);stroke:#1b2a3a;stroke-dasharray:4 "
      "2}\n"
      ".plan .name{font-size:10px;pointer-events:none}.plan .peak{stroke:#c0392b;stroke-width:1.6}\n"
      ".plan .bound{stroke:#14375e;stroke-width:1.6;stroke-dasharray:7 4}.plan "
      ".box.hot{fill-opacity:1;stroke:#000;stroke-width:2.5}\n"
      "</style>\n"
      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#1b2a3a\" stroke-opacity=\".45\"/></pattern></defs>\n",
      out);
}

static void canvas_axes(const plan_canvas *c) {
  FILE *out = c->out;
  char count[TEXT_NUMBER];
  double bottom = c->top + c->height, right = c->left + c->width;
  double tick = canvas_tick((double)c->view->arena, 10);
  for (double offset = 0; offset <= (double)c->view->arena; offset += tick) {
    double y = canvas_y(c, offset);
    fprintf(out, "<line class=\"grid\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>", c->left, y, right, y);
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", c->left - 6, y + 4,
            text_count(count, (uint64_t)offset));
  }
  int every = (int)canvas_tick(c->view->steps, (int)(c->width / 40));
  for (int step = 0; step < c->view->steps; step += every)
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%d</text>\n", canvas_x(c, step) + c->column / 2, bottom + 16,
            step);
  fprintf(out, "<line class=\"axis\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>", c->left, bottom, right, bottom);
  fprintf(out, "<line class=\"axis\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", c->left, c->top, c->left, bottom);
  fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">step of the execution order</text>", c->left + c->width / 2,
          bottom + 34);
  fprintf(out, "<text transform=\"translate(14 %.2f) rotate(-90)\" text-anchor=\"middle\">offset in the arena, bytes</text>\n",
          c->top + c->height / 2);
}

static void canvas_steps(const plan_canvas *c) {
  const plan_view *view = c->view;
  char count[TEXT_NUMBER];
  for (int step = 0; step < view->steps; step++) {
    fprintf(c->out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>step %d: node %d ",
            step == view->peak.position ? "step busy" : "step", canvas_x(c, step), c->top, c->column, c->height, step,
            view->nodes[step].node);
    plan_picture_escape(c->out, view->nodes[step].name ? view->nodes[step].name : "");
    fprintf(c->out, "\n%s bytes live</title></rect>\n", text_count(count, plan_live_at(view, step)));
  }
}

// As much of the name's end as fits; the part before ';' says enough where names were joined.
static void canvas_label(const plan_canvas *c, const char *name, double x, double y, double width, double height) {
  int room = (int)((width - 6) / 5.8);
  if (height < 11 || room < 2) return;
  size_t length = strcspn(name, ";");
  char *text = text_copy(name, length ? length : strlen(name), 1);
  size_t columns = text_columns(text);
  const char *from = text;
  while (*from && columns > (size_t)room) {
    do from++;
    while ((*from & 0xC0) == 0x80);
    columns--;
  }
  fprintf(c->out, "<text class=\"name\" x=\"%.2f\" y=\"%.2f\">", x + 3, y + (height < 30 ? height / 2 + 3.5 : 13));
  plan_picture_escape(c->out, from);
  fputs("</text>\n", c->out);
  free(text);
}

static void canvas_box(const plan_canvas *c, int index) {
  const arn_memory_row *row = &c->view->boxes[index];
  char count[TEXT_NUMBER], offset[TEXT_NUMBER], first[PLAN_STEP_TEXT], last[PLAN_STEP_TEXT];
  double height = (double)row->bytes * c->byte, x = canvas_x(c, row->first_use);
  double y = canvas_y(c, (double)row->offset + (double)row->bytes), width = (row->last_use - row->first_use + 1) * c->column;
  char *name = plan_row_name(row);
  fprintf(c->out, "<rect id=\"b%d\" class=\"box %s\" x=\"%.3f\" y=\"%.3f\" width=\"%.3f\" height=\"%.3f\"", index,
          plan_picture_class(c->view, row), x, y, width, height);
  fprintf(c->out, " data-tensor=\"%d\"><title>", row->tensor);
  plan_picture_escape(c->out, name);
  fprintf(c->out, "\n%s bytes at %s, steps %s to %s", text_count(count, row->bytes), text_count(offset, (uint64_t)row->offset),
          plan_step_text(c->view, row->first_use, first), plan_step_text(c->view, row->last_use, last));
  if (row->tensor >= 0) fprintf(c->out, "\ntensor %d", row->tensor);
  if (row->shares >= 0) fprintf(c->out, ", in the memory of tensor %d", row->shares);
  fputs("</title></rect>\n", c->out);
  if (row->shares < 0) canvas_label(c, name, x, y, width, height);
  free(name);
}

static void canvas_line(const plan_canvas *c, const char *class_name, const char *what, size_t bytes, bool left) {
  char count[TEXT_NUMBER];
  double y = canvas_y(c, (double)bytes), right = c->left + c->width;
  fprintf(c->out, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.3f\" x2=\"%.2f\" y2=\"%.3f\"/>", class_name, c->left, y, right, y);
  fprintf(c->out, "<text x=\"%.2f\" y=\"%.2f\"%s>%s: %s bytes</text>\n", left ? c->left + 4 : right, y - 5,
          left ? "" : " text-anchor=\"end\"", what, text_count(count, bytes));
}

static void canvas_legend(const plan_canvas *c) {
  static const char *const classes[] = {"input", "planned", "output", "scratch", "alias"};
  static const char *const texts[] = {"graph input", "tensor", "graph output", "scratch", "view or part of another tensor"};
  double x = c->left;
  for (int i = 0; i < 5; i++) {
    fprintf(c->out,
            "<rect class=\"box %s\" x=\"%.2f\" y=\"33\" width=\"14\" height=\"10\"/><text x=\"%.2f\" y=\"42\">%s</text>\n",
            classes[i], x, x + 19, texts[i]);
    x += 34 + 6.0 * (double)strlen(texts[i]);
  }
  if (c->view->peak.position >= 0)
    fprintf(c->out,
            "<rect class=\"busy\" x=\"%.2f\" y=\"33\" width=\"14\" height=\"10\"/><text x=\"%.2f\" y=\"42\">step %d: most is "
            "live</text>\n",
            x, x + 19, c->view->peak.position);
}

static void canvas_title(const plan_canvas *c) {
  const plan_view *view = c->view;
  const char *model = strrchr(view->request->model, '/');
  char count[TEXT_NUMBER];
  fprintf(c->out, "<text class=\"title\" x=\"%.2f\" y=\"21\">", c->left);
  plan_picture_escape(c->out, model ? model + 1 : view->request->model);
  if (view->subgraph) fprintf(c->out, ", subgraph %d", view->subgraph);
  fprintf(c->out, ": %s planner, %s bytes%s</text>\n", arn_plan_algorithm_name(view->totals.planner),
          text_count(count, view->arena), view->bound && view->totals.proven ? ", optimal" : "");
}

void plan_picture_draw(const plan_view *view, FILE *out) {
  plan_canvas c = {.out = out, .view = view, .left = 96, .top = 72, .width = 1080, .height = 540};
  int columns = view->steps + 2;
  if (columns > 180) c.width = fmin(6.0 * columns, 3600);  // a picture to scroll, so that boxes stay visible
  c.column = c.width / columns;
  c.byte = view->arena ? c.height / (double)view->arena : 0;
  double width = c.left + c.width + 20, height = c.top + c.height + 46;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plan\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
          width, height, width, height);
  canvas_style(out);
  fprintf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
  canvas_title(&c);
  canvas_legend(&c);
  canvas_axes(&c);
  canvas_steps(&c);
  for (int i = 0; i < view->box_count; i++) canvas_box(&c, i);
  if (view->bound == view->arena) {
    canvas_line(&c, "peak", "peak and lower bound", view->arena, false);
  } else {
    canvas_line(&c, "peak", "peak", view->arena, false);
    if (view->bound) canvas_line(&c, "bound", "lower bound", view->bound, true);
  }
  fputs("</svg>\n", out);
}

int plan_as_svg(const plan_view *view, FILE *out) {
  plan_picture_draw(view, out);
  return COMMAND_OK;
}
