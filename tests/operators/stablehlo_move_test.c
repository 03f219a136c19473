// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD, _GATHER, _SCATTER, _CASE, _RNG_BIT_GENERATOR, and the text, hash and random operators: results worked out by
// hand.
#include "kernels/fingerprint.h"
#include "operators/op_cases.h"

typedef struct int64_fields {  // options that are int64 vectors and numbers
  struct {
    int id, count;  // count -1: the single number values[0]
    int64_t values[4];
  } field[6];
  int subgraph_id, subgraph;  // 0: none
} int64_fields;
static fb_ref write_int64_fields(fb_builder *b, const void *data) {
  const int64_fields *f = data;
  fb_ref vectors[6];
  for (int i = 0; i < 6; i++) {
    if (f->field[i].count > 0) vectors[i] = fb_build_vector(b, f->field[i].values, (uint32_t)f->field[i].count, 8, 0);
  }
  fb_build_table(b);
  for (int i = 0; i < 6; i++) {
    if (f->field[i].count > 0) fb_build_ref(b, (uint32_t)f->field[i].id, vectors[i]);
    if (f->field[i].count < 0) fb_build_i64(b, (uint32_t)f->field[i].id, f->field[i].values[0], INT64_MIN);
  }
  if (f->subgraph_id) fb_build_i32(b, (uint32_t)f->subgraph_id, f->subgraph, 0);
  return fb_build_table_end(b);
}
static fb_ref case_options(fb_builder *b, const void *data) {
  fb_ref branches = fb_build_vector(b, data, 3, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, StablehloCaseOptions_branch_subgraph_indices_id, branches);
  return fb_build_table_end(b);
}
static fb_ref rng_options(fb_builder *b, const void *data) {
  fb_build_table(b);
  fb_build_i8(b, StablehloRngBitGeneratorOptions_algorithm_id, *(const int8_t *)data, 0);
  return fb_build_table_end(b);
}
static fb_ref random_options(fb_builder *b, const void *data) {
  const int64_t *seeds = data;
  fb_build_table(b);
  fb_build_i64(b, RandomOptions_seed_id, seeds[0], 0);
  fb_build_i64(b, RandomOptions_seed2_id, seeds[1], 0);
  return fb_build_table_end(b);
}
static fb_ref skip_gram_options(fb_builder *b, const void *data) {
  const int *v = data;
  fb_build_table(b);
  fb_build_i32(b, SkipGramOptions_ngram_size_id, v[0], 0);
  fb_build_i32(b, SkipGramOptions_max_skip_size_id, v[1], 0);
  fb_build_bool(b, SkipGramOptions_include_all_ngrams_id, v[2] != 0, false);
  return fb_build_table_end(b);
}

// One node with StableHLO options on float inputs and int32 indices.
static void pad_at_edges_and_between(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3)),
      v = op_test_constant(&t, TensorType_FLOAT32, OP_SCALAR, (float[]){-1});
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_STABLEHLO_PAD, 1, OP_TENSORS(x, v), OP_TENSORS(y));
  const int64_fields fields = {.field = {{StablehloPadOptions_edge_padding_low_id, 2, {1, -1}},
                                         {StablehloPadOptions_edge_padding_high_id, 2, {0, 2}},
                                         {StablehloPadOptions_interior_padding_id, 2, {0, 1}}}};
  op_test_options_2(&t, BuiltinOptions2_StablehloPadOptions, write_int64_fields, &fields);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 2, 3, 4, 5, 6});
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(3, 6));
  op_test_expect_f32(&t, y, (float[]){-1, -1, -1, -1, -1, -1, -1, 2, -1, 3, -1, -1, -1, 5, -1, 6, -1, -1}, 18, 0);
  op_test_end(&t);
}

// Slices of 1 x 2 at (0, 1), and at (2, 2), which is moved inside to (2, 1).
static void gather_moves_slices_inside(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3, 3)), at = op_test_input(&t, TensorType_INT32, OP_DIMS(2, 2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 2));
  op_test_node(&t, BuiltinOperator_STABLEHLO_GATHER, 1, OP_TENSORS(x, at), OP_TENSORS(y));
  const int64_fields fields = {.field = {{StablehloGatherOptions_offset_dims_id, 1, {1}},
                                         {StablehloGatherOptions_collapsed_slice_dims_id, 1, {0}},
                                         {StablehloGatherOptions_start_index_map_id, 2, {0, 1}},
                                         {StablehloGatherOptions_slice_sizes_id, 2, {1, 2}},
                                         {StablehloGatherOptions_index_vector_dim_id, -1, {1}}}};
  op_test_options_2(&t, BuiltinOptions2_StablehloGatherOptions, write_int64_fields, &fields);
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 2, 3, 4, 5, 6, 7, 8, 9});
  op_test_set(&t, at, (int32_t[]){0, 1, 2, 2});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, (float[]){2, 3, 8, 9}, 4, 0);
  op_test_end(&t);
}

static void gather_slice_larger_than_its_dimension(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3)), at = op_test_input(&t, TensorType_INT32, OP_DIMS(1, 1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1, 4));
  op_test_node(&t, BuiltinOperator_STABLEHLO_GATHER, 1, OP_TENSORS(x, at), OP_TENSORS(y));
  const int64_fields fields = {.field = {{StablehloGatherOptions_offset_dims_id, 1, {1}},
                                         {StablehloGatherOptions_start_index_map_id, 1, {0}},
                                         {StablehloGatherOptions_slice_sizes_id, 1, {4}},
                                         {StablehloGatherOptions_index_vector_dim_id, -1, {1}}}};
  op_test_options_2(&t, BuiltinOptions2_StablehloGatherOptions, write_int64_fields, &fields);
  op_test_expect_refusal(&t, "slice size 4 does not fit dimension 0 of size 3");
  op_test_end(&t);
}

// Rows of updates go to rows 2, 0 and 7 (outside) of the input; the computation is subgraph 1, of one operator or none.
static void scatter_with(int32_t code, const float *want) {
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3, 2)), at = op_test_input(&t, TensorType_INT64, OP_DIMS(3, 1));
  int u = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(3, 2)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(3, 2));
  op_test_node(&t, BuiltinOperator_STABLEHLO_SCATTER, 1, OP_TENSORS(x, at, u), OP_TENSORS(y));
  const int64_fields fields = {.field = {{StablehloScatterOptions_update_window_dims_id, 1, {1}},
                                         {StablehloScatterOptions_inserted_window_dims_id, 1, {0}},
                                         {StablehloScatterOptions_scatter_dims_to_operand_dims_id, 1, {0}},
                                         {StablehloScatterOptions_index_vector_dim_id, -1, {1}}},
                               .subgraph_id = StablehloScatterOptions_update_computation_subgraph_index_id,
                               .subgraph = 1};
  op_test_options_2(&t, BuiltinOptions2_StablehloScatterOptions, write_int64_fields, &fields);
  op_test_subgraph(&t);
  int a = op_test_input(&t, TensorType_FLOAT32, OP_SCALAR), b = op_test_input(&t, TensorType_FLOAT32, OP_SCALAR);
  if (code < 0) {
    op_test_as_output(&t, b);
  } else {
    int c = op_test_output(&t, TensorType_FLOAT32, OP_SCALAR);
    op_test_node(&t, (enum BuiltinOperator)code, 1, OP_TENSORS(a, b), OP_TENSORS(c));
  }
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){1, 2, 3, 4, 5, 6});
  op_test_set(&t, at, (int64_t[]){2, 0, 7});
  op_test_set(&t, u, (float[]){10, 5, -1, 3, 100, 100});
  op_test_invoke(&t);
  op_test_expect_f32(&t, y, want, 6, 0);
  op_test_end(&t);
}
static void scatter_computes(void **state) {
  (void)state;
  scatter_with(-1, (float[]){-1, 3, 3, 4, 10, 5});
  scatter_with(BuiltinOperator_STABLEHLO_ADD, (float[]){0, 5, 3, 4, 15, 11});
  scatter_with(BuiltinOperator_STABLEHLO_MULTIPLY, (float[]){-1, 6, 3, 4, 50, 30});
  scatter_with(BuiltinOperator_STABLEHLO_MAXIMUM, (float[]){1, 3, 3, 4, 10, 6});
  scatter_with(BuiltinOperator_STABLEHLO_MINIMUM, (float[]){-1, 2, 3, 4, 5, 5});
}

// Three branches: x, x padded in front, x; an index outside takes the last one.
static void case_takes_a_branch(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int i = op_test_input(&t, TensorType_INT32, OP_DIMS(1)), x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_STABLEHLO_CASE, 1, OP_TENSORS(i, x), OP_TENSORS(y));
  op_test_options_2(&t, BuiltinOptions2_StablehloCaseOptions, case_options, (int32_t[]){1, 2, 1});
  op_test_subgraph(&t);
  op_test_as_output(&t, op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)));
  op_test_subgraph(&t);
  int in = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(1)), out = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2));
  int pads = op_test_constant(&t, TensorType_INT32, OP_DIMS(1, 2), (int32_t[]){1, 0});
  op_test_node(&t, BuiltinOperator_PAD, 1, OP_TENSORS(in, pads), OP_TENSORS(out));
  op_test_prepare(&t);
  op_test_set(&t, x, (float[]){7});
  for (int32_t branch = -1; branch < 4; branch++) {
    op_test_set(&t, i, &branch);
    op_test_invoke(&t);
    op_test_expect_f32(&t, y, branch == 1 ? (float[]){0, 7} : (float[]){7}, branch == 1 ? 2 : 1, 0);
  }
  op_test_end(&t);
}

// Key and counter of zeros: the published block, then the state counts on.
static void rng_bit_generator_counts(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int s = op_test_input(&t, TensorType_UINT64, OP_DIMS(3)), after = op_test_output(&t, TensorType_UINT64, OP_DIMS(3));
  int y = op_test_output(&t, TensorType_INT32, OP_DIMS(5));
  op_test_node(&t, BuiltinOperator_STABLEHLO_RNG_BIT_GENERATOR, 1, OP_TENSORS(s), OP_TENSORS(after, y));
  op_test_options_2(&t, BuiltinOptions2_StablehloRngBitGeneratorOptions, rng_options, (int8_t[]){RngAlgorithm_PHILOX});
  op_test_prepare(&t);
  op_test_set(&t, s, (uint64_t[]){0, 0, 0});
  op_test_invoke(&t);
  const TfLiteTensor *got = op_test_at(&t, y);
  assert_true(got->data.u32[0] == 0x6627E8D5u && got->data.u32[3] == 0x9B00DBD8u && got->data.u32[4] != 0x6627E8D5u);
  assert_true(op_test_at(&t, after)->data.u64[0] == 0 && op_test_at(&t, after)->data.u64[1] == 2);
  op_test_end(&t);
}

// The same seeds give the same numbers, which go on from one inference to the next; shares of classes come out about right.
static void random_numbers_repeat(void **state) {
  (void)state;
  float first[2][2][8];
  for (int model = 0; model < 2; model++) {
    op_test t;
    op_test_begin(&t);
    int shape = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){2, 4});
    int u = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 4)), n = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(2, 4));
    int logits = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(1, 3), (float[]){0, -100, 1.0986123f});  // shares 1 : 0 : 3
    int count = op_test_constant(&t, TensorType_INT32, OP_SCALAR, (int32_t[]){2000});
    int drawn = op_test_output(&t, TensorType_INT32, OP_DIMS(1, 2000));
    op_test_node(&t, BuiltinOperator_RANDOM_UNIFORM, 1, OP_TENSORS(shape), OP_TENSORS(u));
    op_test_options(&t, BuiltinOptions_RandomOptions, random_options, (int64_t[]){7, 11});
    op_test_node(&t, BuiltinOperator_RANDOM_STANDARD_NORMAL, 1, OP_TENSORS(shape), OP_TENSORS(n));
    op_test_options(&t, BuiltinOptions_RandomOptions, random_options, (int64_t[]){7, 11});
    op_test_node(&t, BuiltinOperator_MULTINOMIAL, 1, OP_TENSORS(logits, count), OP_TENSORS(drawn));
    op_test_options(&t, BuiltinOptions_RandomOptions, random_options, (int64_t[]){3, 4});
    op_test_prepare(&t);
    for (int run = 0; run < 2; run++) {
      op_test_invoke(&t);
      memcpy(first[model][run], op_test_at(&t, u)->data.f, sizeof first[0][0]);
      int hits[3] = {0, 0, 0};
      for (int i = 0; i < 2000; i++) {
        int32_t c = op_test_at(&t, drawn)->data.i32[i];
        assert_in_range(c, 0, 2);
        hits[c]++;
      }
      assert_int_equal(hits[1], 0);
      assert_in_range(hits[2], 1400, 1600);
    }
    op_test_end(&t);
  }
  assert_memory_equal(first[0], first[1], sizeof first[0]);
  assert_memory_not_equal(first[0][0], first[0][1], sizeof first[0][0]);
}

static const op_case text_and_hash_cases[] = {
    {.name = "skip_gram of two words, one skipped",
     .code = BuiltinOperator_SKIP_GRAM,
     .options_type = BuiltinOptions_SkipGramOptions,
     .options = skip_gram_options,
     .options_data = (const int[]){2, 1, 0},
     .in = {ARG_TEXT(ARG_D(1), "the quick brown fox")},
     .out = {ARG_TEXT(ARG_D(5), "the quick", "the brown", "quick brown", "quick fox", "brown fox")},
     .as_given = true},
    {.name = "skip_gram with single words",
     .code = BuiltinOperator_SKIP_GRAM,
     .options_type = BuiltinOptions_SkipGramOptions,
     .options = skip_gram_options,
     .options_data = (const int[]){2, 0, 1},
     .in = {ARG_TEXT(ARG_D(1), "a b")},
     .out = {ARG_TEXT(ARG_D(3), "a b", "a", "b")},
     .as_given = true},
};

static void custom_movers(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_INT8, OP_DIMS(2, 3)),
      words = op_test_strings(&t, OP_DIMS(3), (const char *[]){"a", "bb", ""}, 3);
  int shift = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){1, -1});
  int axis = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){0, 1});
  int shift1 = op_test_constant(&t, TensorType_INT64, OP_SCALAR, (int64_t[]){4}),
      axis1 = op_test_constant(&t, TensorType_INT64, OP_SCALAR, (int64_t[]){-1});
  int8_t entries[256];
  for (int i = 0; i < 256; i++) entries[i] = (int8_t)(uint8_t)(255 - i);
  int table = op_test_constant(&t, TensorType_INT8, OP_DIMS(256), entries);
  int16_t ramp[513];
  for (int i = 0; i < 513; i++) ramp[i] = (int16_t)((i - 256) * 100);
  int table16 = op_test_constant(&t, TensorType_INT16, OP_DIMS(513), ramp),
      x16 = op_test_constant(&t, TensorType_INT16, OP_DIMS(2), (int16_t[]){64, -129});
  int y = op_test_output(&t, TensorType_INT8, OP_DIMS(2, 3)), z = op_test_output(&t, TensorType_STRING, OP_DIMS(3));
  int w = op_test_output(&t, TensorType_INT8, OP_DIMS(2, 3)), v = op_test_output(&t, TensorType_INT16, OP_DIMS(2));
  op_test_custom(&t, "Roll", 1, NULL, 0, OP_TENSORS(x, shift, axis), OP_TENSORS(y));
  op_test_custom(&t, "Roll", 1, NULL, 0, OP_TENSORS(words, shift1, axis1), OP_TENSORS(z));
  op_test_custom(&t, "Table", 1, NULL, 0, OP_TENSORS(x, table), OP_TENSORS(w));
  op_test_custom(&t, "Table", 1, NULL, 0, OP_TENSORS(x16, table16), OP_TENSORS(v));
  op_test_prepare(&t);
  op_test_set(&t, x, (int8_t[]){1, 2, 3, 4, 5, -6});
  op_test_invoke(&t);
  op_test_expect_i8(&t, y, (int8_t[]){5, -6, 4, 2, 3, 1}, 6);
  op_test_expect_strings(&t, z, (const char *[]){"", "a", "bb"}, 3);
  op_test_expect_i8(&t, w, (int8_t[]){-2, -3, -4, -5, -6, 5}, 6);
  op_test_expect_i16(&t, v, (int16_t[]){50, -101}, 2);  // half-way between entries; 1/128 below one
  op_test_end(&t);
}

// Two hashes of two bits over one row: the bits must be those of the fingerprints' signs.
static void lsh_projection_takes_signs(void **state) {
  (void)state;
  static const float seeds[4] = {0.5f, -1, 2, 7};
  const int32_t row = 1234;
  int32_t bits[4];
  for (int i = 0; i < 4; i++) {
    uint8_t key[8];
    memcpy(key, &seeds[i], 4);
    memcpy(key + 4, &row, 4);
    bits[i] = (int64_t)fingerprint_64(key, 8) > 0;
  }
  for (int dense = 0; dense < 2; dense++) {
    op_test t;
    op_test_begin(&t);
    int hash = op_test_constant(&t, TensorType_FLOAT32, OP_DIMS(2, 2), seeds),
        x = op_test_input(&t, TensorType_INT32, OP_DIMS(1));
    int y = op_test_output(&t, TensorType_INT32, OP_DIMS(1));
    op_test_node(&t, BuiltinOperator_LSH_PROJECTION, 1, OP_TENSORS(hash, x), OP_TENSORS(y));
    op_test_options(&t, BuiltinOptions_LSHProjectionOptions, op_fields_i8,
                    OP_FIELDS({LSHProjectionOptions_type_id, dense ? LSHProjectionType_DENSE : LSHProjectionType_SPARSE}));
    op_test_prepare(&t);
    op_test_set(&t, x, &row);
    op_test_invoke(&t);
    if (dense)
      op_test_expect_i32(&t, y, bits, 4);
    else
      op_test_expect_i32(&t, y, (int32_t[]){2 * bits[0] + bits[1], 4 + 2 * bits[2] + bits[3]}, 2);
    op_test_end(&t);
  }
}

static void skip_grams(void **state) {
  (void)state;
  op_cases_run(text_and_hash_cases, sizeof text_and_hash_cases / sizeof *text_and_hash_cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pad_at_edges_and_between),
      cmocka_unit_test(gather_moves_slices_inside),
      cmocka_unit_test(gather_slice_larger_than_its_dimension),
      cmocka_unit_test(scatter_computes),
      cmocka_unit_test(case_takes_a_branch),
      cmocka_unit_test(rng_bit_generator_counts),
      cmocka_unit_test(random_numbers_repeat),
      cmocka_unit_test(custom_movers),
      cmocka_unit_test(lsh_projection_takes_signs),
      cmocka_unit_test(skip_grams),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
