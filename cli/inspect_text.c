// SPDX-License-Identifier: Apache-2.0
// `arenite inspect` as text.
#include "inspect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "term.h"
#include "text.h"
#include "views.h"

// A section's heading; count -1: none.
static void section(const char *name, int64_t count) {
  printf("\n%s%s", term_begin(stdout, TERM_ACCENT), name);
  if (count >= 0) printf(" (%lld)", (long long)count);
  printf("%s\n", term_end(stdout, TERM_ACCENT));
}

static void fact(const char *name, const char *value) {
  if (!value || !*value) return;
  char *clean = text_copy(value, strlen(value), 1);
  printf("%-20s %s\n", name, clean);
  free(clean);
}

static void show_head(const inspect_source *source) {
  char bytes[TEXT_NUMBER], exact[TEXT_NUMBER];
  const arn_model_info *info = &source->info;
  fact("file", source->path);
  printf("%-20s %s (%s bytes)\n", "size", text_bytes(bytes, info->file_size), text_count(exact, info->file_size));
  printf("%-20s %u\n", "schema version", info->schema_version);
  fact("description", info->description);
  fact("needs runtime", info->min_runtime_version);
  printf("%-20s %u, operator codes %u, buffers %u, signatures %u, metadata entries %u\n", "subgraphs", info->subgraphs,
         info->operator_codes, info->buffers, info->signatures, info->metadata_entries);
  if (info->copied_bytes) printf("%-20s %s bytes\n", "misaligned constants", text_count(exact, info->copied_bytes));
}

static void show_codes(const inspect_source *source) {
  static const char *const headers[] = {">index", ">code", "operator", ">version", ">used"};
  uint32_t *used = command_alloc(source->info.operator_codes, sizeof *used);
  arn_subgraph_info subgraph;
  arn_operator_info op;
  for (uint32_t s = 0; arn_model_subgraph(source->model, s, &subgraph) == ARN_OK; s++)
    for (uint32_t i = 0; i < subgraph.operators; i++)
      if (arn_model_operator(source->model, s, i, &op) == ARN_OK && op.code < source->info.operator_codes) used[op.code]++;
  section("Operator codes", source->info.operator_codes);
  table *t = table_create(5, headers);
  arn_operator_code_info code;
  for (uint32_t i = 0; arn_model_operator_code(source->model, i, &code) == ARN_OK; i++) {
    table_cell(t, "%u", i);
    table_cell(t, "%d", code.builtin);
    table_cell(t, *code.custom_name ? "%s (custom)" : "%s", views_operator_name(&code));
    table_cell(t, "%d", code.version);
    table_cell(t, "%u", used[i]);
    table_end_row(t);
  }
  table_print(t, stdout);
  table_destroy(t);
  free(used);
}

static void list_fact(const char *name, arn_view list) {
  char *text = views_list(list);
  fact(name, text);
  free(text);
}

static void show_tensors(const inspect_source *source, uint32_t s, const arn_subgraph_info *subgraph) {
  static const char *const headers[] = {">tensor",           "type", "shape", "role", ">bytes", ">buffer", ">at byte",
                                        "scale, zero point", "name"};
  section("Tensors", subgraph->tensors);
  table *t = table_create(9, headers);
  arn_tensor_info tensor;
  for (uint32_t i = 0; arn_model_tensor(source->model, s, i, &tensor) == ARN_OK; i++) {
    char *shape = views_shape(&tensor), *quantisation = views_quantisation(&tensor);
    table_cell(t, "%u", i);
    if (*tensor.type_name)
      table_cell(t, "%s", tensor.type_name);
    else
      table_cell(t, "type %d", tensor.type);
    table_cell(t, "%s", shape);
    table_cell(t, "%s", views_role(subgraph, i, &tensor));
    char bytes[TEXT_NUMBER];
    table_cell(t, "%s", tensor.data ? text_count(bytes, tensor.size) : "");
    table_cell(t, "%u", tensor.buffer);
    if (tensor.data && tensor.data_offset >= 0)
      table_cell(t, "%lld", (long long)tensor.data_offset);
    else
      table_cell(t, "%s", "");
    table_cell(t, "%s", quantisation);
    table_cell(t, "%s", tensor.name);
    table_end_row(t);
    free(shape);
    free(quantisation);
  }
  table_print(t, stdout);
  table_destroy(t);
}

static void show_operators(const inspect_source *source, uint32_t s, const arn_subgraph_info *subgraph) {
  static const char *const headers[] = {">node", "operator", ">version", "inputs", "outputs", "options"};
  section("Operators", subgraph->operators);
  table *t = table_create(6, headers);
  arn_operator_info op;
  for (uint32_t i = 0; arn_model_operator(source->model, s, i, &op) == ARN_OK; i++) {
    char *inputs = views_list(op.inputs), *outputs = views_list(op.outputs), *options = views_options(source->model, s, i);
    table_cell(t, "%u", i);
    table_cell(t, "%s", views_operator_name(&op.kind));
    table_cell(t, "%d", op.kind.version);
    table_cell(t, "%s", inputs);
    table_cell(t, "%s", outputs);
    table_cell(t, "%s", options);
    table_end_row(t);
    free(inputs);
    free(outputs);
    free(options);
  }
  table_print(t, stdout);
  table_destroy(t);
}

static void show_subgraphs(const inspect_source *source, unsigned sections) {
  arn_subgraph_info subgraph;
  for (uint32_t s = 0; arn_model_subgraph(source->model, s, &subgraph) == ARN_OK; s++) {
    char title[32];
    snprintf(title, sizeof title, "Subgraph %u", s);
    section(title, -1);
    fact("name", subgraph.name);
    list_fact("inputs", subgraph.inputs);
    list_fact("outputs", subgraph.outputs);
    if (sections & INSPECT_TENSORS) show_tensors(source, s, &subgraph);
    if (sections & INSPECT_OPERATORS) show_operators(source, s, &subgraph);
  }
}

static void signature_rows(const inspect_source *source, table *t, uint32_t index, const arn_signature_info *signature) {
  for (uint32_t side = 0; side < 2; side++)
    for (uint32_t i = 0; i < (side ? signature->outputs : signature->inputs); i++) {
      const char *name = "";
      uint32_t tensor = 0;
      arn_tensor_info info;
      arn_status status = side ? arn_model_signature_output(source->model, index, i, &name, &tensor)
                               : arn_model_signature_input(source->model, index, i, &name, &tensor);
      if (status != ARN_OK || arn_model_tensor(source->model, signature->subgraph, tensor, &info) != ARN_OK) continue;
      char *shape = views_shape(&info);
      table_cell(t, "%s", signature->key);
      table_cell(t, "%u", signature->subgraph);
      table_cell(t, "%s", side ? "output" : "input");
      table_cell(t, "%s", name);
      table_cell(t, "%u", tensor);
      table_cell(t, "%s", info.type_name);
      table_cell(t, "%s", shape);
      table_end_row(t);
      free(shape);
    }
}

static void show_signatures(const inspect_source *source) {
  static const char *const headers[] = {"signature", ">subgraph", "", "name", ">tensor", "type", "shape"};
  if (source->info.signatures == 0) return;
  section("Signatures", source->info.signatures);
  table *t = table_create(7, headers);
  arn_signature_info signature;
  for (uint32_t i = 0; arn_model_signature(source->model, i, &signature) == ARN_OK; i++) signature_rows(source, t, i, &signature);
  table_print(t, stdout);
  table_destroy(t);
}

static void show_about_tensors(const char *side, const packed_tensor *tensors, int count) {
  for (int i = 0; i < count; i++) {
    const packed_tensor *tensor = &tensors[i];
    printf("%-20s %d '%s'", side, i, tensor->name ? tensor->name : "");
    if (tensor->image) printf(", %s picture", tensor->grey ? "grey" : "colour");
    if (tensor->sample_rate) printf(", sound at %d Hz", tensor->sample_rate);
    for (int n = 0; n < tensor->norm_count; n++) printf("%s%g/%g", n ? ", " : ", mean/std ", tensor->mean[n], tensor->std[n]);
    for (int f = 0; f < tensor->file_count; f++)
      printf(", file '%s'%s%s", tensor->files[f].name ? tensor->files[f].name : "", tensor->files[f].locale ? " for " : "",
             tensor->files[f].locale ? tensor->files[f].locale : "");
    printf("\n");
    fact("", tensor->description);
  }
}

static void show_metadata(const inspect_source *source) {
  static const char *const headers[] = {">entry", "name", ">buffer", ">bytes", "begins"};
  if (source->info.metadata_entries) {
    section("Metadata", source->info.metadata_entries);
    table *t = table_create(5, headers);
    arn_metadata_info entry;
    for (uint32_t i = 0; arn_model_metadata(source->model, i, &entry) == ARN_OK; i++) {
      char *begins = entry.data ? text_copy(entry.data, entry.size < 24 ? (size_t)entry.size : 24, 1) : command_text("%s", "");
      bool printable = strspn(begins, "?") == 0 && *begins && !strstr(begins, "\xEF\xBF\xBD");
      size_t length = strlen(begins);
      while (length && begins[length - 1] == '?') begins[--length] = '\0';
      table_cell(t, "%u", i);
      table_cell(t, "%s", entry.name);
      table_cell(t, "%u", entry.buffer);
      table_cell(t, "%llu", (unsigned long long)entry.size);
      table_cell(t, "%s", printable && !strchr(begins, '?') ? begins : "");
      table_end_row(t);
      free(begins);
    }
    table_print(t, stdout);
    table_destroy(t);
  }
  const packed *about = &source->about;
  if (about->input_count || about->output_count || about->name || about->description) {
    section("Metadata record (TFLITE_METADATA)", -1);
    fact("name", about->name);
    fact("description", about->description);
    fact("version", about->version);
    fact("author", about->author);
    fact("license", about->license);
    show_about_tensors("input", about->inputs, about->input_count);
    show_about_tensors("output", about->outputs, about->output_count);
  }
  for (int i = 0; source->packed[i]; i++) fact(i ? "" : "packed files", source->packed[i]);
}

static void show_buffers(const inspect_source *source) {
  static const char *const headers[] = {">buffer", ">bytes", ">at byte", ""};
  section("Buffers", source->info.buffers);
  table *t = table_create(4, headers);
  arn_buffer_info buffer;
  unsigned empty = 0;
  for (uint32_t i = 0; arn_model_buffer(source->model, i, &buffer) == ARN_OK; i++) {
    char bytes[TEXT_NUMBER];
    if (!buffer.data) {
      empty++;
      continue;
    }
    table_cell(t, "%u", i);
    table_cell(t, "%s", text_count(bytes, buffer.size));
    table_cell(t, "%lld", (long long)buffer.file_offset);
    table_cell(t, "%s", buffer.outside ? "behind the FlatBuffer" : "");
    table_end_row(t);
  }
  if (table_rows(t)) table_print(t, stdout);
  if (empty) printf("and %u empty ones\n", empty);
  table_destroy(t);
}

static void show_sizes(const inspect_source *source) {
  static const char *const headers[] = {"what", ">count", ">bytes", ">share"};
  section("Sizes", -1);
  int count;
  inspect_size *sizes = inspect_sizes(source, &count);
  table *t = table_create(4, headers);
  for (int i = 0; i < count; i++) {
    char bytes[TEXT_NUMBER];
    table_cell(t, "%s", sizes[i].what);
    if (sizes[i].count)
      table_cell(t, "%u", sizes[i].count);
    else
      table_cell(t, "%s", "");
    table_cell(t, "%s", text_count(bytes, sizes[i].bytes));
    table_cell(t, "%.1f%%", source->info.file_size ? 100.0 * (double)sizes[i].bytes / (double)source->info.file_size : 0);
    table_end_row(t);
  }
  table_print(t, stdout);
  table_destroy(t);
  free(sizes);
}

void inspect_text(const inspect_source *source, unsigned sections) {
  if (sections & INSPECT_HEAD) show_head(source);
  if (sections & INSPECT_CODES) show_codes(source);
  if (sections & (INSPECT_TENSORS | INSPECT_OPERATORS)) show_subgraphs(source, sections);
  if (sections & INSPECT_SIGNATURES) show_signatures(source);
  if (sections & INSPECT_METADATA) show_metadata(source);
  if (sections & INSPECT_BUFFERS) show_buffers(source);
  if (sections & INSPECT_SIZES) show_sizes(source);
}
