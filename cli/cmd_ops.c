// SPDX-License-Identifier: Apache-2.0
// arenite ops: the operators there are, what a model needs of them, and how two lists differ.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "op_list.h"
#include "table.h"
#include "term.h"

static const char ops_help[] =
    "Usage: arenite ops [OPTION...]              the operators of the registry\n"
    "       arenite ops MODEL [OPTION...]        what a model needs, and whether it is there\n"
    "       arenite ops --diff A [B] [OPTION...] how two lists differ (B: the registry)\n"
    "\n"
    "A list is a model or a file that --export wrote.\n"
    "\n"
    "      --export FILE.json     write the list\n"
    "      --markdown             print a Markdown table\n"
    "  -j, --json                 print JSON\n"
    "  -h, --help\n"
    "\n"
    "Exit code 1 when the model needs what is not there, or the lists differ.\n"
    "\n"
    "Examples:\n"
    "  arenite ops model.tflite\n"
    "  arenite ops --export before.json\n"
    "  arenite ops --diff before.json\n";

typedef struct ops_request {
  char **files;
  int file_count;
  const char *export_path;
  bool diff, markdown, json;
} ops_request;

static void print_table(const ops_request *o, const table *t) {
  if (o->markdown)
    table_print_markdown(t, stdout);
  else
    table_print(t, stdout);
}

static int write_export(const char *path, const op_list *list) {
  cJSON *document = op_list_json(list);
  char *text = cJSON_Print(document);
  cJSON_Delete(document);
  if (!text) return command_failed("out of memory");
  failure why;
  char *line = command_text("%s\n", text);
  bool good = command_write_file(path, line, strlen(line), &why);
  free(line);
  cJSON_free(text);
  return good ? COMMAND_OK : command_failed("%s", why.text);
}

static int show_registry(const ops_request *o) {
  static const char *const headers[] = {">code", "operator", "versions", "types"};
  op_list list;
  op_list_of_registry(&list);
  int code = o->export_path ? write_export(o->export_path, &list) : COMMAND_OK;
  if (o->json) {
    code = json_print(op_list_json(&list)) == COMMAND_OK ? code : COMMAND_FAILED;
  } else if (!o->export_path || o->markdown) {
    table *t = table_create(4, headers);
    for (int i = 0; i < list.count; i++) {
      char versions[32], *types = op_list_types(list.items[i].types);
      op_list_versions(versions, list.items[i].low, list.items[i].high);
      if (list.items[i].code == OP_LIST_CUSTOM)
        table_cell(t, "custom");
      else
        table_cell(t, "%d", list.items[i].code);
      table_cell(t, "%s", list.items[i].name);
      table_cell(t, "%s", versions);
      table_cell(t, "%s", types);
      table_end_row(t);
      free(types);
    }
    print_table(o, t);
    if (!o->markdown) printf("%d operators\n", list.count);
    table_destroy(t);
  }
  op_list_free(&list);
  return code;
}

// Which versions of an operator the registry has: "1..3, 5", "" for none. The caller frees.
static char *versions_there(const op_list *registry, const op_need *need) {
  char *text = command_text("%s", "");
  for (int i = 0; i < registry->count; i++) {
    const op_need *entry = &registry->items[i];
    bool same = need->code == OP_LIST_CUSTOM ? entry->code == OP_LIST_CUSTOM && !strcmp(entry->name, need->name)
                                             : entry->code == need->code;
    if (!same) continue;
    char versions[32];
    op_list_versions(versions, entry->low, entry->high);
    char *longer = command_text("%s%s%s", text, *text ? ", " : "", versions);
    free(text);
    text = longer;
  }
  return text;
}

static void need_json(cJSON *array, const op_need *need, bool there, const char *versions) {
  cJSON *item = json_add_object(array, NULL);
  char *types = op_list_types(need->types);
  json_add_int(item, "code", need->code);
  json_add_text(item, "name", need->name);
  json_add_bool(item, "custom", need->code == OP_LIST_CUSTOM);
  json_add_int(item, "version", need->low);
  json_add_size(item, "nodes", need->count);
  json_add_text(item, "types", types);
  json_add_bool(item, "there", there);
  json_add_text(item, "versions_there", versions);
  free(types);
}

static int show_needs(const ops_request *o) {
  static const char *const headers[] = {"operator", ">version", ">nodes", "there", "types"};
  op_list list, registry;
  failure why;
  if (!op_list_read(&list, o->files[0], &why)) return command_failed("%s", why.text);
  int code = o->export_path ? write_export(o->export_path, &list) : COMMAND_OK;
  op_list_of_registry(&registry);
  cJSON *array = o->json ? json_array() : NULL;
  table *t = table_create(5, headers);
  int missing = 0;
  for (int i = 0; i < list.count; i++) {
    const op_need *need = &list.items[i];
    bool there = true;
    arn_resolver_entry entry;
    for (int version = need->low; version <= need->high && there; version++)
      there = arn_resolver_find(arn_resolver_builtin(), need->code, need->name, version, &entry) == ARN_OK;
    missing += !there;
    char versions[32], *have = versions_there(&registry, need), *types = op_list_types(need->types);
    op_list_versions(versions, need->low, need->high);
    table_cell(t, need->code == OP_LIST_CUSTOM ? "%s (custom)" : "%s", need->name);
    table_cell(t, "%s", versions);
    table_cell(t, "%u", need->count);
    if (there)
      table_cell(t, "yes");
    else
      table_cell(t, *have ? "no: versions %s" : "no", have);
    table_cell(t, "%s", types);
    table_end_row(t);
    if (array) need_json(array, need, there, have);
    free(have);
    free(types);
  }
  if (o->json) {
    cJSON *document = json_object();
    json_add_text(document, "source", list.source);
    json_add_int(document, "missing", missing);
    json_add(document, "operators", array);
    if (json_print(document) != COMMAND_OK) code = COMMAND_FAILED;
  } else {
    print_table(o, t);
    if (!o->markdown && missing)
      printf("%s%d of %d kinds of operators are missing%s\n", term_begin(stdout, TERM_BAD), missing, list.count,
             term_end(stdout, TERM_BAD));
    else if (!o->markdown)
      printf("%sall %d kinds of operators are there%s\n", term_begin(stdout, TERM_GOOD), list.count, term_end(stdout, TERM_GOOD));
  }
  table_destroy(t);
  op_list_free(&registry);
  op_list_free(&list);
  return code == COMMAND_OK && missing ? COMMAND_FAILED : code;
}

static bool same_operator(const op_need *a, const op_need *b) { return a->code == b->code && !strcmp(a->name, b->name); }

// The versions that a list has of an operator, over all its entries: "1..2, 4"; "" for none. The caller frees.
static char *list_versions(const op_list *list, const op_need *op, uint32_t *types) {
  char *text = command_text("%s", "");
  *types = 0;
  for (int i = 0; i < list->count; i++) {
    if (!same_operator(&list->items[i], op)) continue;
    char versions[32];
    op_list_versions(versions, list->items[i].low, list->items[i].high);
    char *longer = command_text("%s%s%s", text, *text ? ", " : "", versions);
    free(text);
    text = longer;
    *types |= list->items[i].types;
  }
  return text;
}

// A line for an operator whose versions or types differ; returns whether they do.
static bool diff_line(const op_list *a, const op_list *b, const op_need *op, table *t, cJSON *array) {
  uint32_t types_a, types_b;
  char *versions_a = list_versions(a, op, &types_a), *versions_b = list_versions(b, op, &types_b);
  bool differs = strcmp(versions_a, versions_b) || types_a != types_b;
  if (differs) {
    char *only_a = op_list_types(types_a & ~types_b), *only_b = op_list_types(types_b & ~types_a);
    table_cell(t, op->code == OP_LIST_CUSTOM ? "%s (custom)" : "%s", op->name);
    table_cell(t, "%s", *versions_a ? versions_a : "-");
    table_cell(t, "%s", *versions_b ? versions_b : "-");
    table_cell(t, "%s", *versions_b ? only_a : "");
    table_cell(t, "%s", *versions_a ? only_b : "");
    table_end_row(t);
    cJSON *item = json_add_object(array, NULL);
    json_add_int(item, "code", op->code);
    json_add_text(item, "name", op->name);
    json_add_text(item, "a", versions_a);
    json_add_text(item, "b", versions_b);
    json_add_text(item, "types_only_a", only_a);
    json_add_text(item, "types_only_b", only_b);
    free(only_a);
    free(only_b);
  }
  free(versions_a);
  free(versions_b);
  return differs;
}

static int show_difference(const ops_request *o) {
  static const char *const headers[] = {"operator", "versions in A", "in B", "types only in A", "only in B"};
  op_list a, b;
  failure why;
  if (!op_list_read(&a, o->files[0], &why)) return command_failed("%s", why.text);
  if (o->file_count < 2) {
    op_list_of_registry(&b);
  } else if (!op_list_read(&b, o->files[1], &why)) {
    op_list_free(&a);
    return command_failed("%s", why.text);
  }
  // Every operator once: those of A, then those that only B has.
  op_list all = {.items = command_alloc((size_t)(a.count + b.count), sizeof *all.items)};
  for (int i = 0; i < a.count + b.count; i++) {
    op_need op = i < a.count ? a.items[i] : b.items[i - a.count];
    bool seen = false;
    for (int k = 0; k < all.count && !seen; k++) seen = same_operator(&all.items[k], &op);
    if (!seen) all.items[all.count++] = op;
  }
  op_list_sort(&all);
  table *t = table_create(5, headers);
  cJSON *document = json_object(), *array = json_add_array(document, "differences");
  json_add_text(document, "a", a.source);
  json_add_text(document, "b", b.source);
  int differences = 0;
  for (int i = 0; i < all.count; i++) differences += diff_line(&a, &b, &all.items[i], t, array);
  int code = differences ? COMMAND_FAILED : COMMAND_OK;
  if (o->json) {
    if (json_print(document) != COMMAND_OK) code = COMMAND_FAILED;
  } else {
    cJSON_Delete(document);
    printf("A: %s, %d entries\nB: %s, %d entries\n", a.source, a.count, b.source, b.count);
    if (differences) print_table(o, t);
    printf("%d difference%s\n", differences, differences == 1 ? "" : "s");
  }
  table_destroy(t);
  free(all.items);  // its names belong to a and b
  op_list_free(&a);
  op_list_free(&b);
  return code;
}

int cmd_ops(int argc, char **argv) {
  static const struct option options[] = {{"diff", no_argument, NULL, 'd'},     {"export", required_argument, NULL, 'e'},
                                          {"markdown", no_argument, NULL, 'm'}, {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},     {0}};
  ops_request o = {0};
  int option;
  while ((option = getopt_long(argc, argv, "jh", options, NULL)) != -1) switch (option) {
      case '?': return command_misused_option();
      case 'h': return fputs(ops_help, stdout), COMMAND_OK;
      case 'd': o.diff = true; break;
      case 'e': o.export_path = optarg; break;
      case 'm': o.markdown = true; break;
      default: o.json = true; break;
    }
  o.files = argv + optind;
  o.file_count = argc - optind;
  if (o.diff && (o.file_count < 1 || o.file_count > 2))
    return command_misused("--diff compares one list with the registry, or two lists");
  if (!o.diff && o.file_count > 1) return command_misused("give at most one model, or --diff A B");
  if (o.diff) return show_difference(&o);
  return o.file_count ? show_needs(&o) : show_registry(&o);
}
