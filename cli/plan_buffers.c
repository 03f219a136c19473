// SPDX-License-Identifier: Apache-2.0
// Planning a file of buffers, in the formats of plan_csv.h, without a model.
#include <stdlib.h>

#include "json.h"
#include "plan_csv.h"
#include "plan_view.h"
#include "table.h"
#include "text.h"

typedef struct buffers_answer {
  arn_plan_result result;
  arn_status status;
  uint64_t nanoseconds;
} buffers_answer;

static bool buffers_plan(const plan_buffers_request *o, const plan_csv *file, buffers_answer *answer, failure *why) {
  size_t scratch_size = arn_plan_scratch_size(o->options.algorithm, file->request_count, file->pair_count);
  if (scratch_size == SIZE_MAX) return failure_set(why, "%s: too many buffers", o->file);
  void *scratch = command_alloc(scratch_size ? scratch_size : 1, 1);
  arn_plan_problem problem = {file->requests, file->pairs, file->request_count, file->pair_count};
  answer->result = (arn_plan_result){.offsets = command_alloc((size_t)file->request_count + 1, sizeof(size_t))};
  uint64_t began = arn_clock_ns();
  answer->status = arn_plan(&problem, &o->options, scratch, scratch_size, &answer->result);
  answer->nanoseconds = arn_clock_ns() - began;
  free(scratch);
  uint32_t a = 0, b = 0;
  switch (answer->status) {
    case ARN_OK:
    case ARN_ARENA_TOO_SMALL: break;
    case ARN_INVALID_ARGUMENT:
      if (answer->result.culprit < file->request_count)
        return failure_set(
            why,
            "%s: the buffer (or pair) in row %u is malformed: an alignment that is no power of two, a fixed offset in the way",
            o->file, (unsigned)answer->result.culprit);
      return failure_set(why, "%s: this is no planning problem", o->file);
    default: return failure_set(why, "%s: the planner ran out of memory or of addresses", o->file);
  }
  // What the planner says is not taken on trust: every two buffers are looked at.
  if (arn_plan_verify(&problem, answer->result.offsets, &a, &b) == ARN_OK) return true;
  return failure_set(why, "%s: the plan is wrong: buffers %s and %s are in each other's way", o->file, file->ids[a],
                     file->ids[b]);
}

static int buffers_json(const plan_buffers_request *o, const plan_csv *file, const buffers_answer *answer, FILE *out) {
  const arn_plan_result *r = &answer->result;
  cJSON *document = json_object();
  json_add_text(document, "file", o->file);
  json_add_text(document, "planner", arn_plan_algorithm_name(o->options.algorithm ? o->options.algorithm : ARN_PLAN_EXACT));
  json_add_size(document, "peak", r->peak);
  json_add_size(document, "lower_bound", r->lower_bound);
  json_add_bool(document, "proven", r->proven);
  if (o->options.capacity) json_add_size(document, "capacity", o->options.capacity);
  if (o->options.capacity) json_add_bool(document, "fits", answer->status == ARN_OK);
  json_add_size(document, "work", r->work);
  json_add_size(document, "nanoseconds", answer->nanoseconds);
  cJSON *array = json_add_array(document, "buffers");
  for (uint32_t i = 0; i < file->request_count; i++) {
    cJSON *item = json_add_object(array, NULL);
    json_add_text(item, "id", file->ids[i]);
    json_add_int(item, "lower", file->requests[i].first);
    json_add_int(item, "upper", (int64_t)file->requests[i].last + 1);
    json_add_size(item, "size", file->requests[i].size);
    json_add_size(item, "offset", r->offsets[i]);
  }
  return json_write(document, out);
}

static void buffers_text(const plan_buffers_request *o, const plan_csv *file, const buffers_answer *answer, FILE *out) {
  static const char *const headers[] = {"id", ">lower", ">upper", ">size", ">offset"};
  const arn_plan_result *r = &answer->result;
  char text[TEXT_NUMBER];
  table *t = table_create(5, headers);
  for (uint32_t i = 0; i < file->request_count; i++) {
    const arn_plan_request *request = &file->requests[i];
    table_cell(t, "%s", file->ids[i]);
    table_cell(t, "%u", (unsigned)request->first);
    table_cell(t, "%llu", (unsigned long long)request->last + 1);
    table_cell(t, "%s", text_count(text, request->size));
    table_cell(t, "%s", text_count(text, r->offsets[i]));
    table_end_row(t);
  }
  table_print(t, out);
  table_destroy(t);
  fprintf(out, "\n%-12s %14s  planner %s\n", "peak", text_count(text, r->peak),
          arn_plan_algorithm_name(o->options.algorithm ? o->options.algorithm : ARN_PLAN_EXACT));
  fprintf(out, "%-12s %14s  %s\n", "lower bound", text_count(text, r->lower_bound),
          r->proven ? "the plan is optimal" : "not proven: the optimum is between the two");
  fprintf(out, "%-12s %14s  units of search\n", "work", text_count(text, r->work));
  fprintf(out, "%-12s %14s\n", "time", text_time(text, (double)answer->nanoseconds));
}

int plan_buffers(const plan_buffers_request *o, FILE *out) {
  plan_csv file = {0};
  char message[PLAN_CSV_MESSAGE_MAX];
  buffers_answer answer = {0};
  failure why;
  int code = COMMAND_OK;
  arn_status status = plan_csv_open(&file, o->file, o->alignment, message);
  if (status == ARN_OK && o->pairs) status = plan_csv_open_pairs(&file, o->pairs, message);
  if (status != ARN_OK)
    code = command_failed("%s", message);
  else if (!buffers_plan(o, &file, &answer, &why))
    code = command_failed("%s", why.text);
  else if (o->json)
    code = buffers_json(o, &file, &answer, out);
  else
    buffers_text(o, &file, &answer, out);
  if (code == COMMAND_OK && answer.status == ARN_ARENA_TOO_SMALL) {
    bool never = answer.result.lower_bound > o->options.capacity || answer.result.proven;
    code = command_failed("%s: the plan takes %zu bytes, the capacity is %zu: %s", o->file, answer.result.peak,
                          o->options.capacity, never ? "no plan fits" : "none that fits was found");
  }
  free(answer.result.offsets);
  plan_csv_close(&file);
  return code;
}
