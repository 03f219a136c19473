// SPDX-License-Identifier: Apache-2.0
// model: opening in place, odd addresses, copies of misaligned constants, getters, files, failing allocations.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "model/model.h"
#include "unit/model_zoo.h"

typedef struct built {
  fb_builder builder;
  const uint8_t *bytes;
  size_t size;
} built;

static built build(const zoo_model *m) {
  built b;
  assert_int_equal(zoo_build_model(m, &b.builder, &b.bytes, &b.size), ARN_OK);
  return b;
}

static arn_model *open_or_fail(const void *bytes, size_t size, unsigned flags) {
  arn_model *model;
  arn_error error;
  if (arn_model_open_buffer(bytes, size, flags, arn_heap(), &model, &error) != ARN_OK) fail_msg("%s", error.message);
  return model;
}

static void constants_are_used_in_place(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  built b = build(&m);
  arn_model *model = open_or_fail(b.bytes, b.size, 0);
  arn_tensor_info tensor;
  assert_int_equal(arn_model_tensor(model, 0, 1, &tensor), ARN_OK);
  assert_true((const uint8_t *)tensor.data > b.bytes && (const uint8_t *)tensor.data < b.bytes + b.size);
  assert_memory_equal(tensor.data, zoo_weights, sizeof zoo_weights);
  assert_int_equal(tensor.size, sizeof zoo_weights);
  assert_ptr_equal(tensor.data, b.bytes + tensor.data_offset);
  arn_model_info info;
  arn_model_describe(model, &info);
  assert_int_equal(info.copied_bytes, 0);
  arn_model_close(model);
  arn_model_close(NULL);
  fb_build_release(&b.builder);
}

// At every address the constants read as they should; when the address is not right for floats they are copied, once.
static void any_address_will_do(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  m.graphs[0].tensors[4] = m.graphs[0].tensors[1];  // two tensors on the same buffer: still one copy
  m.graphs[0].tensor_count = 5;
  built b = build(&m);
  uint8_t *room = malloc(b.size + 16);
  for (size_t shift = 0; shift < 16; ++shift) {
    memcpy(room + shift, b.bytes, b.size);
    arn_model *model = open_or_fail(room + shift, b.size, 0);
    arn_model_info info;
    arn_model_describe(model, &info);
    assert_int_equal(info.copied_bytes, shift % 4 ? sizeof zoo_weights : 0);
    for (uint32_t t = 1; t <= 4; t += 3) {
      model_bytes data = model_tensor_data(model, model_tensor(model, 0, t));
      assert_int_equal((uintptr_t)data.data % 4, 0);
      assert_memory_equal(data.data, zoo_weights, sizeof zoo_weights);
    }
    arn_model_close(model);
    model = open_or_fail(room + shift, b.size, ARN_MODEL_NO_COPY);
    arn_model_describe(model, &info);
    assert_int_equal(info.copied_bytes, 0);
    arn_model_close(model);
  }
  free(room);
  fb_build_release(&b.builder);
}

// A constant may also be misaligned inside a well-placed file: int64 values in a buffer that is 4-aligned only.
static void misaligned_constants_are_copied_or_named(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  const int64_t wide[3] = {1, -2, 3};
  m.graphs[0].tensors[1] = (zoo_tensor){.shape = {3}, .rank = 1, .type = TensorType_INT64, .buffer = 1};
  for (uint32_t filler = 4; filler <= 8; filler += 4) {  // one of the two leaves it at 4 modulo 8
    m.buffers[1] = (zoo_buffer){wide, sizeof wide, 4, 0, 0};
    m.buffers[2] = (zoo_buffer){"greeting", filler, 0, 0, 0};
    built b = build(&m);
    arn_model model;
    assert_int_equal(model_init(&model, b.bytes, b.size, NULL), ARN_OK);
    bool misaligned = (uintptr_t)model_tensor_data(&model, model_tensor(&model, 0, 1)).data % 8 != 0;
    arn_error error = {.status = ARN_OK};
    // Without an allocator the tensor is named.
    assert_int_equal(model_align_constants(&model, &error), misaligned ? ARN_UNSUPPORTED : ARN_OK);
    if (misaligned) {
      assert_true(error.subgraph == 0 && error.tensor == 1);
      assert_non_null(strstr(error.message, "not aligned for INT64"));
    }
    model.allocator = host_heap();
    assert_int_equal(model_align_constants(&model, &error), ARN_OK);
    assert_int_equal(model.copied_bytes, misaligned ? sizeof wide : 0);
    model_bytes data = model_tensor_data(&model, model_tensor(&model, 0, 1));
    assert_int_equal((uintptr_t)data.data % 8, 0);
    assert_memory_equal(data.data, wide, sizeof wide);
    model_release(&model);
    fb_build_release(&b.builder);
  }
}

// A micro target opens a model with no more memory than the record.
static void a_model_needs_no_heap(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  built b = build(&m);
  arn_model record;
  assert_int_equal(model_init(&record, b.bytes, b.size, NULL), ARN_OK);
  assert_int_equal(model_subgraph_count(&record), 1);
  fb_table op = model_operator(&record, 0, 1);
  assert_int_equal(model_operator_builtin(&record, op), BuiltinOperator_RELU);
  assert_int_equal(model_operator_version(&record, op), 1);
  assert_false(fb_present(model_operator_options(&record, op)));
  fb_build_release(&b.builder);
}

static void getters_tell_what_is_there(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  m.codes[0].builtin = BuiltinOperator_STABLEHLO_CASE;  // does not fit the old field
  m.codes[1] = (zoo_code){BuiltinOperator_CUSTOM, "Mine"};
  m.graphs[0].tensors[1].scales = m.graphs[0].tensors[1].zeros = 2;
  m.graphs[0].tensors[2].dimension = 9;
  built b = build(&m);
  arn_model *model = open_or_fail(b.bytes, b.size, 0);

  arn_model_info info;
  arn_model_describe(model, &info);
  assert_int_equal(info.schema_version, 3);
  assert_string_equal(info.description, "a small model");
  assert_string_equal(info.min_runtime_version, "");
  assert_int_equal(info.file_size, b.size);
  assert_true(info.subgraphs == 1 && info.operator_codes == 2 && info.buffers == 3 && info.signatures == 1 &&
              info.metadata_entries == 1);

  arn_operator_code_info code;
  assert_int_equal(arn_model_operator_code(model, 0, &code), ARN_OK);
  assert_string_equal(code.name, "STABLEHLO_CASE");
  assert_string_equal(code.custom_name, "");
  assert_int_equal(arn_model_operator_code(model, 1, &code), ARN_OK);
  assert_string_equal(code.custom_name, "Mine");
  assert_int_equal(arn_model_operator_code(model, 2, &code), ARN_NOT_FOUND);

  arn_subgraph_info graph;
  assert_int_equal(arn_model_subgraph(model, 0, &graph), ARN_OK);
  assert_true(graph.tensors == 4 && graph.operators == 2 && graph.inputs.count == 1 && graph.outputs.count == 1);
  assert_int_equal(arn_view_int(graph.outputs, 0), 3);
  assert_string_equal(graph.name, "");

  arn_tensor_info tensor;
  assert_int_equal(arn_model_tensor(model, 0, 1, &tensor), ARN_OK);
  assert_string_equal(tensor.name, "tensor");
  assert_string_equal(tensor.type_name, "FLOAT32");
  assert_true(tensor.shape.count == 2 && arn_view_int(tensor.shape, 0) == 2 && arn_view_int(tensor.shape, 1) == 3);
  assert_true(tensor.scales.count == 2 && arn_view_float(tensor.scales, 1) == 2.0);
  assert_true(tensor.zero_points.count == 2 && arn_view_int(tensor.zero_points, 1) == 0);
  assert_int_equal(arn_model_tensor(model, 0, 3, &tensor), ARN_OK);
  assert_true(tensor.data == NULL && tensor.data_offset == -1 && tensor.size == 0);
  assert_int_equal(arn_model_tensor(model, 0, 4, &tensor), ARN_NOT_FOUND);
  assert_int_equal(arn_model_tensor(model, 1, 0, &tensor), ARN_NOT_FOUND);

  arn_operator_info op;
  assert_int_equal(arn_model_operator(model, 0, 0, &op), ARN_OK);
  assert_int_equal(op.inputs.count, 3);
  assert_int_equal(arn_view_int(op.inputs, 2), -1);
  assert_string_equal(op.options, "");
  assert_int_equal(arn_model_operator(model, 0, 2, &op), ARN_NOT_FOUND);

  arn_buffer_info buffer;
  assert_int_equal(arn_model_buffer(model, 2, &buffer), ARN_OK);
  assert_true(buffer.size == 5 && memcmp(buffer.data, "hello", 5) == 0 && !buffer.outside);
  assert_int_equal(arn_model_buffer(model, 0, &buffer), ARN_OK);
  assert_null(buffer.data);

  arn_signature_info signature;
  const char *name;
  uint32_t index;
  assert_int_equal(arn_model_signature(model, 0, &signature), ARN_OK);
  assert_string_equal(signature.key, "serving_default");
  assert_int_equal(arn_model_signature_input(model, 0, 0, &name, &index), ARN_OK);
  assert_string_equal(name, "x");
  assert_int_equal(arn_model_signature_output(model, 0, 0, &name, &index), ARN_NOT_FOUND);

  arn_metadata_info entry;
  assert_int_equal(arn_model_metadata_find(model, "greeting", &entry), ARN_OK);
  assert_true(entry.size == 5 && memcmp(entry.data, "hello", 5) == 0);
  assert_int_equal(arn_model_metadata_find(model, "greet", &entry), ARN_NOT_FOUND);
  arn_model_close(model);
  fb_build_release(&b.builder);
}

static void options_are_named_with_their_defaults(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  m.graph_count = 2;
  m.graphs[1] = m.graphs[0];
  m.codes[2] = (zoo_code){BuiltinOperator_IF, NULL};
  m.code_count = 3;
  m.graphs[0].operators[1].code = 2;
  m.graphs[0].operators[1].calls[0] = 1;
  m.graphs[0].operators[1].calls[1] = 1;
  built b = build(&m);
  arn_model *model = open_or_fail(b.bytes, b.size, 0);
  arn_operator_info op;
  assert_int_equal(arn_model_operator(model, 0, 1, &op), ARN_OK);
  assert_string_equal(op.options, "IfOptions");
  arn_option_info option;
  assert_int_equal(arn_model_operator_option(model, 0, 1, 1, &option), ARN_OK);
  assert_string_equal(option.name, "else_subgraph_index");
  assert_true(option.kind == ARN_OPTION_INT && option.stored && option.integer == 1);
  assert_int_equal(arn_model_operator_option(model, 0, 1, 2, &option), ARN_NOT_FOUND);
  assert_int_equal(arn_model_operator_option(model, 0, 0, 0, &option), ARN_NOT_FOUND);
  arn_model_close(model);
  fb_build_release(&b.builder);
}

// Options of another operator's kind do not reach an operator: it reads defaults.
static void foreign_options_are_kept_away(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  m.graph_count = 2;
  m.graphs[1] = m.graphs[0];
  m.codes[2] = (zoo_code){BuiltinOperator_IF, NULL};
  m.code_count = 3;
  m.graphs[0].operators[1].code = 2;
  m.graphs[0].operators[1].calls[0] = m.graphs[0].operators[1].calls[1] = 1;
  built b = build(&m);
  uint8_t *bytes = malloc(b.size);
  memcpy(bytes, b.bytes, b.size);
  fb_table root = fb_root(bytes), op = fb_table_at(SubGraph_operators(fb_table_at(Model_subgraphs(root), 0)), 1);
  *(uint8_t *)fb_field_at(op, Operator_builtin_options_type_id) = BuiltinOptions_WhileOptions;
  arn_model *model = open_or_fail(bytes, b.size, 0);
  assert_false(fb_present(model_operator_options(model, model_operator(model, 0, 1))));
  arn_model_close(model);
  free(bytes);
  fb_build_release(&b.builder);
}

// The file: FlatBuffer, then the constant at an offset that the buffer names.
static void data_behind_the_flatbuffer_is_found(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  m.buffers[1] = (zoo_buffer){NULL, 0, 0, 1 << 20, sizeof zoo_weights};
  built b = build(&m);
  size_t size = (1 << 20) + sizeof zoo_weights;
  uint8_t *file = calloc(1, size);
  memcpy(file, b.bytes, b.size);
  memcpy(file + (1 << 20), zoo_weights, sizeof zoo_weights);
  arn_model *model = open_or_fail(file, size, 0);
  arn_buffer_info buffer;
  assert_int_equal(arn_model_buffer(model, 1, &buffer), ARN_OK);
  assert_true(buffer.outside && buffer.file_offset == 1 << 20);
  assert_memory_equal(buffer.data, zoo_weights, sizeof zoo_weights);
  arn_model_close(model);
  arn_error error;
  assert_int_equal(arn_model_open_buffer(file, size - 1, 0, arn_heap(), &model, &error), ARN_INVALID_MODEL);
  assert_null(model);
  assert_memory_equal(error.message, "buffers[1]", 10);
  free(file);
  fb_build_release(&b.builder);
}

static void files_are_mapped(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  built b = build(&m);
  char path[] = "/tmp/arenite_model_XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  arn_model *model;
  arn_error error;
  assert_int_equal(arn_model_open_file(path, 0, &model, &error), ARN_IO);
  assert_non_null(strstr(error.message, "is empty"));
  assert_int_equal(write(file, b.bytes, b.size), b.size);
  close(file);
  assert_int_equal(arn_model_open_file(path, 0, &model, &error), ARN_OK);
  arn_model_info info;
  arn_model_describe(model, &info);
  assert_int_equal(info.file_size, b.size);
  arn_model_close(model);
  unlink(path);
  assert_int_equal(arn_model_open_file(path, 0, &model, &error), ARN_NOT_FOUND);
  assert_null(model);
  assert_non_null(strstr(error.message, path));
  assert_int_equal(arn_model_open_file("/tmp", 0, &model, &error), ARN_IO);
  fb_build_release(&b.builder);
}

// Constants at offsets past 2 and 4 GB, in a file that is mostly a hole.
static void files_over_four_gigabytes_are_read(void **state) {
  (void)state;
#if SIZE_MAX > 0xFFFFFFFF
  const uint64_t offset = (uint64_t)5 << 30;
  zoo_model m = zoo_model_plain();
  m.buffers[1] = (zoo_buffer){NULL, 0, 0, offset, sizeof zoo_weights};
  built b = build(&m);
  char path[] = "/tmp/arenite_large_XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  unlink(path);
  char opened[32];
  snprintf(opened, sizeof opened, "/dev/fd/%d", file);
  bool room = ftruncate(file, (off_t)(offset + sizeof zoo_weights)) == 0 && write(file, b.bytes, b.size) == (ssize_t)b.size &&
              pwrite(file, zoo_weights, sizeof zoo_weights, (off_t)offset) == (ssize_t)sizeof zoo_weights;
  if (!room) {
    close(file);
    fb_build_release(&b.builder);
    skip();  // a file system without holes
  }
  arn_model *model;
  arn_error error;
  if (arn_model_open_file(opened, 0, &model, &error) != ARN_OK) fail_msg("%s", error.message);
  arn_tensor_info tensor;
  assert_int_equal(arn_model_tensor(model, 0, 1, &tensor), ARN_OK);
  assert_true(tensor.data_offset == (int64_t)offset && tensor.size == sizeof zoo_weights);
  assert_memory_equal(tensor.data, zoo_weights, sizeof zoo_weights);
  arn_model_close(model);
  close(file);
  fb_build_release(&b.builder);
#endif
}

static void heads_that_are_none_are_refused(void **state) {
  (void)state;
  arn_model *model;
  arn_error error;
  const char text[] = "This is no model, but a text long enough.";
  assert_int_equal(arn_model_open_buffer(text, sizeof text, 0, arn_heap(), &model, &error), ARN_INVALID_MODEL);
  assert_non_null(strstr(error.message, "TFL3"));
  assert_int_equal(arn_model_open_buffer(text, 3, 0, arn_heap(), &model, &error), ARN_INVALID_MODEL);
  assert_int_equal(arn_model_open_buffer(NULL, 100, 0, arn_heap(), &model, &error), ARN_INVALID_MODEL);
  assert_int_equal(arn_model_open_buffer(text, 3, 0, NULL, &model, &error), ARN_INVALID_ARGUMENT);
  assert_int_equal(arn_model_open_buffer(text, 3, 0, arn_heap(), NULL, &error), ARN_INVALID_ARGUMENT);
}

typedef struct counting_heap {
  int left;        // allocations that succeed
  int open_count;  // not yet released
} counting_heap;

static void *counting_allocate(void *self, size_t size, size_t alignment) {
  counting_heap *heap = self;
  if (heap->left-- <= 0) return NULL;
  heap->open_count++;
  return host_heap()->allocate(NULL, size, alignment);
}
static void counting_release(void *self, void *memory) {
  counting_heap *heap = self;
  heap->open_count--;
  host_heap()->release(NULL, memory);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  zoo_model m = zoo_model_plain();
  built b = build(&m);
  uint8_t *odd = malloc(b.size + 1);
  memcpy(odd + 1, b.bytes, b.size);
  int failures = 0;
  for (int n = 0;; ++n) {
    counting_heap heap = {n, 0};
    const arn_allocator allocator = {counting_allocate, counting_release, &heap};
    arn_model *model;
    arn_error error;
    arn_status status = arn_model_open_buffer(odd + 1, b.size, 0, &allocator, &model, &error);
    if (status == ARN_OK) {
      arn_model_close(model);
      assert_int_equal(heap.open_count, 0);
      break;
    }
    assert_int_equal(status, ARN_OUT_OF_MEMORY);
    assert_null(model);
    assert_int_equal(heap.open_count, 0);
    ++failures;
  }
  assert_int_equal(failures, 4);  // scratch of the verifier, list of copies, the copy, the record
  free(odd);
  fb_build_release(&b.builder);
}

static void types_have_sizes(void **state) {
  (void)state;
  size_t bytes;
  assert_true(model_type_bytes(TensorType_INT4, 3, &bytes) && bytes == 2);
  assert_true(model_type_bytes(TensorType_INT2, 5, &bytes) && bytes == 2);
  assert_true(model_type_bytes(TensorType_UINT4, 0, &bytes) && bytes == 0);
  assert_true(model_type_bytes(TensorType_COMPLEX128, 2, &bytes) && bytes == 32);
  assert_true(model_type_bytes(TensorType_STRING, 9, &bytes) && bytes == 0);
  assert_false(model_type_bytes(TensorType_FLOAT64, SIZE_MAX / 4, &bytes));
  for (int32_t type = 0; type <= TensorType_FLOAT8_E5M2; ++type) {
    bool sizeless = type == TensorType_STRING || type == TensorType_RESOURCE || type == TensorType_VARIANT;
    assert_int_equal(model_type_bits(type) == 0, sizeless);
  }
  assert_int_equal(model_type_bits(TensorType_FLOAT8_E5M2 + 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_are_used_in_place),
      cmocka_unit_test(any_address_will_do),
      cmocka_unit_test(misaligned_constants_are_copied_or_named),
      cmocka_unit_test(a_model_needs_no_heap),
      cmocka_unit_test(getters_tell_what_is_there),
      cmocka_unit_test(options_are_named_with_their_defaults),
      cmocka_unit_test(foreign_options_are_kept_away),
      cmocka_unit_test(data_behind_the_flatbuffer_is_found),
      cmocka_unit_test(files_are_mapped),
      cmocka_unit_test(files_over_four_gigabytes_are_read),
      cmocka_unit_test(heads_that_are_none_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(types_have_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
