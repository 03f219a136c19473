// SPDX-License-Identifier: Apache-2.0
// arenite: the command line program. Picks the subcommand.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "term.h"

static const command commands[] = {
    {"run", "run a model on pictures, sounds, arrays or numbers and show what it says", cmd_run},
    {"inspect", "show everything that a model file holds", cmd_inspect},
    {"verify", "check model files for damage, and say what is wrong and where", cmd_verify},
    {"walk", "show a model file byte by byte, field by field", cmd_walk},
    {"ops", "list the operators there are, and what a model needs of them", cmd_ops},
    {"plan", "show where a model's memory goes", cmd_plan},
    {"bench", "measure loading, latency and memory", cmd_bench},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_usage(FILE *out) {
  fprintf(out, "Usage: arenite COMMAND [ARGUMENT...]\n\nRuns and examines TensorFlow Lite models (.tflite).\n\nCommands:\n");
  for (int i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "  %s%-8s%s %s\n", term_begin(out, TERM_BOLD), commands[i].name, term_end(out, TERM_BOLD), commands[i].summary);
  fprintf(out,
          "\n'arenite COMMAND --help' explains a command; every command takes --json.\n"
          "Exit codes: 0 done, 1 failed, 2 called wrongly.\n");
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "--help";
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
    print_usage(argc > 1 ? stdout : stderr);
    return argc > 1 ? COMMAND_OK : COMMAND_MISUSED;
  }
  if (!strcmp(name, "--version")) {
    puts("arenite " ARENITE_VERSION);
    return COMMAND_OK;
  }
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(name, commands[i].name)) continue;
    char title[32];
    snprintf(title, sizeof title, "arenite %s", name);
    command_begin(title);
    argv[1] = title;
    int code = commands[i].run(argc - 1, argv + 1);
    // Output that could not be written (a full disk) is a failure too.
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == COMMAND_OK) return command_failed("cannot write the output");
    return code;
  }
  command_begin("arenite");
  return command_misused("there is no command '%s'", name);
}
