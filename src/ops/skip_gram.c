// SPDX-License-Identifier: Apache-2.0
// SKIP_GRAM: from a text (the first string of the input) all sequences of ngram_size of its words in order, at most max_skip_size
// apart; with include_all_ngrams the shorter ones too.
#include "base/checked.h"
#include "ops/move_common.h"

typedef struct skip_gram_state {
  int32_t size, skip;
  bool shorter;
} skip_gram_state;

// The words, and the places of those in the sequence at hand. Lives for one evaluation.
typedef struct skip_gram_run {
  string_view text;
  uint32_t *first, *length;  // of each word
  int32_t *place;
  int32_t words;
} skip_gram_run;

static void skip_gram_parse(fb_table options, void *params) {
  TfLiteSkipGramParams *p = params;
  p->ngram_size = SkipGramOptions_ngram_size(options);
  p->max_skip_size = SkipGramOptions_max_skip_size(options);
  p->include_all_ngrams = SkipGramOptions_include_all_ngrams(options);
}

static TfLiteStatus skip_gram_prepare(TfLiteContext *context, TfLiteNode *node) {
  OP_TRY(op_check_counts(context, node, 1, 1, 1));
  const TfLiteSkipGramParams *params = node->builtin_data;
  *(skip_gram_state *)node->user_data = (skip_gram_state){params->ngram_size, params->max_skip_size, params->include_all_ngrams};
  OP_TRY(op_check_type(context, op_input(context, node, 0), "input", OP_STRING));
  OP_TRY(op_check_type(context, op_output(context, node, 0), "output", OP_STRING));
  return op_make_dynamic(context, op_output(context, node, 0));
}

static bool skip_gram_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Cuts the text at white space; words may hold white space where several stand in a row, as in the reference.
static int32_t skip_gram_words(string_view text, uint32_t *first, uint32_t *length) {
  int32_t words = 0;
  size_t begin = 0;
  for (size_t i = 1; i <= text.length; i++) {
    if (i < text.length && !skip_gram_space(text.text[i])) continue;
    bool word = i == text.length ? i > begin : i > begin && !skip_gram_space(text.text[begin]);
    if (word && first) {
      first[words] = (uint32_t)begin;
      length[words] = (uint32_t)(i - begin);
    }
    words += word;
    begin = i + 1;
  }
  return words;
}

// Walks the sequences depth first. writer NULL: only counts strings and bytes.
static TfLiteStatus skip_gram_walk(TfLiteContext *context, const skip_gram_state *state, const skip_gram_run *run,
                                   string_writer *writer, size_t *count, size_t *bytes) {
  int32_t *place = run->place, depth = 1;
  for (int32_t i = 0; i < state->size; i++) place[i] = 0;
  *count = *bytes = 0;
  while (depth >= 0) {
    bool deeper =
        depth < state->size && place[depth] + 1 < run->words && (depth == 0 || place[depth] - place[depth - 1] <= state->skip);
    if (deeper) {
      place[depth++]++;
      if (depth < state->size) place[depth] = place[depth - 1];
      continue;
    }
    if (depth > 0 && (state->shorter ? depth <= state->size : depth == state->size)) {
      size_t length = (size_t)depth - 1;
      for (int32_t i = 0; i < depth; i++) length += run->length[place[i]];
      OP_CHECK(context, checked_add(*bytes, length, bytes) && *bytes <= INT32_MAX && *count < INT32_MAX,
               "too many sequences of words");
      ++*count;
      for (int32_t i = 0; i < depth && writer; i++) {
        if (i) writer->data[writer->end++] = ' ';
        memcpy(writer->data + writer->end, run->text.text + run->first[place[i]], run->length[place[i]]);
        writer->end += run->length[place[i]];
      }
      if (writer) string_add(writer, (string_view){"", 0});  // the text is in place
    }
    depth--;
  }
  return kTfLiteOk;
}

static TfLiteStatus skip_gram_write(TfLiteContext *context, TfLiteNode *node, const skip_gram_run *run) {
  const skip_gram_state *state = node->user_data;
  TfLiteTensor *output = op_output(context, node, 0);
  size_t count = 0, bytes = 0;
  bool enough = state->size > 0 && run->words >= state->size;
  if (enough) OP_TRY(skip_gram_walk(context, state, run, NULL, &count, &bytes));
  int dims = (int)count;
  OP_TRY(op_resize(context, output, 1, &dims));
  string_writer writer;
  OP_TRY(string_begin(context, output, bytes, &writer));
  return enough ? skip_gram_walk(context, state, run, &writer, &count, &bytes) : kTfLiteOk;
}

static TfLiteStatus skip_gram_eval(TfLiteContext *context, TfLiteNode *node) {
  const skip_gram_state *state = node->user_data;
  const TfLiteTensor *input = op_input(context, node, 0);
  const op_services *services = op_services_of(context);
  OP_CHECK(context, op_count(input) >= 1, "the input holds no text");
  OP_TRY(string_check(context, input, "input"));
  skip_gram_run run = {.text = string_at(input, 0)};
  run.words = skip_gram_words(run.text, NULL, NULL);
  if (run.words < state->size || run.words == 0) return skip_gram_write(context, node, &run);
  size_t words = (size_t)run.words, bytes;
  OP_CHECK(context, checked_mul(words, 3 * sizeof(uint32_t), &bytes), "too many words");  // places: not more than words
  uint32_t *memory = services->allocate(context, bytes);
  OP_CHECK(context, memory, "no memory for %d words", (int)run.words);
  run.first = memory;
  run.length = memory + words;
  run.place = (int32_t *)(memory + 2 * words);
  skip_gram_words(run.text, run.first, run.length);
  TfLiteStatus status = skip_gram_write(context, node, &run);
  services->release(context, memory);
  return status;
}

const op_descriptor arn_op_skip_gram = {
    OP_ROW(SKIP_GRAM),        .state_size = sizeof(skip_gram_state), .params_size = sizeof(TfLiteSkipGramParams),
    .parse = skip_gram_parse, .prepare = skip_gram_prepare,          .eval = skip_gram_eval,
};
