// SPDX-License-Identifier: Apache-2.0
// arenite walk: a model file byte by byte.
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arenite/walk.h"
#include "command.h"
#include "json.h"
#include "term.h"
#include "text.h"

static const char walk_help[] =
    "Usage: arenite walk FILE [OPTION...]\n"
    "\n"
    "Walks a model's FlatBuffer from the root: where each table, vtable, field, vector and string lies, its bytes, its\n"
    "value, and the rule by which one gets there:\n"
    "  fixed      a fixed place in the file\n"
    "  soffset    the vtable lies at this byte minus the signed value\n"
    "  uoffset    the target lies at this byte plus the value\n"
    "  vtable     16-bit entries: vtable size, table size, then each field's offset in the table (0: absent)\n"
    "  in place   the value itself\n"
    "  length     a 32-bit length, then the elements\n"
    "The model is verified on the way: at the first fault the walk ends and says what is wrong.\n"
    "\n"
    "      --path PATH            only this part, e.g. subgraphs[0].operators[3] or description\n"
    "      --depth N              tables within at most N tables\n"
    "      --limit N              end after N lines\n"
    "      --absent               also fields that a table leaves out\n"
    "      --metadata             also the metadata record (a FlatBuffer inside a buffer)\n"
    "  -j, --json                 print JSON\n"
    "  -h, --help\n"
    "\n"
    "Examples:\n"
    "  arenite walk model.tflite --limit 12\n"
    "  arenite walk model.tflite --path subgraphs[0].operators[0]\n";

typedef struct walk_view {
  const char *path;
  size_t path_length;
  long long depth, limit, shown;
  bool absent, json;
} walk_view;

enum { WALK_BYTES = 8 };

static const char *walk_rule_name(arn_walk_rule rule) {
  static const char *const names[] = {"fixed", "soffset", "uoffset", "vtable", "in place", "length"};
  return (unsigned)rule < sizeof names / sizeof *names ? names[rule] : "?";
}

static const char *walk_kind_name(arn_walk_kind kind) {
  static const char *const names[] = {"root",   "identifier", "table",  "vtable", "scalar", "offset",
                                      "absent", "unknown",    "vector", "string", "outside"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

// The path itself or something below it.
static bool within(const walk_view *view, const char *path) {
  if (!view->path) return true;
  if (strncmp(path, view->path, view->path_length)) return false;
  char next = path[view->path_length];
  return next == '\0' || next == '.' || next == '[';
}

static void walk_bytes(char out[WALK_BYTES * 3 + 4], const arn_walk_event *event) {
  const uint8_t *raw = event->raw;
  size_t count = raw ? (event->size < WALK_BYTES ? (size_t)event->size : WALK_BYTES) : 0;
  char *to = out;
  *to = '\0';
  for (size_t i = 0; i < count; i++) to += sprintf(to, i ? " %02x" : "%02x", raw[i]);
  if (event->size > count && raw) strcpy(to, " ..");
}

static void walk_line(const arn_walk_event *event) {
  char bytes[WALK_BYTES * 3 + 4], *text = text_copy(event->text, strlen(event->text), 1);
  bool head = event->kind == ARN_WALK_TABLE;
  walk_bytes(bytes, event);
  if (event->kind == ARN_WALK_ABSENT)
    printf("%10s %6s  %-26s %-8s  %s", "", "", "", "absent", event->path);
  else
    printf("%10llu %6llu  %-26s %-8s  %s%s%s", (unsigned long long)event->byte, (unsigned long long)event->size, bytes,
           walk_rule_name(event->rule), term_begin(stdout, head ? TERM_BOLD : TERM_PLAIN), event->path,
           term_end(stdout, head ? TERM_BOLD : TERM_PLAIN));
  printf("%s%s%s%s\n", *event->type ? ": " : "", event->type, *text ? " = " : "", text);
  free(text);
}

static void walk_json(const arn_walk_event *event, bool first) {
  cJSON *item = json_object();
  json_add_text(item, "kind", walk_kind_name(event->kind));
  json_add_text(item, "rule", walk_rule_name(event->rule));
  json_add_int(item, "depth", event->depth);
  json_add_text(item, "path", event->path);
  json_add_text(item, "table", event->table);
  json_add_text(item, "type", event->type);
  json_add_size(item, "byte", event->byte);
  json_add_size(item, "size", event->size);
  json_add_int(item, "value", event->value);
  if (event->target >= 0) json_add_int(item, "target", event->target);
  json_add_text(item, "text", event->text);
  char *line = cJSON_PrintUnformatted(item);
  printf("%s%s", first ? "\n" : ",\n", line ? line : "null");
  cJSON_free(line);
  cJSON_Delete(item);
}

static bool walk_visit(void *user, const arn_walk_event *event) {
  walk_view *view = user;
  if (!within(view, event->path) || event->depth > view->depth) return true;
  if (event->kind == ARN_WALK_ABSENT && !view->absent) return true;
  if (view->shown == view->limit) return false;
  if (view->json)
    walk_json(event, view->shown == 0);
  else
    walk_line(event);
  view->shown++;
  return true;
}

static int walk_file(const char *path, walk_view *view, unsigned flags) {
  uint8_t *bytes;
  size_t size;
  failure why;
  if (!command_read_file(path, SIZE_MAX / 4, &bytes, &size, &why)) return command_failed("%s", why.text);
  arn_error error = {.byte = -1};
  if (view->json)
    putchar('[');
  else
    printf("%s%10s %6s  %-26s %-8s  %s%s\n", term_begin(stdout, TERM_BOLD), "byte", "size", "bytes", "rule", "what",
           term_end(stdout, TERM_BOLD));
  arn_status status = arn_walk(bytes, size, flags, walk_visit, view, &error);
  if (view->json) puts("\n]");
  free(bytes);
  if (status != ARN_OK && status != ARN_CANCELLED) {
    fflush(stdout);
    failure_from(&why, status, &error);
    return command_failed("%s: %s", path, why.text);
  }
  if (view->shown == 0 && view->path && view->limit > 0)
    return command_failed("%s has nothing at '%s'; walk it without --path to see the names", path, view->path);
  return COMMAND_OK;
}

int cmd_walk(int argc, char **argv) {
  static const struct option options[] = {{"path", required_argument, NULL, 'P'},  {"depth", required_argument, NULL, 'D'},
                                          {"limit", required_argument, NULL, 'L'}, {"absent", no_argument, NULL, 'A'},
                                          {"metadata", no_argument, NULL, 'M'},    {"json", no_argument, NULL, 'j'},
                                          {"help", no_argument, NULL, 'h'},        {0}};
  walk_view view = {.depth = INT_MAX, .limit = LLONG_MAX};
  unsigned flags = 0;
  int option;
  while ((option = getopt_long(argc, argv, "jh", options, NULL)) != -1) switch (option) {
      case '?': return command_misused_option();
      case 'h': return fputs(walk_help, stdout), COMMAND_OK;
      case 'P':
        view.path = optarg;
        view.path_length = strlen(optarg);
        break;
      case 'D':
        if (!command_read_int("--depth", optarg, 0, INT_MAX, &view.depth)) return COMMAND_MISUSED;
        break;
      case 'L':
        if (!command_read_int("--limit", optarg, 0, LLONG_MAX, &view.limit)) return COMMAND_MISUSED;
        break;
      case 'A': view.absent = true; break;
      case 'M': flags |= ARN_WALK_METADATA; break;
      default: view.json = true; break;
    }
  if (optind != argc - 1) return command_misused("give one file: arenite walk FILE");
  return walk_file(argv[optind], &view, flags);
}
