// SPDX-License-Identifier: Apache-2.0
// Resolvers: lists of registrations, searched newest first, then the resolver behind. This file names no operator, so that a
// program with a resolver of its own links only the kernels it added.
#include "runtime/resolver.h"

#include <string.h>

arn_status resolver_create(const base_allocator *allocator, const arn_resolver *next, arn_resolver **resolver) {
  *resolver = base_allocate_array(allocator, 1, sizeof **resolver, _Alignof(arn_resolver));
  if (!*resolver) return ARN_OUT_OF_MEMORY;
  (*resolver)->next = next;
  (*resolver)->allocator = allocator;
  return ARN_OK;
}

void arn_resolver_destroy(arn_resolver *resolver) {
  if (!resolver || !resolver->allocator) return;  // the static one
  for (int i = 0; i < resolver->row_count; i++) {
    if (!resolver->rows[i].op) base_release(resolver->allocator, (void *)(uintptr_t)resolver->rows[i].name);
  }
  base_release(resolver->allocator, resolver->rows);
  base_release(resolver->allocator, resolver);
}

static arn_status make_room_for_row(arn_resolver *resolver) {
  if (resolver->row_count < resolver->row_capacity) return ARN_OK;
  if (resolver->row_capacity > INT32_MAX / 2) return ARN_OUT_OF_MEMORY;
  int capacity = resolver->row_capacity ? 2 * resolver->row_capacity : 8;
  resolver_row *rows = base_allocate_array(resolver->allocator, (size_t)capacity, sizeof *rows, _Alignof(resolver_row));
  if (!rows) return ARN_OUT_OF_MEMORY;
  if (resolver->row_count) memcpy(rows, resolver->rows, (size_t)resolver->row_count * sizeof *rows);
  base_release(resolver->allocator, resolver->rows);
  resolver->rows = rows;
  resolver->row_capacity = capacity;
  return ARN_OK;
}

arn_status arn_resolver_add_op(arn_resolver *resolver, const arn_op *op) {
  if (!resolver || !resolver->allocator || !op) return ARN_INVALID_ARGUMENT;
  arn_status status = make_room_for_row(resolver);
  if (status != ARN_OK) return status;
  resolver->rows[resolver->row_count++] =
      (resolver_row){.code = op->code, .low = op->min_version, .high = op->max_version, .name = op->name, .op = op};
  return ARN_OK;
}

// Only the head of TfLiteRegistration that every version of the header has: a caller built against an older one gives no more
// (the struct grew from 64 to 88 bytes between TensorFlow Lite 2.9 and 2.14).
static TfLiteRegistration copy_registration_head(const TfLiteRegistration *from) {
  TfLiteRegistration copy = {0};
  memcpy(&copy, from, offsetof(TfLiteRegistration, registration_external));
  return copy;
}

static arn_status add_callers_kernel(arn_resolver *resolver, int32_t code, const char *name,
                                     const TfLiteRegistration *registration, int low, int high) {
  if (!resolver || !resolver->allocator || !name || !registration || low > high) return ARN_INVALID_ARGUMENT;
  arn_status status = make_room_for_row(resolver);
  if (status != ARN_OK) return status;
  size_t size = strlen(name) + 1;
  char *copy = base_allocate(resolver->allocator, size, 1);
  if (!copy) return ARN_OUT_OF_MEMORY;
  memcpy(copy, name, size);
  resolver_row row = {.code = code, .low = low, .high = high, .name = copy, .registration = copy_registration_head(registration)};
  row.registration.builtin_code = code;
  row.registration.custom_name = code == BuiltinOperator_CUSTOM ? copy : NULL;
  resolver->rows[resolver->row_count++] = row;
  return ARN_OK;
}

arn_status arn_resolver_add_builtin(arn_resolver *resolver, int32_t code, const TfLiteRegistration *registration, int low,
                                    int high) {
  if (code < 0 || code == BuiltinOperator_CUSTOM) return ARN_INVALID_ARGUMENT;
  const char *name = schema_builtin_operator_name(code);
  return add_callers_kernel(resolver, code, name ? name : "", registration, low, high);
}

arn_status arn_resolver_add_custom(arn_resolver *resolver, const char *name, const TfLiteRegistration *registration, int low,
                                   int high) {
  return add_callers_kernel(resolver, BuiltinOperator_CUSTOM, name, registration, low, high);
}

static arn_resolver_entry entry_of_op(const op_descriptor *op) {
  return (arn_resolver_entry){
      .code = op->code, .name = op->name, .low = op->min_version, .high = op->max_version, .types = op->types, .op = op};
}

static arn_resolver_entry entry_of_row(const resolver_row *row) {
  if (row->op) return entry_of_op(row->op);
  return (arn_resolver_entry){.code = row->code, .name = row->name, .low = row->low, .high = row->high};
}

bool arn_resolver_entry_at(const arn_resolver *resolver, int index, arn_resolver_entry *entry) {
  if (index < 0) return false;
  for (; resolver; resolver = resolver->next) {
    if (index < resolver->row_count) return *entry = entry_of_row(&resolver->rows[index]), true;
    index -= resolver->row_count;
    if (index < resolver->table_count) return *entry = entry_of_op(resolver->table[index]), true;
    index -= resolver->table_count;
  }
  return false;
}

static bool entry_serves(const arn_resolver_entry *entry, int32_t code, const char *name, int version) {
  if (code != entry->code || version < entry->low || version > entry->high) return false;
  return code != BuiltinOperator_CUSTOM || (name && strcmp(name, entry->name) == 0);
}

arn_status arn_resolver_find(const arn_resolver *resolver, int32_t code, const char *name, int version,
                             arn_resolver_entry *entry) {
  for (; resolver; resolver = resolver->next) {
    for (int i = resolver->row_count; i-- > 0;) {
      *entry = entry_of_row(&resolver->rows[i]);
      if (entry_serves(entry, code, name, version)) return ARN_OK;
    }
    for (int i = 0; i < resolver->table_count; i++) {
      *entry = entry_of_op(resolver->table[i]);
      if (entry_serves(entry, code, name, version)) return ARN_OK;
    }
  }
  *entry = (arn_resolver_entry){0};
  return ARN_UNRESOLVED_OP;
}

bool resolver_match_op(const arn_resolver *resolver, int32_t code, const char *name, int version, resolver_match *match) {
  for (; resolver; resolver = resolver->next) {
    arn_resolver_entry entry;
    for (int i = resolver->row_count; i-- > 0;) {
      const resolver_row *row = &resolver->rows[i];
      entry = entry_of_row(row);
      if (!entry_serves(&entry, code, name, version)) continue;
      *match = (resolver_match){.op = row->op, .registration = row->op ? NULL : &row->registration};
      return true;
    }
    for (int i = 0; i < resolver->table_count; i++) {
      entry = entry_of_op(resolver->table[i]);
      if (!entry_serves(&entry, code, name, version)) continue;
      *match = (resolver_match){.op = resolver->table[i], .registration = NULL};
      return true;
    }
  }
  return false;
}

const op_descriptor *resolver_any_builtin(const arn_resolver *resolver, int32_t code) {
  arn_resolver_entry entry;
  for (int i = 0; arn_resolver_entry_at(resolver, i, &entry); i++) {
    if (entry.op && entry.code == code && code != BuiltinOperator_CUSTOM) return entry.op;
  }
  return NULL;
}
