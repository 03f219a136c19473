// SPDX-License-Identifier: Apache-2.0
// Damages files and feeds them to a fuzz target (link it with any): each file cut at many lengths, with random bytes changed, and with
// bytes changed where the format's own numbers stand. Meant for sanitizer builds; a finding prints the recipe that repeats it.
//
//   mutate [--cuts N] [--flips N] [--seed N] [--seconds LIMIT] FILE_OR_FOLDER...     defaults: 200, 2000 (of each kind), 1, 10
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arenite/walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static unsigned cuts = 200, flips = 2000, seconds = 10;
static uint64_t seed = 1;
static char recipe[512];  // of the input that is running
static double slowest;
static char slowest_recipe[512];
static unsigned long long inputs;
static int files;

static void print_recipe(void) {
  size_t length = strlen(recipe);
  if (write(2, recipe, length) != (ssize_t)length) return;
}
static void on_signal(int number) {
  print_recipe();
  if (number == SIGALRM && write(2, "too slow\n", 9) != 9) _exit(3);
  _exit(2);
}

static uint64_t draw(void) {  // splitmix64
  seed += 0x9E3779B97F4A7C15u;
  uint64_t z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static void run_target(const uint8_t *data, size_t size) {
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  alarm(seconds);
  LLVMFuzzerTestOneInput(data, size);
  alarm(0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  double took = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
  if (took > slowest) slowest = took, memcpy(slowest_recipe, recipe, sizeof recipe);
  ++inputs;
}

static void cut_at(const char *path, const uint8_t *data, size_t length) {
  snprintf(recipe, sizeof recipe, "mutate: %s cut at %zu\n", path, length);
  uint8_t *part = malloc(length ? length : 1);  // exactly as long
  if (!part) abort();
  memcpy(part, data, length);
  run_target(part, length);
  free(part);
}

static void change_byte(const char *path, uint8_t *data, size_t size, size_t at) {
  static const uint8_t favourites[] = {0, 1, 2, 4, 127, 128, 254, 255};
  uint64_t r = draw();
  uint8_t old = data[at], value = r & 1 ? favourites[r >> 1 & 7] : (uint8_t)(r >> 4);
  if (value == old) value ^= 0x80;
  snprintf(recipe, sizeof recipe, "mutate: %s byte %zu = %u (was %u)\n", path, at, value, old);
  data[at] = value;
  run_target(data, size);
  data[at] = old;
}

// The places of offsets, vtables, lengths and scalars, as the walk finds them.
typedef struct structure {
  uint32_t *bytes;
  size_t count, capacity;
} structure;

static bool note_bytes(void *user, const arn_walk_event *event) {
  structure *s = user;
  uint64_t size = event->kind == ARN_WALK_VECTOR || event->kind == ARN_WALK_STRING ? 4 : event->size;
  bool indices = event->kind == ARN_WALK_VECTOR && event->size <= 64;  // shapes, inputs, scales: their elements too
  if (indices) size = event->size;
  if (event->kind == ARN_WALK_OUTSIDE) return true;
  while (s->count + size > s->capacity) {
    s->capacity = s->capacity ? s->capacity * 2 : 4096;
    s->bytes = realloc(s->bytes, s->capacity * sizeof *s->bytes);
    if (!s->bytes) abort();
  }
  for (uint64_t i = 0; i < size; ++i) s->bytes[s->count++] = (uint32_t)(event->byte + i);
  return true;
}

static int mutate_path(const char *path);

static int mutate_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return perror(path), 1;
  int bad = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char inner[4096];
    if (entry->d_name[0] == '.') continue;
    if (snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner) bad = 1;
    else bad |= mutate_path(inner);
  }
  closedir(folder);
  return bad;
}

static int mutate_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) return perror(path), 1;
  long length = ftell(file);
  rewind(file);
  size_t size = length > 0 ? (size_t)length : 0;
  uint8_t *data = malloc(size ? size : 1);
  if (!data || size == 0 || fread(data, 1, size, file) != size) return fprintf(stderr, "%s: cannot be read\n", path), 1;
  fclose(file);
  snprintf(recipe, sizeof recipe, "mutate: %s unchanged\n", path);
  run_target(data, size);
  structure s = {NULL, 0, 0};
  arn_walk(data, size, ARN_WALK_METADATA, note_bytes, &s, NULL);
  // Half of the cuts where the structure is dense, in the first and last 4 KB; the rest evenly.
  for (unsigned i = 0; i < cuts; ++i) {
    size_t at = i % 2 ? (size_t)((double)i / cuts * (double)size) : draw() % (size < 4096 ? size : 4096);
    if (i % 4 == 2) at = size - 1 - at;
    cut_at(path, data, at);
  }
  for (unsigned i = 0; i < flips; ++i) change_byte(path, data, size, draw() % size);
  for (unsigned i = 0; s.count && i < flips; ++i) change_byte(path, data, size, s.bytes[draw() % s.count]);
  free(s.bytes);
  free(data);
  return 0;
}

static int mutate_path(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return perror(path), 1;
  if (S_ISDIR(about.st_mode)) return mutate_folder(path);
  ++files;
  return mutate_file(path);
}

int main(int count, char **words) {
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(print_recipe);
  signal(SIGALRM, on_signal);
  signal(SIGABRT, on_signal);
  int bad = 0;
  for (int i = 1; i < count; ++i) {
    const char *value = i + 1 < count ? words[i + 1] : "";
    if (strcmp(words[i], "--cuts") == 0) cuts = (unsigned)strtoul(value, NULL, 10), ++i;
    else if (strcmp(words[i], "--flips") == 0) flips = (unsigned)strtoul(value, NULL, 10), ++i;
    else if (strcmp(words[i], "--seed") == 0) seed = strtoull(value, NULL, 10), ++i;
    else if (strcmp(words[i], "--seconds") == 0) seconds = (unsigned)strtoul(value, NULL, 10), ++i;
    else bad |= mutate_path(words[i]);
  }
  if (files == 0) return fprintf(stderr, "usage: mutate [--cuts N] [--flips N] [--seed N] [--seconds LIMIT] FILE_OR_FOLDER...\n"), 2;
  printf("%d files, %llu inputs, slowest %.3f s: %s", files, inputs, slowest, slowest_recipe);
  return bad;
}
