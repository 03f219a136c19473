// SPDX-License-Identifier: Apache-2.0
// Plans every CSV problem (with its .pairs file, if there is one) of a folder, checks each plan with the oracle and against a
// table of known optima, and tells how long it took. For folders in the formats of MiniMalloc; see usage().
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/plan_csv.h"

enum { BENCH_PATH_MAX = 4096, BENCH_LINE_MAX = 4096, BENCH_COLUMNS_MAX = 32, BENCH_VERIFY_MAX = 20000 };

typedef struct bench_settings {
  const char *folder, *bounds, *column;
  arn_plan_options options;
  uint32_t alignment;
  bool verbose;
} bench_settings;

typedef struct bench_totals {
  unsigned files, proven, checked, reached, slow, failed;
  double seconds, slowest;
  char slowest_name[256];
} bench_totals;

static int usage(const char *program) {
  fprintf(stderr,
          "usage: %s [options] FOLDER [BOUNDS.tsv]\n"
          "  --planner linear|greedy|slots|exact   default exact\n"
          "  --column NAME    column of BOUNDS.tsv to compare with; default: optimal, or for names that end in .1.default,\n"
          "                   .1.best, .2.default, .2.best: inplace_bound, inplace_reorder_bound, dmo_bound, dmo_reorder_bound\n"
          "  --target N       stop at a peak of N bytes; without BOUNDS.tsv, a peak above N counts as not reached\n"
          "  --budget N       units of work\n"
          "  --alignment N    default 1\n"
          "Plans of more than 20000 requests are not checked: the oracle looks at every two.\n"
          "  --verbose        a line for every problem, not only for those not reached, not proven, or over 0.5 s\n",
          program);
  return 2;
}

static double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int split_tabs(char *line, char *cells[BENCH_COLUMNS_MAX]) {
  int count = 0;
  line[strcspn(line, "\r\n")] = '\0';
  for (char *cell = line; cell && count < BENCH_COLUMNS_MAX;) {
    char *tab = strchr(cell, '\t');
    if (tab) *tab = '\0';
    cells[count++] = cell;
    cell = tab ? tab + 1 : NULL;
  }
  return count;
}

// The known figure of a model, or SIZE_MAX when the table has none.
static size_t look_up(const char *path, const char *model, const char *column) {
  FILE *table = path ? fopen(path, "r") : NULL;
  char line[BENCH_LINE_MAX], *cells[BENCH_COLUMNS_MAX];
  size_t figure = SIZE_MAX;
  int wanted = -1;
  if (!table) return figure;
  for (bool header = true; fgets(line, sizeof line, table); header = false) {
    int count = split_tabs(line, cells);
    for (int c = 0; header && c < count; c++)
      if (strcmp(cells[c], column) == 0) wanted = c;
    if (wanted < 0) break;
    if (!header && strcmp(cells[0], model) == 0 && wanted < count) figure = (size_t)strtoull(cells[wanted], NULL, 10);
  }
  fclose(table);
  return figure;
}

static size_t known_figure(const bench_settings *s, const char *name) {
  static const char *const variants[][2] = {{".1.default", "inplace_bound"},
                                            {".1.best", "inplace_reorder_bound"},
                                            {".2.default", "dmo_bound"},
                                            {".2.best", "dmo_reorder_bound"}};
  char model[BENCH_PATH_MAX];
  snprintf(model, sizeof model, "%s", name);
  const char *column = "optimal";
  for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
    if (!ends_with(model, variants[k][0])) continue;
    column = variants[k][1];
    model[strlen(model) - strlen(variants[k][0])] = '\0';
  }
  return look_up(s->bounds, model, s->column ? s->column : column);
}

static void report(const bench_settings *s, const plan_csv *file, const char *name, const arn_plan_result *result,
                   double seconds, bench_totals *totals) {
  size_t known = s->bounds ? known_figure(s, name) : s->options.target ? s->options.target : SIZE_MAX;
  bool reached = known != SIZE_MAX && result->peak <= known;
  totals->files++;
  totals->seconds += seconds;
  totals->proven += result->proven;
  totals->checked += known != SIZE_MAX;
  totals->reached += reached;
  totals->slow += seconds > 0.5;
  if (seconds > totals->slowest) {
    totals->slowest = seconds;
    snprintf(totals->slowest_name, sizeof totals->slowest_name, "%.255s", name);
  }
  if (!s->verbose && result->proven && seconds <= 0.5 && (reached || known == SIZE_MAX)) return;
  printf("%-12s n %5u pairs %5u peak %11zu bound %11zu ", known == SIZE_MAX ? "" : reached ? "reached" : "NOT REACHED",
         file->request_count, file->pair_count, result->peak, result->lower_bound);
  if (known != SIZE_MAX) printf("known %11zu ", known);
  printf("%-8s work %10llu %8.4f s  %s\n", result->proven ? "proven" : "open", (unsigned long long)result->work, seconds, name);
}

static bool plan_file(const bench_settings *s, plan_csv *file, const char *name, bench_totals *totals) {
  arn_plan_problem problem = {file->requests, file->pairs, file->request_count, file->pair_count};
  size_t size = arn_plan_scratch_size(s->options.algorithm, file->request_count, file->pair_count);
  arn_plan_result result = {.offsets = malloc(file->request_count * sizeof(size_t) + 1)};
  void *scratch = malloc(size);
  bool ok = result.offsets && scratch;
  double start = bench_seconds();
  arn_status status = ok ? arn_plan(&problem, &s->options, scratch, size, &result) : ARN_OUT_OF_MEMORY;
  double seconds = bench_seconds() - start;
  ok = status == ARN_OK || status == ARN_ARENA_TOO_SMALL;
  if (!ok) printf("%s: %s\n", name, arn_status_text(status));
  uint32_t a = 0, b = 0;
  if (ok && file->request_count <= BENCH_VERIFY_MAX && arn_plan_verify(&problem, result.offsets, &a, &b) != ARN_OK) {
    printf("%s: WRONG PLAN, rows %u and %u collide\n", name, a, b);
    ok = false;
  }
  if (ok && s->options.budget && result.work > s->options.budget) {
    printf("%s: budget exceeded\n", name);
    ok = false;
  }
  if (ok) report(s, file, name, &result, seconds, totals);
  free(result.offsets);
  free(scratch);
  return ok;
}

static bool bench_one(const bench_settings *s, const char *entry, bench_totals *totals) {
  char path[BENCH_PATH_MAX], message[PLAN_CSV_MESSAGE_MAX];
  plan_csv file;
  snprintf(path, sizeof path, "%s/%s", s->folder, entry);
  arn_status status = plan_csv_open(&file, path, s->alignment, message);
  memcpy(path + strlen(path) - 4, ".pai", 4);
  strncat(path, "rs", sizeof path - strlen(path) - 1);
  FILE *pairs = fopen(path, "r");
  if (pairs) {
    fclose(pairs);
    if (status == ARN_OK) status = plan_csv_open_pairs(&file, path, message);
  }
  bool ok = status == ARN_OK;
  if (!ok) printf("%s\n", message);
  char name[BENCH_PATH_MAX];
  snprintf(name, sizeof name, "%.*s", (int)(strlen(entry) - 4), entry);
  ok = ok && plan_file(s, &file, name, totals);
  plan_csv_close(&file);
  return ok;
}

static bool read_options(int count, char **words, bench_settings *s) {
  for (int k = 1; k < count; k++) {
    const char *word = words[k], *value = k + 1 < count ? words[k + 1] : NULL;
    if (strcmp(word, "--verbose") == 0) {
      s->verbose = true;
    } else if (word[0] != '-') {
      if (s->bounds) return false;
      if (s->folder) s->bounds = word;
      else s->folder = word;
    } else {
      if (!value) return false;
      k++;
      if (strcmp(word, "--column") == 0) s->column = value;
      else if (strcmp(word, "--target") == 0) s->options.target = (size_t)strtoull(value, NULL, 10);
      else if (strcmp(word, "--budget") == 0) s->options.budget = strtoull(value, NULL, 10);
      else if (strcmp(word, "--alignment") == 0) s->alignment = (uint32_t)strtoul(value, NULL, 10);
      else if (strcmp(word, "--planner") == 0) {
        int algorithm = ARN_PLAN_LINEAR;
        const char *name;
        while ((name = arn_plan_algorithm_name((arn_plan_algorithm)algorithm)) && strcmp(name, value) != 0) algorithm++;
        if (!name) return false;
        s->options.algorithm = (arn_plan_algorithm)algorithm;
      } else {
        return false;
      }
    }
  }
  return s->folder != NULL;
}

static int is_csv(const struct dirent *entry) { return ends_with(entry->d_name, ".csv"); }

int main(int count, char **words) {
  bench_settings s = {.options = {.algorithm = ARN_PLAN_EXACT}, .alignment = 1};
  bench_totals totals = {0};
  if (!read_options(count, words, &s)) return usage(words[0]);
  struct dirent **entries;
  int entry_count = scandir(s.folder, &entries, is_csv, alphasort);
  if (entry_count < 0) {
    perror(s.folder);
    return 1;
  }
  for (int k = 0; k < entry_count; k++) {
    totals.failed += !bench_one(&s, entries[k]->d_name, &totals);
    free(entries[k]);
  }
  free(entries);
  printf("%u problems: %u proven optimal, %u of %u known figures reached, %u failed, %u over 0.5 s; %.3f s in all, "
         "slowest %.4f s (%s)\n",
         totals.files, totals.proven, totals.reached, totals.checked, totals.failed, totals.slow, totals.seconds,
         totals.slowest, totals.slowest_name);
  return totals.failed != 0 || totals.reached != totals.checked;
}
