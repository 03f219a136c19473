// SPDX-License-Identifier: Apache-2.0
// RESHAPE: where the new shape comes from, and what it refuses. Also the example of how operator tests look.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "operators/op_harness.h"

static fb_ref new_shape(fb_builder *b, const void *data) {
  const op_test_list *dims = data;
  fb_ref shape = fb_build_vector(b, dims->values, (uint32_t)dims->count, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, ReshapeOptions_new_shape_id, shape);
  return fb_build_table_end(b);
}

static const float ramp[] = {1, 2, 3, 4, 5, 6};

static void shape_from_options(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_ReshapeOptions, new_shape, &OP_DIMS(3, -1));
  op_test_prepare(&t);
  op_test_set(&t, x, ramp);
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(3, 2));
  op_test_expect_f32(&t, y, ramp, 6, 0);
  op_test_end(&t);
}

static void shape_from_a_constant(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  int shape = op_test_constant(&t, TensorType_INT32, OP_DIMS(2), (int32_t[]){6, 1});
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x, shape), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, ramp);
  op_test_invoke(&t);
  op_test_expect_dims(&t, y, OP_DIMS(6, 1));
  op_test_expect_f32(&t, y, ramp, 6, 0);
  op_test_end(&t);
}

static void shape_known_at_run_time_only(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3)), shape = op_test_input(&t, TensorType_INT32, OP_DIMS(2));
  int y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x, shape), OP_TENSORS(y));
  op_test_prepare(&t);
  op_test_set(&t, x, ramp);
  for (int32_t rows = 1; rows <= 3; rows++) {
    op_test_set(&t, shape, (int32_t[]){rows, -1});
    op_test_invoke(&t);
    op_test_expect_dims(&t, y, OP_DIMS(rows, 6 / rows));
    op_test_expect_f32(&t, y, ramp, 6, 0);
  }
  op_test_end(&t);
}

static void element_count_must_stay(void **state) {
  (void)state;
  op_test t;
  op_test_begin(&t);
  int x = op_test_input(&t, TensorType_FLOAT32, OP_DIMS(2, 3)), y = op_test_output(&t, TensorType_FLOAT32, OP_DIMS(1));
  op_test_node(&t, BuiltinOperator_RESHAPE, 1, OP_TENSORS(x), OP_TENSORS(y));
  op_test_options(&t, BuiltinOptions_ReshapeOptions, new_shape, &OP_DIMS(4, 2));
  op_test_expect_refusal(&t, "node 0 RESHAPE v1: ");
  op_test_end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shape_from_options),
      cmocka_unit_test(shape_from_a_constant),
      cmocka_unit_test(shape_known_at_run_time_only),
      cmocka_unit_test(element_count_must_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
