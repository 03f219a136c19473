// SPDX-License-Identifier: Apache-2.0
// HASHTABLE, HASHTABLE_IMPORT, HASHTABLE_FIND, HASHTABLE_SIZE: static tables from int64 to string or from string to int64.
// HASHTABLE names a table and makes it, the first import fills it, find looks keys up. Open addressing; nothing is ever removed.
#include "base/checked.h"
#include "ops/resource_common.h"

typedef struct hashtable_state {
  int32_t id;
  TfLiteType key, value;
} hashtable_state;

static bool hashtable_types_fit(TfLiteType key, TfLiteType value) {
  return (key == kTfLiteInt64 && value == kTfLiteString) || (key == kTfLiteString && value == kTfLiteInt64);
}

// ---- The table. ----
static void hashtable_destroy(TfLiteContext *context, void *object) { op_services_of(context)->release(context, object); }

// A table with room for `count` entries and `text` bytes in one piece of memory; NULL when out of memory.
static resource_table *hashtable_create(TfLiteContext *context, TfLiteType key, TfLiteType value, size_t count, size_t text) {
  size_t slots = count ? 2 : 0, bytes;
  while (slots && slots < 2 * count) slots *= 2;
  if (count > UINT32_MAX / 8 || !checked_mul(slots, sizeof(resource_entry), &bytes)) return NULL;
  size_t entries = bytes;
  if (!checked_add(bytes, sizeof(resource_table) + 15, &bytes) || !checked_add(bytes, text, &bytes)) return NULL;
  resource_table *table = op_services_of(context)->allocate(context, bytes);
  if (!table) return NULL;
  char *behind = (char *)table + (sizeof *table + 15) / 16 * 16;
  *table = (resource_table){.kind = RESOURCE_TABLE,
                            .key = key,
                            .value = value,
                            .slots = (uint32_t)slots,
                            .entry = (resource_entry *)(void *)behind,
                            .text = behind + entries};
  for (size_t i = 0; i < slots; i++) table->entry[i].length = UINT32_MAX;
  return table;
}

static uint32_t hashtable_hash(const resource_table *table, int64_t number, string_view text) {
  uint64_t h = 14695981039346656037u;  // FNV-1a
  if (table->key == kTfLiteString) {
    for (size_t i = 0; i < text.length; i++) h = (h ^ (uint8_t)text.text[i]) * 1099511628211u;
  } else {
    h = (h ^ (uint64_t)number) * 0x9E3779B97F4A7C15u;
  }
  return (uint32_t)(h ^ h >> 32);
}

// The slot of a key, or the free one where it belongs; the table must have slots.
static resource_entry *hashtable_slot(const resource_table *table, int64_t number, string_view text) {
  uint32_t at = hashtable_hash(table, number, text) & (table->slots - 1);
  for (;; at = (at + 1) & (table->slots - 1)) {
    resource_entry *e = &table->entry[at];
    if (e->length == UINT32_MAX) return e;
    bool found =
        table->key == kTfLiteString ? string_equal((string_view){table->text + e->offset, e->length}, text) : e->number == number;
    if (found) return e;
  }
}

static int64_t hashtable_number(const TfLiteTensor *t, size_t i) { return t->type == kTfLiteInt64 ? move_int_at(t, i) : 0; }
static string_view hashtable_text(const TfLiteTensor *t, size_t i) {
  return t->type == kTfLiteString ? string_at(t, i) : (string_view){"", 0};
}

// ---- HASHTABLE ----
static void hashtable_parse(fb_table options, void *params) {
  TfLiteHashtableParams *p = params;
  p->table_id = HashtableOptions_table_id(options);
  p->key_dtype = op_type(HashtableOptions_key_dtype(options));
  p->value_dtype = op_type(HashtableOptions_value_dtype(options));
}

static TfLiteStatus hashtable_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 0, 0, 1));
  const TfLiteHashtableParams *params = node->builtin_data;
  hashtable_state *state = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  OP_CHECK(context, hashtable_types_fit(params->key_dtype, params->value_dtype), "tables from %s to %s are not supported",
           op_type_name(params->key_dtype), op_type_name(params->value_dtype));
  OP_TRY(op_check_type(context, output, "output", OP_RESOURCE));
  *state = (hashtable_state){resource_table_id(context, params->table_id), params->key_dtype, params->value_dtype};
  OP_CHECK(context, state->id >= 0, "no memory for a table");
  const int one = 1;
  OP_TRY(op_resize(context, output, 1, &one));
  return resource_set_handle(context, output, params->table_id);
}

static TfLiteStatus hashtable_eval(TfLiteContext *context, TfLiteNode *node) {
  const hashtable_state *state = node->user_data;
  if (resource_find_table(context, op_output(context, node, 0))) return kTfLiteOk;
  resource_table *table = hashtable_create(context, state->key, state->value, 0, 0);
  OP_CHECK(context, table, "no memory for a table");
  if (op_services_of(context)->put_resource(context, state->id, table, hashtable_destroy) == kTfLiteOk) return kTfLiteOk;
  hashtable_destroy(context, table);
  OP_FAIL(context, "no memory for a table");
}

const op_descriptor arn_op_hashtable = {
    OP_ROW(HASHTABLE),        .state_size = sizeof(hashtable_state), .params_size = sizeof(TfLiteHashtableParams),
    .parse = hashtable_parse, .prepare = hashtable_prepare,          .eval = hashtable_eval,
    .cost = move_no_macs,
};

// ---- HASHTABLE_IMPORT ----
static TfLiteStatus hashtable_check_handle(TfLiteContext *context, const TfLiteTensor *t) {
  OP_TRY(resource_check_handle(context, t, OP_RESOURCE));
  OP_CHECK(context, op_rank(t) == 1, "a table's handle has rank 1, this %d", op_rank(t));
  return kTfLiteOk;
}

// The table behind input 0, checked against the types of keys and values.
static TfLiteStatus hashtable_open(TfLiteContext *context, const TfLiteNode *node, const TfLiteTensor *keys,
                                   const TfLiteTensor *values, resource_table **table) {
  *table = resource_find_table(context, op_input(context, node, 0));
  OP_CHECK(context, *table, "the handle is not a table's");
  OP_CHECK(context, (*table)->key == keys->type && (*table)->value == values->type, "the table is from %s to %s",
           op_type_name((*table)->key), op_type_name((*table)->value));
  return kTfLiteOk;
}

static TfLiteStatus hashtable_import_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 0));
  const TfLiteTensor *keys = op_input(context, node, 1), *values = op_input(context, node, 2);
  OP_TRY(hashtable_check_handle(context, op_input(context, node, 0)));
  OP_CHECK(context, hashtable_types_fit((TfLiteType)keys->type, (TfLiteType)values->type),
           "tables from %s to %s are not supported", op_type_name((TfLiteType)keys->type),
           op_type_name((TfLiteType)values->type));
  OP_CHECK(context, op_same_shape(keys, values), "keys and values differ in shape");
  return kTfLiteOk;
}

static TfLiteStatus hashtable_import_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *keys = op_input(context, node, 1), *values = op_input(context, node, 2);
  resource_table *table;
  OP_TRY(hashtable_open(context, node, keys, values, &table));
  if (table->filled) return kTfLiteOk;
  const TfLiteTensor *strings = keys->type == kTfLiteString ? keys : values;
  OP_TRY(string_check(context, strings, "the strings' tensor"));
  size_t count = op_count(keys), text = 0;
  for (size_t i = 0; i < count; i++) text += string_at(strings, i).length;  // at most the tensor's bytes
  resource_table *filled = hashtable_create(context, table->key, table->value, count, text);
  OP_CHECK(context, filled, "no memory for a table of %d entries", (int)count);
  size_t end = 0;
  for (size_t i = 0; i < count; i++) {
    string_view s = string_at(strings, i);
    resource_entry *e = hashtable_slot(filled, hashtable_number(keys, i), hashtable_text(keys, i));
    if (e->length != UINT32_MAX) continue;  // the first of several equal keys counts
    *e = (resource_entry){keys->type == kTfLiteString ? hashtable_number(values, i) : hashtable_number(keys, i), (uint32_t)end,
                          (uint32_t)s.length};
    if (s.length) memcpy(filled->text + end, s.text, s.length);
    end += s.length;
    filled->count++;
  }
  filled->filled = true;
  if (op_services_of(context)->put_resource(context, resource_table_id(context, resource_handle(op_input(context, node, 0))),
                                            filled, hashtable_destroy) == kTfLiteOk) {
    return kTfLiteOk;
  }
  hashtable_destroy(context, filled);
  OP_FAIL(context, "no memory for a table");
}

const op_descriptor arn_op_hashtable_import = {OP_ROW(HASHTABLE_IMPORT), .prepare = hashtable_import_prepare,
                                               .eval = hashtable_import_eval, .cost = move_no_macs};

// ---- HASHTABLE_FIND ----
static TfLiteStatus hashtable_find_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 3, 3, 1));
  const TfLiteTensor *keys = op_input(context, node, 1), *otherwise = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  OP_TRY(hashtable_check_handle(context, op_input(context, node, 0)));
  OP_CHECK(context, hashtable_types_fit((TfLiteType)keys->type, (TfLiteType)output->type),
           "tables from %s to %s are not supported", op_type_name((TfLiteType)keys->type),
           op_type_name((TfLiteType)output->type));
  OP_CHECK(context, otherwise->type == output->type && op_count(otherwise) >= 1,
           "the default value must be of the output's type");
  return op_resize_like(context, output, keys);
}

static TfLiteStatus hashtable_find_eval(TfLiteContext *context, TfLiteNode *node) {
  const TfLiteTensor *keys = op_input(context, node, 1), *otherwise = op_input(context, node, 2);
  TfLiteTensor *output = op_output(context, node, 0);
  resource_table *table;
  OP_TRY(hashtable_open(context, node, keys, output, &table));
  OP_CHECK(context, table->filled, "the table was not filled yet");
  OP_TRY(string_check(context, keys->type == kTfLiteString ? keys : otherwise, "the strings' tensor"));
  if (op_is_dynamic(output) && !op_same_shape(output, keys)) OP_TRY(op_resize_like(context, output, keys));
  size_t count = op_count(keys), text = 0;
  string_writer writer = {0};
  for (int pass = output->type == kTfLiteString ? 0 : 1; pass < 2; pass++) {  // strings: first their length, then themselves
    if (pass == 1 && output->type == kTfLiteString) OP_TRY(string_begin(context, output, text, &writer));
    for (size_t i = 0; i < count; i++) {
      const resource_entry *e = table->slots ? hashtable_slot(table, hashtable_number(keys, i), hashtable_text(keys, i)) : NULL;
      bool found = e && e->length != UINT32_MAX;
      if (output->type == kTfLiteInt64) {
        output->data.i64[i] = found ? e->number : move_int_at(otherwise, 0);
        continue;
      }
      string_view s = found ? (string_view){table->text + e->offset, e->length} : string_at(otherwise, 0);
      if (pass)
        string_add(&writer, s);
      else
        OP_CHECK(context, checked_add(text, s.length, &text), "too much text");
    }
  }
  return kTfLiteOk;
}

const op_descriptor arn_op_hashtable_find = {OP_ROW(HASHTABLE_FIND), .prepare = hashtable_find_prepare,
                                             .eval = hashtable_find_eval};

// ---- HASHTABLE_SIZE ----
static TfLiteStatus hashtable_size_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  OP_TRY(hashtable_check_handle(context, op_input(context, node, 0)));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_I64));
  const int one = 1;
  return op_resize(context, op_output(context, node, 0), 1, &one);
}

static TfLiteStatus hashtable_size_eval(TfLiteContext *context, TfLiteNode *node) {
  const resource_table *table = resource_find_table(context, op_input(context, node, 0));
  OP_CHECK(context, table, "the handle is not a table's");
  op_output(context, node, 0)->data.i64[0] = table->count;
  return kTfLiteOk;
}

const op_descriptor arn_op_hashtable_size = {OP_ROW(HASHTABLE_SIZE), .prepare = hashtable_size_prepare,
                                             .eval = hashtable_size_eval, .cost = move_no_macs};
