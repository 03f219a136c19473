// SPDX-License-Identifier: Apache-2.0
// arenite verify: whether model files are sound.
#include <getopt.h>
#include <stdio.h>

#include "arenite/model.h"
#include "command.h"
#include "json.h"
#include "term.h"
#include "text.h"

static const char verify_help[] =
    "Usage: arenite verify FILE... [OPTION...]\n"
    "\n"
    "Checks model files as every other command does before it uses one: the FlatBuffer's structure (offsets, tables,\n"
    "vectors, strings), then its meaning (indices, sizes, order, quantisation, sparsity, calls between subgraphs). Says\n"
    "what is wrong, where, and at which byte. Whether there are kernels for the operators is told by 'arenite ops FILE'.\n"
    "\n"
    "  -q, --quiet                print damaged files only\n"
    "  -j, --json                 print JSON\n"
    "  -h, --help\n"
    "\n"
    "Exit code 1 when a file is damaged.\n"
    "\n"
    "Example:\n"
    "  arenite verify models/*.tflite\n";

static void verify_json(cJSON *array, const char *path, arn_status status, const arn_error *error, const arn_model_info *info) {
  cJSON *item = json_add_object(array, NULL);
  json_add_text(item, "file", path);
  json_add_bool(item, "sound", status == ARN_OK);
  if (status == ARN_OK) {
    json_add_size(item, "bytes", info->file_size);
    json_add_size(item, "subgraphs", info->subgraphs);
    return;
  }
  json_add_text(item, "status", arn_status_text(status));
  json_add_text(item, "message", error->message);
  if (error->byte >= 0) json_add_int(item, "byte", error->byte);
  if (error->subgraph >= 0) json_add_int(item, "subgraph", error->subgraph);
  if (error->node >= 0) json_add_int(item, "node", error->node);
  if (error->tensor >= 0) json_add_int(item, "tensor", error->tensor);
}

static void verify_text(const char *path, arn_status status, const arn_error *error, const arn_model *model, bool quiet) {
  bool good = status == ARN_OK;
  if (good && quiet) return;
  term_style style = good ? TERM_GOOD : TERM_BAD;
  printf("%s%s%s  ", term_begin(stdout, style), good ? "sound  " : "damaged", term_end(stdout, style));
  if (!good) {
    failure why;
    failure_from(&why, status, error);
    text_clean(why.text);
    printf("%s: %s\n", path, why.text);
    return;
  }
  arn_model_info info;
  arn_model_describe(model, &info);
  uint64_t tensors = 0, operators = 0;
  arn_subgraph_info subgraph;
  for (uint32_t i = 0; arn_model_subgraph(model, i, &subgraph) == ARN_OK; i++) {
    tensors += subgraph.tensors;
    operators += subgraph.operators;
  }
  char bytes[TEXT_NUMBER];
  printf("%s: %s, %u subgraph%s, %llu operators, %llu tensors\n", path, text_bytes(bytes, info.file_size), info.subgraphs,
         info.subgraphs == 1 ? "" : "s", (unsigned long long)operators, (unsigned long long)tensors);
}

int cmd_verify(int argc, char **argv) {
  static const struct option options[] = {
      {"quiet", no_argument, NULL, 'q'}, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
  bool quiet = false, json = false;
  int option;
  while ((option = getopt_long(argc, argv, "qjh", options, NULL)) != -1) {
    if (option == '?') return command_misused_option();
    if (option == 'h') return fputs(verify_help, stdout), COMMAND_OK;
    if (option == 'q') quiet = true;
    if (option == 'j') json = true;
  }
  if (optind == argc) return command_misused("give one or more files: arenite verify FILE...");
  cJSON *array = json ? json_array() : NULL;
  int damaged = 0;
  term_progress progress;
  term_progress_begin(&progress, "verifying", (uint64_t)(argc - optind));
  for (int i = optind; i < argc; i++) {
    arn_error error = {.subgraph = -1, .node = -1, .tensor = -1, .byte = -1};
    arn_model *model;
    arn_model_info info = {0};
    arn_status status = arn_model_open_file(argv[i], ARN_MODEL_NO_COPY, &model, &error);
    if (status == ARN_OK) arn_model_describe(model, &info);
    damaged += status != ARN_OK;
    if (json || quiet) term_progress_step(&progress, (uint64_t)(i - optind));
    if (json)
      verify_json(array, argv[i], status, &error, &info);
    else
      verify_text(argv[i], status, &error, model, quiet);
    arn_model_close(model);
  }
  term_progress_end(&progress);
  if (json && json_print(array) != COMMAND_OK) return COMMAND_FAILED;
  return damaged ? COMMAND_FAILED : COMMAND_OK;
}
