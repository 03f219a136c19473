// SPDX-License-Identifier: Apache-2.0
// Fuzz target: what a program does with a model that nobody has vouched for: open, create, allocate, fill the inputs, invoke,
// resize, signatures, with a limit on memory and one on work. The input's own bytes decide on options, shapes and values, so that
// a finding repeats.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "arenite/interpreter.h"
#include "arenite/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
  RUN_MEMORY = 32 << 20,   // bytes an interpreter may take, and 4 for each of the model file
  RUN_NODE_WORK = 1 << 8,  // what a node costs at least: ends loops
  RUN_SIGNATURES = 4,
};
static const uint64_t run_work = 4 << 20;  // of one inference: multiply-adds and bytes that its nodes touch

static volatile uint64_t run_sum;  // over what was read, so that no read can be left out

static uint64_t run_draw(uint64_t *state) {  // splitmix64
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = (*state ^ *state >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

// ---- The limit on work: hooks around every node, which cancel the inference. ----
typedef struct run_meter {
  arn_interpreter *in;
  uint64_t spent;
} run_meter;

// Strings without text, and what a loop over an empty shape may step over.
static uint64_t steps_over(const TfLiteIntArray *dims) {
  uint64_t steps = 1;
  for (int i = 0; i < dims->size; ++i) {
    if (dims->data[i] > 0) steps = steps > (UINT64_C(1) << 32) ? steps : steps * (uint64_t)dims->data[i];
  }
  return steps;
}

static uint64_t bytes_touched(const arn_interpreter *in, int subgraph, const int *tensors, int count) {
  uint64_t bytes = 0;
  for (int i = 0; i < count; ++i) {
    const TfLiteTensor *t = arn_interpreter_tensor(in, subgraph, tensors[i]);
    if (!t || t->allocation_type == kTfLiteMmapRo) continue;
    bytes += t->bytes;
    if (t->bytes == 0) bytes += steps_over(t->dims);
  }
  return bytes;
}

static void meter_node(void *user, int subgraph, int node) {
  run_meter *meter = user;
  arn_node_info info;
  if (!arn_interpreter_node(meter->in, subgraph, node, &info)) abort();
  uint64_t work = RUN_NODE_WORK + bytes_touched(meter->in, subgraph, info.input_tensors, info.inputs) +
                  bytes_touched(meter->in, subgraph, info.output_tensors, info.outputs);
  meter->spent = info.macs > run_work - meter->spent || work > run_work - meter->spent - info.macs
                     ? run_work
                     : meter->spent + info.macs + work;
  if (meter->spent == run_work) arn_interpreter_cancel(meter->in);
}

// What the meter cannot see, a loop over subgraphs without nodes, ends after a second of computing. (SIGVTALRM: SIGALRM belongs
// to the drivers.)
static arn_interpreter *volatile run_watched;

static void end_inference(int number) {
  (void)number;
  if (run_watched) arn_interpreter_cancel(run_watched);
}

static void watch(arn_interpreter *in) {
  const struct itimerval timer = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1}}, off = {0};
  run_watched = in;
  signal(SIGVTALRM, end_inference);
  setitimer(ITIMER_VIRTUAL, in ? &timer : &off, NULL);
}

// ---- Values. ----
static void fill_strings(TfLiteTensor *t, uint64_t *random) {
  enum { MOST = 64 };
  uint32_t words[MOST + 2 + MOST], count = 1, at;
  for (int i = 0; i < t->dims->size; ++i) count *= (uint32_t)t->dims->data[i];
  if (run_draw(random) % 16 == 0) ++count;  // a caller's mistake
  if (count > MOST) count = MOST;
  at = 4 * (count + 2);
  words[0] = count;
  for (uint32_t i = 0; i <= count; ++i) {
    words[i + 1] = at;
    if (i < count) at += (uint32_t)(run_draw(random) % 5);
  }
  memset(words + count + 2, 'a', sizeof(uint32_t) * MOST);
  if (run_draw(random) % 64 == 0) words[1 + run_draw(random) % (count + 1)] = (uint32_t)run_draw(random);  // and another one
  if (TfLiteTensorRealloc(at, t) == kTfLiteOk) memcpy(t->data.raw, words, at);
}

static float draw_float(uint64_t *random, unsigned style) {
  static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 1e30f, -1e30f, 1e-30f, 2147483648.0f};
  static const uint32_t bits[] = {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7F7FFFFFu};
  uint64_t r = run_draw(random);
  float value;
  if (style == 0) return (float)(r % 2001) / 1000.0f - 1.0f;
  if (style == 1) return (float)(r % 12) - 2.0f;
  if (r & 8) return special[r & 7];
  uint32_t pattern = r & 16 ? bits[r & 3] : (uint32_t)(r >> 32);
  memcpy(&value, &pattern, sizeof value);
  return value;
}

// Indices, axes and sizes are small numbers; some are not.
static int64_t draw_int(uint64_t *random, unsigned style) {
  static const int64_t special[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, -1, 0, INT16_MAX, 255};
  uint64_t r = run_draw(random);
  if (style == 0) return (int64_t)(r % 4);
  if (style == 1) return (int64_t)(r % 12) - 3;
  return r & 8 ? special[r & 7] : (int64_t)(r >> (r & 63));
}

static void fill_tensor(TfLiteTensor *t, uint64_t *random) {
  unsigned style = (unsigned)(run_draw(random) % 4);
  if (!t || t->allocation_type == kTfLiteMmapRo) return;  // an input may be a constant
  if (t->type == kTfLiteString) fill_strings(t, random);
  if (!t->data.raw || t->type == kTfLiteString || t->type == kTfLiteResource || t->type == kTfLiteVariant) return;
  size_t width = t->type == kTfLiteFloat32 || t->type == kTfLiteInt32 ? 4 : t->type == kTfLiteInt64 ? 8 : 1;
  for (size_t i = 0; i + width <= t->bytes && i < (1u << 16); i += width) {
    float real = t->type == kTfLiteFloat32 ? draw_float(random, style) : 0.0f;
    int64_t whole = t->type == kTfLiteFloat32 ? 0
                    : t->type == kTfLiteBool  ? (int64_t)(run_draw(random) & 1)
                                              : draw_int(random, width == 1 ? 2 : style);
    memcpy(t->data.raw + i, t->type == kTfLiteFloat32 ? (const void *)&real : &whole, width);  // little-endian hosts
  }
}

static void read_tensor(const TfLiteTensor *t) {
  if (!t || !t->data.raw) return;
  for (size_t i = 0; i < t->bytes; i += i < 4096 || i + 4096 > t->bytes ? 1 : 257) run_sum += t->data.uint8[i];
}

// A new shape near the old one; false: no change.
static bool draw_shape(const TfLiteTensor *t, uint64_t *random, int *dims, int *rank, int most) {
  if (!t || !t->dims || t->dims->size > most) return false;
  *rank = t->dims->size;
  if (*rank) memcpy(dims, t->dims->data, (size_t)*rank * sizeof *dims);
  for (int i = 0; i < *rank; ++i) {
    if (dims[i] < 0) dims[i] = 1 + (int)(run_draw(random) % 3);
  }
  uint64_t r = run_draw(random);
  if (r % 16 == 0 && *rank < most)
    dims[(*rank)++] = 2;
  else if (r % 16 == 1 && *rank)
    --*rank;
  else if (*rank) {
    int *dim = &dims[(r >> 8) % (uint64_t)*rank];
    const int choices[] = {0, 1, 2, *dim + 1, *dim - 1, *dim < (1 << 20) ? *dim * 2 : 3, 1 << 30, 5};
    *dim = choices[r >> 4 & 7];
    if (*dim < 0) *dim = 0;
  }
  return true;
}

// ---- One interpreter. ----
static void check(arn_status status, const arn_error *error) {
  if (status != ARN_OK && (error->status != status || error->message[0] == '\0')) abort();  // an error says what it is
}

static void invoke_filled(run_meter *meter, arn_signature_runner *runner, uint64_t *random) {
  arn_error error;
  arn_interpreter *in = meter->in;
  int inputs = runner ? arn_signature_input_count(runner) : arn_interpreter_input_count(in);
  for (int i = 0; i < inputs; ++i) {
    fill_tensor(runner ? arn_signature_input(runner, arn_signature_input_name(runner, i)) : arn_interpreter_input(in, i), random);
  }
  meter->spent = 0;
  watch(in);
  arn_status status = runner ? arn_signature_invoke(runner, &error) : arn_interpreter_invoke(in, &error);
  watch(NULL);
  check(status, &error);
  if (status != ARN_OK) return;
  int outputs = runner ? arn_signature_output_count(runner) : arn_interpreter_output_count(in);
  for (int i = 0; i < outputs; ++i) {
    read_tensor(runner ? arn_signature_output(runner, arn_signature_output_name(runner, i)) : arn_interpreter_output(in, i));
  }
}

static void resize_some(arn_interpreter *in, arn_signature_runner *runner, uint64_t *random) {
  enum { MOST_RANK = 10 };
  arn_error error;
  int dims[MOST_RANK], rank, inputs = runner ? arn_signature_input_count(runner) : arn_interpreter_input_count(in);
  if (!inputs) return;
  int input = (int)(run_draw(random) % (uint64_t)inputs);
  const char *name = runner ? arn_signature_input_name(runner, input) : NULL;
  const TfLiteTensor *t = runner ? arn_signature_input(runner, name) : arn_interpreter_input(in, input);
  if (!draw_shape(t, random, dims, &rank, MOST_RANK)) return;
  arn_status status = runner ? arn_signature_resize_input(runner, name, dims, rank, &error)
                             : arn_interpreter_resize_input(in, input, dims, rank, run_draw(random) % 4 == 0, &error);
  check(status, &error);
}

static void run_interpreter(arn_interpreter *in, uint64_t *random) {
  arn_error error;
  run_meter meter = {.in = in};
  const arn_profiler hooks = {.user = &meter, .begin = meter_node};
  arn_interpreter_set_profiler(in, &hooks);
  for (int round = 0; round < 3; ++round) {
    arn_status status = arn_interpreter_allocate(in, &error);
    check(status, &error);
    invoke_filled(&meter, NULL, random);
    if (round == 0) invoke_filled(&meter, NULL, random);
    arn_memory_totals totals;
    arn_memory_row row;
    if (arn_memory_report(in, &totals) != ARN_OK) abort();
    for (int i = 0; arn_memory_row_at(in, i, &row); ++i) run_sum += row.bytes;
    if (run_draw(random) % 4 == 0) arn_interpreter_reset_variables(in);
    if (round < 2) resize_some(in, NULL, random);
  }
  int signatures = arn_interpreter_signature_count(in);
  for (int i = 0; i < signatures && i < RUN_SIGNATURES; ++i) {
    arn_signature_runner *runner = arn_interpreter_signature_runner(in, arn_interpreter_signature_key(in, i));
    if (!runner) abort();
    if (run_draw(random) & 1) resize_some(in, runner, random);
    check(arn_signature_allocate(runner, &error), &error);
    invoke_filled(&meter, runner, random);
  }
}

static void run_model(const uint8_t *data, size_t size, uint64_t *random) {
  static const arn_plan_algorithm planners[] = {ARN_PLAN_GREEDY, ARN_PLAN_LINEAR, ARN_PLAN_GREEDY, ARN_PLAN_SLOTS};
  static const size_t alignments[] = {0, 256, 16, 64};
  arn_model *model;
  arn_interpreter *in;
  arn_error error;
  arn_status status = arn_model_open_buffer(data, size, 0, arn_heap(), &model, &error);
  check(status, &error);
  if (status != ARN_OK) return;
  uint64_t r = run_draw(random);
  arn_interpreter_options options = {.alignment = alignments[r & 3],
                                     .planner = planners[r >> 2 & 3],
                                     .keep_all_tensors = r >> 4 & 1,  // then a sanitizer sees the gap behind every tensor
                                     .memory_limit = RUN_MEMORY + 4 * size};
  status = arn_interpreter_create(model, &options, &in, &error);
  check(status, &error);
  if (status == ARN_OK) run_interpreter(in, random);
  arn_interpreter_destroy(status == ARN_OK ? in : NULL);
  arn_model_close(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t random = size;
  for (size_t i = 0; i < size; i += 1 + size / 4096) random = (random ^ data[i]) * 0x100000001B3u;
  if (run_draw(&random) % 4 != 0) {
    run_model(data, size, &random);
    return 0;
  }
  // At an odd address constants wider than a byte move to blocks of their own, whose ends a sanitizer sees.
  uint8_t *copy = malloc(size + 1);
  if (!copy) return 0;
  memcpy(copy + 1, data, size);
  run_model(copy + 1, size, &random);
  free(copy);
  return 0;
}
