// SPDX-License-Identifier: Apache-2.0
// Runs models with every way of saving memory on and off, each time with the arena full of other bytes first, and compares the outputs bit for bit.
//   memory_ways MODEL.tflite...
// Prints each model's arena for the ways, and how much greedy placement without sharing takes; ends with `N passed, N failed`. Models that cannot
// run (an operator is missing, a string input) are named and do not count.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arenite/replan.h"

static const struct {
  const char *name;
  arn_memory_options options;
} ways[] = {
    {"greedy", {.planner = ARN_PLAN_GREEDY, .memory = ARN_MEMORY_SEPARATE}},
    {"host", {.memory = ARN_MEMORY_HOST}},
    {"all", {.memory = ARN_MEMORY_MICRO | ARN_MEMORY_ORDER, .alignment = 16}},
};
enum { WAYS = sizeof ways / sizeof ways[0], RUNS = 2 };

static uint64_t random_state;
static uint64_t draw(void) {
  uint64_t z = random_state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

// Every tensor of the arena gets noise, then the inputs their values.
static bool fill(arn_interpreter *in, uint64_t seed) {
  random_state = seed * 7919;
  arn_memory_row row;
  for (int i = 0; arn_memory_row_at(in, i, &row); i++) {
    if (row.kind != ARN_MEMORY_PLANNED || row.tensor < 0) continue;
    TfLiteTensor *t = arn_interpreter_tensor(in, row.subgraph, row.tensor);
    for (size_t b = 0; b < t->bytes; b++) t->data.uint8[b] = (uint8_t)draw();
  }
  random_state = seed;
  for (int i = 0; i < arn_interpreter_input_count(in); i++) {
    TfLiteTensor *t = arn_interpreter_input(in, i);
    if (t->type == kTfLiteString || !t->data.raw) return false;
    if (t->allocation_type == kTfLiteMmapRo) continue;
    for (size_t k = 0; k < t->bytes; k++) t->data.uint8[k] = 0;
    switch (t->type) {
      case kTfLiteFloat32: for (size_t k = 0; k < t->bytes / 4; k++) t->data.f[k] = (float)(draw() >> 40) / 16777216.0f * 2 - 1; break;
      case kTfLiteInt32: for (size_t k = 0; k < t->bytes / 4; k++) t->data.i32[k] = (int32_t)(draw() % 10); break;
      case kTfLiteInt64: for (size_t k = 0; k < t->bytes / 8; k++) t->data.i64[k] = (int64_t)(draw() % 10); break;
      case kTfLiteBool: for (size_t k = 0; k < t->bytes; k++) t->data.uint8[k] = draw() & 1; break;
      default: for (size_t k = 0; k < t->bytes; k++) t->data.uint8[k] = (uint8_t)draw();
    }
  }
  return true;
}

// FNV-1a over the outputs' shapes and bytes.
static uint64_t digest(const arn_interpreter *in, uint64_t h) {
  for (int i = 0; i < arn_interpreter_output_count(in); i++) {
    const TfLiteTensor *t = arn_interpreter_output(in, i);
    for (int d = 0; d < t->dims->size; d++) h = (h ^ (uint64_t)t->dims->data[d]) * 1099511628211u;
    for (size_t b = 0; t->data.raw && b < t->bytes; b++) h = (h ^ t->data.uint8[b]) * 1099511628211u;
  }
  return h;
}

// One way, in an interpreter of its own: state that a model keeps starts afresh. ARN_UNSUPPORTED: this program cannot feed it.
static arn_status run_way(const arn_model *model, const arn_memory_options *options, uint64_t *digest_of_outputs, arn_memory_totals *totals, arn_error *error) {
  arn_interpreter *in = NULL;
  arn_status status = arn_interpreter_create(model, NULL, &in, error);
  if (status == ARN_OK) status = arn_interpreter_allocate(in, error);
  if (status == ARN_OK) status = arn_interpreter_replan(in, options, error);
  *digest_of_outputs = 14695981039346656037u;
  for (int r = 0; r < RUNS && status == ARN_OK; r++) {
    if (!fill(in, (uint64_t)r + 1)) {
      snprintf(error->message, sizeof error->message, "it wants strings or an input that has no memory");
      status = ARN_UNSUPPORTED;
      break;
    }
    status = arn_interpreter_invoke(in, error);
    *digest_of_outputs = digest(in, *digest_of_outputs);
  }
  if (status == ARN_OK) status = arn_memory_report(in, totals);
  arn_interpreter_destroy(in);
  return status;
}

// 1: all ways agree; 0: they do not; -1: not run (an operator is missing, or random inputs are out of its range).
static int run_model(const char *path) {
  arn_model *model;
  arn_error error;
  arn_memory_totals totals[WAYS];
  uint64_t digests[WAYS];
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  arn_status status = arn_model_open_file(path, 0, &model, &error);
  int verdict = 1;
  for (int w = 0; w < WAYS && status == ARN_OK; w++) {
    status = run_way(model, &ways[w].options, &digests[w], &totals[w], &error);
    if (status != ARN_OK && w > 0) printf("%s: runs with %s, fails with %s\n", name, ways[0].name, ways[w].name), verdict = 0;
    if (status != ARN_OK || w == 0) continue;
    if (digests[w] != digests[0]) printf("%s: outputs differ with %s\n", name, ways[w].name), verdict = 0;
    if (totals[w].arena > totals[0].arena) printf("%s: %s takes more than greedy without sharing\n", name, ways[w].name), verdict = 0;
  }
  if (status == ARN_OK) {
    printf("%-50s greedy %10zu  host %10zu  all %10zu%s\n", name, totals[0].arena, totals[1].arena, totals[2].arena, totals[1].proven ? "  proven" : "");
  } else if (verdict) {
    printf("%s: not run: %s\n", name, error.message);
    verdict = -1;
  }
  fflush(stdout);
  arn_model_close(model);
  return verdict;
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0, skipped = 0;
  for (int i = 1; i < argc; i++) {
    int verdict = run_model(argv[i]);
    passed += verdict > 0, failed += verdict == 0, skipped += verdict < 0;
  }
  printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed != 0;
}
