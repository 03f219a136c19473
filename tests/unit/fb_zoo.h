// SPDX-License-Identifier: Apache-2.0
// A little schema with one field of every kind, and a buffer of it, for the tests of flatbuffer/.
//   table Child { rank: u8; child: Child; }            union Choice { Child = 1, Other = 2 }
//   table Other { weight: f64; }
//   root Zoo { count: i32 = 7; name: string; only: Child; all: [Child]; numbers: [i64]; words: [string]; choice: Choice (7 and
// 8);
//              open: bool; }
#ifndef TESTS_FB_ZOO_H
#define TESTS_FB_ZOO_H

#include "flatbuffer/fb_build.h"
#include "flatbuffer/fb_schema.h"

enum { ZOO_count, ZOO_name, ZOO_only, ZOO_all, ZOO_numbers, ZOO_words, ZOO_choice_type, ZOO_choice, ZOO_open };

static const fb_field_desc zoo_fields[] = {
    {"rank", 0, FB_NO_TARGET, FB_KIND_SCALAR, FB_BASE_u8, 0},
    {"child", 0, 0, FB_KIND_TABLE, FB_BASE_u32, 4},
    {"weight", 0, FB_NO_TARGET, FB_KIND_SCALAR, FB_BASE_f64, 0},
    {"count", 7, FB_NO_TARGET, FB_KIND_SCALAR, FB_BASE_i32, 0},
    {"name", 0, FB_NO_TARGET, FB_KIND_STRING, FB_BASE_u8, 1},
    {"only", 0, 0, FB_KIND_TABLE, FB_BASE_u32, 4},
    {"all", 0, 0, FB_KIND_TABLES, FB_BASE_u32, 4},
    {"numbers", 0, FB_NO_TARGET, FB_KIND_VECTOR, FB_BASE_i64, 8},
    {"words", 0, FB_NO_TARGET, FB_KIND_STRINGS, FB_BASE_u32, 4},
    {"choice_type", 0, 0, FB_KIND_UNION_TYPE, FB_BASE_u8, 0},
    {"choice", 0, 0, FB_KIND_UNION, FB_BASE_u32, 4},
    {"open", 0, FB_NO_TARGET, FB_KIND_SCALAR, FB_BASE_bool, 0},
};
static const fb_table_desc zoo_tables[] = {{"Child", 0, 2}, {"Other", 2, 1}, {"Zoo", 3, 9}};
static const fb_union_desc zoo_unions[] = {{"Choice", 0, 2}};
static const fb_member_desc zoo_members[] = {{0, 1}, {1, 2}};
static const fb_schema zoo_schema = {
    .tables = zoo_tables, .fields = zoo_fields, .unions = zoo_unions, .members = zoo_members,
    .table_count = 3, .union_count = 1, .enum_count = 0, .root = 2, .identifier = "ZOO1",
};

static inline fb_ref zoo_child(fb_builder *b, uint8_t rank, fb_ref child) {
  fb_build_table(b);
  fb_build_ref(b, 1, child);
  fb_build_u8(b, 0, rank, 0);
  return fb_build_table_end(b);
}

// A zoo with everything in it. `bytes` live in the builder.
static inline arn_status zoo_build(fb_builder *b, const uint8_t **bytes, size_t *size) {
  const int64_t numbers[] = {-1, INT64_MAX, 3};
  fb_ref name = fb_build_text(b, "Basel");
  fb_ref inner = zoo_child(b, 3, 0);
  fb_ref only = zoo_child(b, 1, inner);
  fb_ref two = zoo_child(b, 2, 0);
  fb_ref all = fb_build_refs(b, (fb_ref[]){only, two, two}, 3);
  fb_ref numbers_ref = fb_build_vector(b, numbers, 3, 8, 32);
  fb_ref word = fb_build_text(b, "gnu");
  fb_ref none = fb_build_text(b, "");
  fb_ref words = fb_build_refs(b, (fb_ref[]){word, none}, 2);
  fb_ref choice = zoo_child(b, 9, 0);
  fb_build_table(b);
  fb_build_i32(b, ZOO_count, -5, 7);
  fb_build_ref(b, ZOO_name, name);
  fb_build_ref(b, ZOO_only, only);
  fb_build_ref(b, ZOO_all, all);
  fb_build_ref(b, ZOO_numbers, numbers_ref);
  fb_build_ref(b, ZOO_words, words);
  fb_build_u8(b, ZOO_choice_type, 1, 0);
  fb_build_ref(b, ZOO_choice, choice);
  fb_build_bool(b, ZOO_open, true, false);
  return fb_build_finish(b, fb_build_table_end(b), "ZOO1", bytes, size);
}

#endif
