// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of the fuzz corpora: small valid models, one for each part of the format that the verifier treats on its own.
//
//   make_seeds FOLDER
#include <stdio.h>

#include "unit/model_zoo.h"

static fb_ref seed_details(fb_builder *b) {
  fb_ref axes = fb_build_vector(b, (int32_t[]){0, 1}, 2, 4, 0);
  fb_build_table(b);
  fb_build_i32(b, MultiAxisQuantization_zero_points_id, -1, 0);
  fb_build_ref(b, MultiAxisQuantization_quantized_dimensions_id, axes);
  fb_ref details = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_u8(b, QuantizationParameters_details_type_id, QuantizationDetails_MultiAxisQuantization, 0);
  fb_build_ref(b, QuantizationParameters_details_id, details);
  return fb_build_table_end(b);
}

// 2 x 3, dense rows, compressed columns, four values.
static fb_ref seed_sparsity(fb_builder *b) {
  fb_ref values[2], levels[2];
  values[0] = fb_build_vector(b, (uint16_t[]){0, 1, 4}, 3, 2, 4);
  values[1] = fb_build_vector(b, (uint16_t[]){2, 0, 1, 2}, 4, 2, 4);
  for (int i = 0; i < 2; ++i) {
    fb_ref elements = values[i];
    fb_build_table(b);
    fb_build_ref(b, Uint16Vector_values_id, elements);
    values[i] = fb_build_table_end(b);
  }
  fb_build_table(b);
  fb_build_i32(b, DimensionMetadata_dense_size_id, 2, 0);
  levels[0] = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_i8(b, DimensionMetadata_format_id, DimensionType_SPARSE_CSR, 0);
  fb_build_u8(b, DimensionMetadata_array_segments_type_id, SparseIndexVector_Uint16Vector, 0);
  fb_build_ref(b, DimensionMetadata_array_segments_id, values[0]);
  fb_build_u8(b, DimensionMetadata_array_indices_type_id, SparseIndexVector_Uint16Vector, 0);
  fb_build_ref(b, DimensionMetadata_array_indices_id, values[1]);
  levels[1] = fb_build_table_end(b);
  fb_ref order = fb_build_vector(b, (int32_t[]){0, 1}, 2, 4, 0), all = fb_build_refs(b, levels, 2);
  fb_build_table(b);
  fb_build_ref(b, SparsityParameters_traversal_order_id, order);
  fb_build_ref(b, SparsityParameters_dim_metadata_id, all);
  return fb_build_table_end(b);
}

static int write_seed(const char *folder, const char *name, const zoo_model *m) {
  char path[4096];
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  if (zoo_build_model(m, &b, &bytes, &size) != ARN_OK) return fprintf(stderr, "%s cannot be built\n", name), 1;
  snprintf(path, sizeof path, "%s/%s.tflite", folder, name);
  FILE *file = fopen(path, "wb");
  int bad = !file || fwrite(bytes, 1, size, file) != size;
  if (file && fclose(file) != 0) bad = 1;
  if (bad) perror(path);
  fb_build_release(&b);
  return bad;
}

int main(int count, char **words) {
  if (count != 2) return fprintf(stderr, "usage: make_seeds FOLDER\n"), 2;
  int bad = 0;
  zoo_model m = zoo_model_plain();
  bad |= write_seed(words[1], "plain", &m);
  m.graphs[0].tensors[1].scales = m.graphs[0].tensors[1].zeros = 2;
  bad |= write_seed(words[1], "per_channel", &m);
  m.graphs[0].tensors[1].quantization = seed_details;
  bad |= write_seed(words[1], "multi_axis", &m);
  m = zoo_model_plain();
  m.graphs[0].tensors[1].sparsity = seed_sparsity;
  m.buffers[1].size = 16;
  bad |= write_seed(words[1], "sparse", &m);
  m = zoo_model_plain();
  const uint32_t strings[] = {2, 16, 17, 19, 0x00636261};
  m.graphs[0].tensors[1] = (zoo_tensor){.shape = {2}, .rank = 1, .type = TensorType_STRING, .buffer = 1};
  m.buffers[1] = (zoo_buffer){strings, sizeof strings, 0, 0, 0};
  bad |= write_seed(words[1], "strings", &m);
  m = zoo_model_plain();
  m.buffers[1] = (zoo_buffer){NULL, 0, 0, 64, sizeof zoo_weights};
  m.codes[1] = (zoo_code){BuiltinOperator_CUSTOM, "Mine"};
  m.graphs[0].operators[1].large_offset = 64;
  m.graphs[0].operators[1].large_size = 8;
  bad |= write_seed(words[1], "outside", &m);
  m = zoo_model_plain();
  m.codes[1] = (zoo_code){BuiltinOperator_IF, NULL};
  m.graph_count = 2;
  m.graphs[1] = m.graphs[0];
  m.graphs[0].operators[1].calls[0] = m.graphs[0].operators[1].calls[1] = 1;
  m.graphs[1].operator_count = 1;
  m.graphs[1].outputs[0] = 2;
  bad |= write_seed(words[1], "calls", &m);
  return bad;
}
