// SPDX-License-Identifier: Apache-2.0
// Reading and showing outputs.
#include "answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "term.h"
#include "text.h"
#include "values.h"

enum { ANSWER_FEW = 16, ANSWER_JSON_VALUES = 4096 };

bool answer_is_vector(const TfLiteTensor *tensor) {
  int rank = tensor->dims->size;
  if (rank < 1 || tensor->type == kTfLiteString || tensor->dims->data[rank - 1] < 2) return false;
  return values_count(tensor) == (size_t)tensor->dims->data[rank - 1] && values_bits(tensor->type) > 0;
}

int answer_best(const TfLiteTensor *tensor, int most, answer_class *best) {
  size_t count = values_count(tensor);
  int kept = 0;
  for (size_t i = 0; i < count; i++) {
    double score = values_real(tensor, i);
    if (isnan(score) || (kept == most && score <= best[kept - 1].score)) continue;
    int at = kept < most ? kept++ : kept - 1;
    for (; at > 0 && best[at - 1].score < score; at--) best[at] = best[at - 1];
    best[at] = (answer_class){(int)i, score};
  }
  return kept;
}

int answer_class_output(const session *s) {
  for (int i = 0; i < s->output_count; i++)
    if (answer_is_vector(session_output(s, i))) return i;
  return -1;
}

double answer_threshold(const session *s, const answer_options *options) {
  if (!isnan(options->threshold)) return options->threshold;
  for (int i = 0; i < s->output_count; i++) {
    const packed_tensor *about = session_about_output(s, i);
    if (about && !isnan(about->threshold)) return about->threshold;
  }
  return 0.5;
}

const char *answer_label(const answer_options *options, int class_number) {
  return options->names ? labels_name(options->names, class_number + options->label_offset) : NULL;
}

void answer_to_pixels(const feed *picture, double *x, double *y) {
  *x = *x * picture->width * picture->mapping.scale_x + picture->mapping.offset_x;
  *y = *y * picture->height * picture->mapping.scale_y + picture->mapping.offset_y;
}

// ---- Numbers ----
static void value_text(char out[TEXT_NUMBER], const TfLiteTensor *tensor, size_t index) {
  double value = values_real(tensor, index);
  bool whole = !values_quantised(tensor) && tensor->type != kTfLiteFloat32 && tensor->type != kTfLiteFloat64 &&
               tensor->type != kTfLiteFloat16 && tensor->type != kTfLiteBFloat16;
  snprintf(out, TEXT_NUMBER, whole ? "%.0f" : "%.6g", value);
}

static void print_string(FILE *out, const TfLiteTensor *tensor, int index) {
  size_t length = 0;
  const char *string = values_string(tensor, index, &length);
  char *clean = text_copy(string ? string : "", string ? length : 0, 1);
  fprintf(out, "\"%s\"", clean);
  free(clean);
}

static void print_values(FILE *out, const TfLiteTensor *tensor, bool all) {
  size_t count = tensor->type == kTfLiteString ? (size_t)values_string_count(tensor) : values_count(tensor);
  size_t shown = all || count <= ANSWER_FEW ? count : ANSWER_FEW / 2;
  fputs(" ", out);
  for (size_t i = 0; i < shown; i++) {
    char text[TEXT_NUMBER];
    fputs(" ", out);
    if (tensor->type == kTfLiteString) {
      print_string(out, tensor, (int)i);
    } else {
      value_text(text, tensor, i);
      fputs(text, out);
    }
  }
  fprintf(out, "%s\n", shown < count ? " ..." : "");
  if (shown == count || tensor->type == kTfLiteString) return;
  double low = INFINITY, high = -INFINITY, sum = 0;
  for (size_t i = 0; i < count; i++) {
    double value = values_real(tensor, i);
    low = fmin(low, value);
    high = fmax(high, value);
    sum += value;
  }
  fprintf(out, "  least %.6g, largest %.6g, mean %.6g\n", low, high, sum / (double)count);
}

static void print_head(FILE *out, const session *s, int output) {
  const TfLiteTensor *tensor = session_output(s, output);
  char *shape = values_shape_text(tensor, false), *name = command_text("%s", session_output_name(s, output));
  text_clean(name);
  fprintf(out, "%s%s%s  %s %s\n", term_begin(out, TERM_BOLD), name, term_end(out, TERM_BOLD), values_type_name(tensor->type),
          shape);
  free(shape);
  free(name);
}

static void print_classes(FILE *out, const TfLiteTensor *tensor, const answer_options *options) {
  static const char *const headers[] = {"", ">class", ">score", "label"};
  answer_class *best = command_alloc((size_t)options->top_k, sizeof *best);
  int count = answer_best(tensor, options->top_k, best);
  table *t = table_create(4, headers);
  for (int i = 0; i < count; i++) {
    const char *label = answer_label(options, best[i].class_number);
    table_cell(t, "%s", "");
    table_cell(t, "%d", best[i].class_number);
    table_cell(t, "%.4f", best[i].score);
    table_cell(t, "%s", label ? label : "");
    table_end_row(t);
  }
  table_print(t, out);
  table_destroy(t);
  free(best);
}

static void print_detections(FILE *out, const detections *found, const feed *picture, const answer_options *options) {
  static const char *const headers[] = {">score", ">class", "label", ">left", ">top", ">right", ">bottom"};
  table *t = table_create(7, headers);
  for (int i = 0; i < found->count; i++) {
    detection d = found->items[i];
    const char *label = answer_label(options, d.class_number), *format = picture ? "%.0f" : "%.4f";
    if (picture) {
      answer_to_pixels(picture, &d.left, &d.top);
      answer_to_pixels(picture, &d.right, &d.bottom);
    }
    table_cell(t, "%.4f", d.score);
    if (d.class_number >= 0)
      table_cell(t, "%d", d.class_number);
    else
      table_cell(t, "%s", "");
    table_cell(t, "%s", label ? label : "");
    table_cell(t, format, d.left);
    table_cell(t, format, d.top);
    table_cell(t, format, d.right);
    table_cell(t, format, d.bottom);
    table_end_row(t);
  }
  fprintf(out, "%d detection%s\n", found->count, found->count == 1 ? "" : "s");
  if (found->count) table_print(t, out);
  table_destroy(t);
}

void answer_text(FILE *out, const session *s, const feed *picture, const answer_options *options) {
  detections found;
  if (detect_read(s, answer_threshold(s, options), &found)) {
    print_detections(out, &found, picture, options);
    detect_free(&found);
    if (!options->all_values) return;
  }
  for (int i = 0; i < s->output_count; i++) {
    const TfLiteTensor *tensor = session_output(s, i);
    print_head(out, s, i);
    if (!options->all_values && options->top_k > 0 && answer_is_vector(tensor))
      print_classes(out, tensor, options);
    else
      print_values(out, tensor, options->all_values);
  }
}

// ---- JSON ----
static void json_values(cJSON *parent, const TfLiteTensor *tensor, bool all) {
  size_t count = values_count(tensor);
  if (tensor->type == kTfLiteString) {
    cJSON *array = json_add_array(parent, "values");
    for (int i = 0; i < values_string_count(tensor); i++) {
      size_t length;
      const char *string = values_string(tensor, i, &length);
      json_add_bytes(array, NULL, string ? string : "", string ? length : 0);
    }
    return;
  }
  if (!all && count > ANSWER_JSON_VALUES) return;
  cJSON *array = json_add_array(parent, "values");
  for (size_t i = 0; i < count; i++) {
    double value = values_real(tensor, i);
    if (tensor->type == kTfLiteFloat64 || tensor->type == kTfLiteInt64 || tensor->type == kTfLiteUInt64)
      json_add_real(array, NULL, value);
    else
      json_add_float(array, NULL, (float)value);
  }
}

static void json_output(cJSON *parent, const session *s, int output, const answer_options *options) {
  const TfLiteTensor *tensor = session_output(s, output);
  cJSON *item = json_add_object(parent, NULL);
  json_add_text(item, "name", session_output_name(s, output));
  json_add_text(item, "type", values_type_name(tensor->type));
  json_add_ints(item, "shape", tensor->dims->data, tensor->dims->size);
  if (values_quantised(tensor)) {
    json_add_float(item, "scale", tensor->params.scale);
    json_add_int(item, "zero_point", tensor->params.zero_point);
  }
  if (options->top_k > 0 && answer_is_vector(tensor)) {
    cJSON *top = json_add_array(item, "top");
    answer_class *best = command_alloc((size_t)options->top_k, sizeof *best);
    int count = answer_best(tensor, options->top_k, best);
    for (int i = 0; i < count; i++) {
      cJSON *one = json_add_object(top, NULL);
      const char *label = answer_label(options, best[i].class_number);
      json_add_int(one, "class", best[i].class_number);
      json_add_float(one, "score", (float)best[i].score);
      if (label) json_add_text(one, "label", label);
    }
    free(best);
  }
  json_values(item, tensor, options->all_values);
}

static void json_detection(cJSON *parent, const detection *d, const feed *picture, const answer_options *options) {
  cJSON *item = json_add_object(parent, NULL);
  const char *label = answer_label(options, d->class_number);
  double left = d->left, top = d->top, right = d->right, bottom = d->bottom;
  if (d->class_number >= 0) json_add_int(item, "class", d->class_number);
  if (label) json_add_text(item, "label", label);
  json_add_float(item, "score", (float)d->score);
  if (picture) {
    answer_to_pixels(picture, &left, &top);
    answer_to_pixels(picture, &right, &bottom);
  }
  cJSON *box = json_add_array(item, "box");
  const double sides[4] = {left, top, right, bottom};
  for (int i = 0; i < 4; i++) json_add_float(box, NULL, (float)sides[i]);
  if (d->point_count == 0) return;
  cJSON *points = json_add_array(item, "points");
  for (int i = 0; i < d->point_count; i++) {
    double x = d->points[i][0], y = d->points[i][1];
    if (picture) answer_to_pixels(picture, &x, &y);
    cJSON *point = json_add_array(points, NULL);
    json_add_float(point, NULL, (float)x);
    json_add_float(point, NULL, (float)y);
  }
}

void answer_json(cJSON *parent, const session *s, const feed *picture, const answer_options *options) {
  cJSON *outputs = json_add_array(parent, "outputs");
  for (int i = 0; i < s->output_count; i++) json_output(outputs, s, i, options);
  detections found;
  if (!detect_read(s, answer_threshold(s, options), &found)) return;
  json_add_text(parent, "box_unit", picture ? "pixel" : "fraction");
  cJSON *array = json_add_array(parent, "detections");
  for (int i = 0; i < found.count; i++) json_detection(array, &found.items[i], picture, options);
  detect_free(&found);
}
