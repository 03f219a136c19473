// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over files and folders of files without a fuzzer: for `make check`, and to look into a finding. Link it with any
// fuzz target.
//
//   replay FILE_OR_FOLDER...
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replayed;

static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    if (file) fclose(file);
    return 1;
  }
  long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);  // exactly as long as the file, so that a sanitizer sees its end
  int bad = size < 0 || !data || fread(data, 1, (size_t)size, file) != (size_t)size;
  fclose(file);
  if (bad) fprintf(stderr, "%s: cannot be read\n", path);
  else LLVMFuzzerTestOneInput(data, (size_t)size), ++replayed;
  free(data);
  return bad;
}

static int replay_path(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return perror(path), 1;
  if (!S_ISDIR(about.st_mode)) return replay_file(path);
  DIR *folder = opendir(path);
  if (!folder) return perror(path), 1;
  int bad = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char inner[4096];
    if (entry->d_name[0] == '.') continue;
    if (snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner) bad = 1;
    else bad |= replay_path(inner);
  }
  closedir(folder);
  return bad;
}

int main(int count, char **paths) {
  int bad = 0;
  for (int i = 1; i < count; ++i) bad |= replay_path(paths[i]);
  printf("%d inputs replayed\n", replayed);
  return bad || replayed == 0;
}
