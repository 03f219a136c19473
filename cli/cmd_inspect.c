// SPDX-License-Identifier: Apache-2.0
// arenite inspect: everything that a model file holds.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "inspect.h"
#include "views.h"

static const char inspect_help[] =
    "Usage: arenite inspect MODEL [OPTION...]\n"
    "\n"
    "Shows everything that a model file holds. Sections:\n"
    "  head        size, schema version, description\n"
    "  codes       the kinds of operators, with versions\n"
    "  tensors     shape, type, quantisation, buffer, role of each\n"
    "  operators   inputs, outputs, options of each\n"
    "  signatures  named inputs and outputs\n"
    "  metadata    entries, the metadata record, packed files\n"
    "  buffers     where the constants lie\n"
    "  sizes       what the file's bytes are spent on\n"
    "\n"
    "      --only SECTION[,...]   these sections only\n"
    "      --extract FILE         write the packed file of that name to standard output\n"
    "  -j, --json                 print JSON\n"
    "  -h, --help\n"
    "\n"
    "Examples:\n"
    "  arenite inspect model.tflite\n"
    "  arenite inspect model.tflite --only operators,sizes\n"
    "  arenite inspect labeler.tflite --extract labels.txt > labels.txt\n";

static const char *const section_names[] = {"head",     "codes",   "tensors", "operators", "signatures",
                                            "metadata", "buffers", "sizes",   NULL};

static int size_order(const void *a, const void *b) {
  uint64_t x = ((const inspect_size *)a)->bytes, y = ((const inspect_size *)b)->bytes;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void size_add(inspect_size *sizes, int *count, const char *what, uint64_t bytes) {
  int i = 0;
  while (i < *count && strcmp(sizes[i].what, what)) i++;
  if (i == *count) sizes[(*count)++].what = what;
  sizes[i].count++;
  sizes[i].bytes += bytes;
}

enum { SIZE_KINDS = 64 };

inspect_size *inspect_sizes(const inspect_source *source, int *count) {
  inspect_size *sizes = command_alloc(SIZE_KINDS, sizeof *sizes);
  bool *seen = command_alloc(source->info.buffers, sizeof *seen);
  uint64_t named = 0;
  *count = 0;
  arn_tensor_info tensor;
  arn_subgraph_info subgraph;
  arn_metadata_info entry;
  for (uint32_t s = 0; arn_model_subgraph(source->model, s, &subgraph) == ARN_OK; s++)
    for (uint32_t i = 0; arn_model_tensor(source->model, s, i, &tensor) == ARN_OK; i++) {
      if (!tensor.data || tensor.data_offset < 0 || tensor.buffer >= source->info.buffers || seen[tensor.buffer]) continue;
      seen[tensor.buffer] = true;
      size_add(sizes, count, *count < SIZE_KINDS - 3 && *tensor.type_name ? tensor.type_name : "other constants", tensor.size);
      named += tensor.size;
    }
  for (uint32_t i = 0; arn_model_metadata(source->model, i, &entry) == ARN_OK; i++) {
    if (!entry.data || entry.buffer >= source->info.buffers || seen[entry.buffer]) continue;
    seen[entry.buffer] = true;
    size_add(sizes, count, "metadata", entry.size);
    named += entry.size;
  }
  qsort(sizes, (size_t)*count, sizeof *sizes, size_order);
  if (source->info.file_size > named)
    sizes[(*count)++] = (inspect_size){"structure, names, padding, packed files", 0, source->info.file_size - named};
  free(seen);
  return sizes;
}

static bool read_sections(char *text, unsigned *sections) {
  *sections = 0;
  for (char *name = strtok(text, ","); name; name = strtok(NULL, ",")) {
    int section = command_choice("--only", name, section_names);
    if (section < 0) return false;
    *sections |= 1u << section;
  }
  if (*sections == 0) command_misused("--only wants at least one section");
  return *sections != 0;
}

static int extract_packed(const char *path, const char *name) {
  failure why;
  uint8_t *bytes;
  size_t size;
  if (!packed_extract(path, name, &bytes, &size, &why)) return command_failed("%s", why.text);
  bool good = fwrite(bytes, 1, size, stdout) == size;
  free(bytes);
  return good ? COMMAND_OK : command_failed("cannot write the output");
}

static int inspect_model(const char *path, unsigned sections, bool json) {
  inspect_source source = {.path = path};
  arn_error error = {.byte = -1};
  arn_model *model;
  failure why;
  arn_status status = arn_model_open_file(path, 0, &model, &error);
  if (status != ARN_OK) {
    failure_from(&why, status, &error);
    return command_failed("%s: %s", path, why.text);
  }
  source.model = model;
  arn_model_describe(model, &source.info);
  arn_metadata_info record;
  if (arn_model_metadata_find(model, "TFLITE_METADATA", &record) == ARN_OK &&
      !packed_parse(record.data, (size_t)record.size, &source.about, &why))
    command_note("%s: %s", path, why.text);
  source.packed = packed_list(path);
  int code = COMMAND_OK;
  if (json)
    code = inspect_json(&source, sections);
  else
    inspect_text(&source, sections);
  packed_free_names(source.packed);
  packed_release(&source.about);
  arn_model_close(model);
  return code;
}

int cmd_inspect(int argc, char **argv) {
  static const struct option options[] = {{"only", required_argument, NULL, 'o'},
                                          {"extract", required_argument, NULL, 'x'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
  unsigned sections = INSPECT_ALL;
  const char *extract = NULL;
  bool json = false;
  int option;
  while ((option = getopt_long(argc, argv, "jh", options, NULL)) != -1) switch (option) {
      case '?': return command_misused_option();
      case 'h': return fputs(inspect_help, stdout), COMMAND_OK;
      case 'x': extract = optarg; break;
      case 'o':
        if (!read_sections(optarg, &sections)) return COMMAND_MISUSED;
        break;
      default: json = true; break;
    }
  if (optind != argc - 1) return command_misused("give one model: arenite inspect MODEL");
  return extract ? extract_packed(argv[optind], extract) : inspect_model(argv[optind], sections, json);
}
