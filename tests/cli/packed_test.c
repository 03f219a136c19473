// SPDX-License-Identifier: Apache-2.0
// The metadata record: what is read from one, and that damaged ones do no harm; files packed behind a model.
#include "cli_test.h"

#include <math.h>

#include <minizip/zip.h>

#include "arenite/model.h"
#include "base/allocator.h"
#include "flatbuffer/fb_build.h"
#include "host/heap.h"
#include "packed.h"
#include "schema/metadata.h"

static fb_ref file_record(fb_builder *b, const char *name, int type, const char *locale) {
  fb_ref text = fb_build_text(b, name), place = locale ? fb_build_text(b, locale) : 0;
  fb_build_table(b);
  fb_build_ref(b, AssociatedFile_name_id, text);
  fb_build_ref(b, AssociatedFile_locale_id, place);
  fb_build_i8(b, AssociatedFile_type_id, (int8_t)type, 0);
  return fb_build_table_end(b);
}

static fb_ref normalization_unit(fb_builder *b) {
  static const float mean[] = {1, 2, 3}, std[] = {4, 5, 6};
  fb_ref means = fb_build_vector(b, mean, 3, 4, 0), deviations = fb_build_vector(b, std, 3, 4, 0);
  fb_build_table(b);
  fb_build_ref(b, NormalizationOptions_mean_id, means);
  fb_build_ref(b, NormalizationOptions_std_id, deviations);
  fb_ref options = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_u8(b, ProcessUnit_options_type_id, 1, 0);
  fb_build_ref(b, ProcessUnit_options_id, options);
  return fb_build_table_end(b);
}

static fb_ref content_record(fb_builder *b) {
  fb_build_table(b);
  fb_build_i8(b, ImageProperties_color_space_id, 2, 0);
  fb_ref picture = fb_build_table_end(b);
  fb_build_table(b);
  fb_build_u8(b, Content_content_properties_type_id, 2, 0);
  fb_build_ref(b, Content_content_properties_id, picture);
  return fb_build_table_end(b);
}

// A record with a grey picture as input and two label files at the output.
static void build_record(fb_builder *b, const uint8_t **bytes, size_t *size) {
  fb_build_init(b, host_heap());
  fb_ref unit = normalization_unit(b), units = fb_build_refs(b, &unit, 1), content = content_record(b);
  fb_ref name = fb_build_text(b, "image");
  fb_build_table(b);
  fb_build_ref(b, TensorMetadata_name_id, name);
  fb_build_ref(b, TensorMetadata_content_id, content);
  fb_build_ref(b, TensorMetadata_process_units_id, units);
  fb_ref input = fb_build_table_end(b), inputs = fb_build_refs(b, &input, 1);
  fb_ref files[3] = {file_record(b, "ids.txt", PACKED_AXIS_LABELS, NULL),
                     file_record(b, "names-de.txt", PACKED_AXIS_LABELS, "de"), file_record(b, "vocabulary.txt", 5, "en")};
  fb_ref list = fb_build_refs(b, files, 3);
  fb_build_table(b);
  fb_build_ref(b, TensorMetadata_associated_files_id, list);
  fb_ref output = fb_build_table_end(b), outputs = fb_build_refs(b, &output, 1);
  fb_build_table(b);
  fb_build_ref(b, SubGraphMetadata_input_tensor_metadata_id, inputs);
  fb_build_ref(b, SubGraphMetadata_output_tensor_metadata_id, outputs);
  fb_ref subgraph = fb_build_table_end(b), subgraphs = fb_build_refs(b, &subgraph, 1);
  fb_ref title = fb_build_text(b, "a model");
  fb_build_table(b);
  fb_build_ref(b, ModelMetadata_name_id, title);
  fb_build_ref(b, ModelMetadata_subgraph_metadata_id, subgraphs);
  fb_ref root = fb_build_table_end(b);
  assert_int_equal(fb_build_finish(b, root, METADATA_IDENTIFIER, bytes, size), ARN_OK);
}

static void reads_a_record(void **state) {
  (void)state;
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  packed about;
  failure why;
  build_record(&b, &bytes, &size);
  assert_good(packed_parse(bytes, size, &about, &why), why);
  assert_string_equal(about.name, "a model");
  assert_null(about.author);
  assert_int_equal(about.input_count, 1);
  assert_int_equal(about.output_count, 1);
  assert_true(about.inputs[0].image && about.inputs[0].grey);
  assert_int_equal(about.inputs[0].norm_count, 3);
  assert_true(about.inputs[0].mean[2] == 3 && about.inputs[0].std[0] == 4);
  assert_true(isnan(about.outputs[0].threshold));
  assert_string_equal(packed_label_file(&about.outputs[0], NULL), "ids.txt");  // a vocabulary is no label file
  assert_string_equal(packed_label_file(&about.outputs[0], "de"), "names-de.txt");
  assert_null(packed_label_file(&about.inputs[0], NULL));
  packed_release(&about);
  fb_build_release(&b);
}

static void damaged_records_do_no_harm(void **state) {
  (void)state;
  fb_builder b;
  const uint8_t *bytes;
  size_t size;
  packed about;
  failure why;
  build_record(&b, &bytes, &size);
  for (size_t length = 0; length < size; length++) {
    uint8_t *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, length);
    if (packed_parse(exact, length, &about, &why)) packed_release(&about);
    free(exact);
  }
  uint8_t *copy = malloc(size);
  assert_non_null(copy);
  static const uint8_t masks[] = {0x01, 0x10, 0x80, 0xFF};
  for (size_t at = 0; at < size; at++)
    for (size_t m = 0; m < sizeof masks; m++) {
      memcpy(copy, bytes, size);
      copy[at] ^= masks[m];
      if (packed_parse(copy, size, &about, &why)) packed_release(&about);
    }
  free(copy);
  fb_build_release(&b);
  assert_refused(packed_parse((const uint8_t *)"............", 12, &about, &why), why, "M001");
}

static void packed_files(void **state) {
  (void)state;
  char path[64];
  failure why;
  uint8_t *bytes;
  size_t size;
  temporary_path(path, ".zip");
  assert_good(command_write_file(path, "a model's bytes", 15, &why), why);
  char **none = packed_list(path);
  assert_null(none[0]);
  packed_free_names(none);
  assert_refused(packed_extract(path, "labels.txt", &bytes, &size, &why), why, "no packed files");
  zipFile zip = zipOpen(path, APPEND_STATUS_CREATEAFTER);
  assert_non_null(zip);
  zip_fileinfo info = {0};
  assert_int_equal(zipOpenNewFileInZip(zip, "labels.txt", &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 9), ZIP_OK);
  assert_int_equal(zipWriteInFileInZip(zip, "cat\ncat\ncat\ndog\n", 16), ZIP_OK);
  assert_int_equal(zipCloseFileInZip(zip), ZIP_OK);
  assert_int_equal(zipClose(zip, NULL), ZIP_OK);
  char **names = packed_list(path);
  assert_string_equal(names[0], "labels.txt");
  assert_null(names[1]);
  packed_free_names(names);
  assert_good(packed_extract(path, "labels.txt", &bytes, &size, &why), why);
  assert_int_equal(size, 16);
  assert_memory_equal(bytes, "cat\ncat\ncat\ndog\n", 16);
  free(bytes);
  assert_refused(packed_extract(path, "other.txt", &bytes, &size, &why), why, "no packed file 'other.txt'");
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_a_record),
      cmocka_unit_test(damaged_records_do_no_harm),
      cmocka_unit_test(packed_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
