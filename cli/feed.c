// SPDX-License-Identifier: Apache-2.0
// Sources and how they reach an input tensor.
#include "feed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

enum { FEED_MAX_NUMBERS = 1 << 16, FEED_MAX_RANK = 8 };

uint64_t feed_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

void feed_noise(TfLiteTensor *tensor, uint64_t *state) {
  size_t count = values_count(tensor);
  for (size_t i = 0; i < count; i++) {
    uint64_t draw = feed_random(state);
    switch (tensor->type) {
      case kTfLiteInt8:
      case kTfLiteUInt8:
      case kTfLiteInt4:
      case kTfLiteInt16: {
        int bits = values_bits(tensor->type);
        double value = (double)(draw >> (64 - bits));
        values_set_stored(tensor, i, tensor->type == kTfLiteUInt8 ? value : value - ldexp(1, bits - 1));
        break;
      }
      case kTfLiteBool: values_set_stored(tensor, i, (double)(draw >> 63)); break;
      case kTfLiteInt32:
      case kTfLiteInt64:
      case kTfLiteUInt32:
      case kTfLiteUInt64: values_set_stored(tensor, i, (double)((draw >> 33) % 10)); break;
      default: values_set_real(tensor, i, (double)(draw >> 40) * 0x1p-23 - 1); break;
    }
  }
}

static bool load_numbers(feed *f, const char *text, failure *why) {
  f->numbers = command_alloc(FEED_MAX_NUMBERS, sizeof *f->numbers);
  f->kind = FEED_NUMBERS;
  for (const char *at = text;; at++) {
    char *end;
    double number = strtod(at, &end);
    if (end == at || (*end && *end != ',') || f->number_count == FEED_MAX_NUMBERS)
      return failure_set(why, "value: wants up to %d numbers between commas, not '%s'", FEED_MAX_NUMBERS, text);
    f->numbers[f->number_count++] = number;
    if (!*end) return true;
    at = end;
  }
}

static bool load_text(feed *f, const char *text, size_t length) {
  f->kind = FEED_TEXTS;
  f->texts = command_grow(f->texts, (size_t)f->text_count + 1, sizeof *f->texts);
  f->texts[f->text_count++] = command_text("%.*s", (int)length, text);
  return true;
}

// A text file: one string a line.
static bool load_lines(feed *f, const char *source, failure *why) {
  uint8_t *bytes;
  size_t size;
  if (!command_read_file(source, (size_t)1 << 28, &bytes, &size, why)) return false;
  for (const char *at = (const char *)bytes, *end = at + size; at < end;) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    load_text(f, at, (size_t)(stop - at) - (stop > at && stop[-1] == '\r'));
    at = stop + 1;
  }
  free(bytes);
  return f->text_count > 0 || failure_set(why, "%s is empty", source);
}

bool feed_load(feed *f, const char *source, failure *why) {
  *f = (feed){.source = source};
  if (!strcmp(source, "zeros") || !strcmp(source, "random")) {
    f->kind = *source == 'z' ? FEED_ZEROS : FEED_RANDOM;
    return true;
  }
  bool good;
  const char *dot = strrchr(source, '.');
  if (!strncmp(source, "value:", 6)) {
    good = load_numbers(f, source + 6, why);
  } else if (!strncmp(source, "text:", 5)) {
    good = load_text(f, source + 5, strlen(source + 5));
  } else if (dot && !strcmp(dot, ".txt")) {
    good = load_lines(f, source, why);
  } else if (dot && !strcmp(dot, ".npy")) {
    f->kind = FEED_ARRAY;
    good = npy_read(source, &f->array, why);
  } else if (image_is_picture(source)) {
    f->kind = FEED_PICTURE;
    good = image_read(source, &f->picture, why);
  } else if (sound_is_sound(source)) {
    f->kind = FEED_SOUND;
    good = sound_read(source, &f->sound, why);
  } else {
    f->kind = FEED_RAW;
    good = command_read_file(source, (size_t)1 << 32, &f->bytes, &f->size, why);
  }
  if (!good) feed_free(f);
  return good;
}

void feed_free(feed *f) {
  image_free(&f->picture);
  sound_free(&f->sound);
  front_end_free(&f->features);
  npy_free(&f->array);
  free(f->bytes);
  free(f->numbers);
  for (int i = 0; i < f->text_count; i++) free(f->texts[i]);
  free(f->texts);
  *f = (feed){0};
}

// ---- Shapes ----
static bool picture_channels(int dim) { return dim == 1 || dim == 3 || dim == 4; }

bool feed_picture_place(const TfLiteTensor *tensor, feed_layout layout, feed_place *place) {
  int rank = tensor->dims->size, dims[4];
  if (rank < 2 || rank > 4) return false;
  for (int i = 0; i < rank; i++) dims[i] = tensor->dims->data[i];
  if (rank == 4 && dims[0] != 1) return false;
  int first = rank == 4 ? 1 : 0;  // the axes behind the batch
  if (rank == 2) {
    int side = (int)lround(sqrt(dims[1]));
    if (dims[0] != 1) {
      *place = (feed_place){dims[0], dims[1], 1, 0, 1, (size_t)dims[1], 1, 0};
      return true;
    }
    *place = (feed_place){side, side, 1, -1, -1, (size_t)side, 1, 0};
    return side * side == dims[1];
  }
  bool last = picture_channels(dims[rank - 1]) && layout != FEED_LAYOUT_NCHW;
  bool before = picture_channels(dims[first]) && layout != FEED_LAYOUT_NHWC;
  if (last) {
    size_t channels = (size_t)dims[rank - 1], width = (size_t)dims[first + 1];
    *place = (feed_place){dims[first], dims[first + 1], dims[rank - 1], first, first + 1, width * channels, channels, 1};
  } else if (before) {  // also [1, height, width]
    size_t width = (size_t)dims[rank - 1], height = (size_t)dims[rank - 2];
    *place = (feed_place){dims[rank - 2], dims[rank - 1], dims[first], rank - 2, rank - 1, width, 1, height * width};
  }
  return last || before;
}

static bool dim_open(const TfLiteTensor *tensor, int axis) {
  const TfLiteIntArray *signature = tensor->dims_signature;
  return axis >= 0 && signature && axis < signature->size && signature->data[axis] < 0;
}

static bool shape_differs(const TfLiteTensor *tensor, const int *dims, int rank) {
  if (tensor->dims->size != rank) return true;
  for (int i = 0; i < rank; i++)
    if (tensor->dims->data[i] != dims[i]) return true;
  return false;
}

// The sound's samples fill the last open dimension.
static int sound_axis(const TfLiteTensor *tensor) {
  for (int i = tensor->dims->size - 1; i >= 0; i--)
    if (dim_open(tensor, i) && (i > 0 || tensor->dims->size == 1)) return i;
  return -1;
}

// Cuts off what lies before --start, resamples, and runs the front end; once for each sound.
static bool prepare_sound(feed *f, const session *s, int input, const feed_options *options, failure *why) {
  if (f->prepared) return true;
  const packed_tensor *about = session_about_input(s, input);
  double skip = options->start * f->sound.rate;
  if (skip >= (double)f->sound.count)
    return failure_set(why, "%s ends before --start %g: it lasts %.3f s", f->source, options->start,
                       (double)f->sound.count / f->sound.rate);
  f->sound.count -= (size_t)skip;
  memmove(f->sound.samples, f->sound.samples + (size_t)skip, f->sound.count * sizeof *f->sound.samples);
  int rate = options->rate ? options->rate : about && about->sample_rate ? about->sample_rate : f->sound.rate;
  sound_resample(&f->sound, rate);
  f->prepared = true;
  return !options->front_end || front_end_run(options->front_end, &f->sound, options->hop, &f->features, why);
}

bool feed_shape(feed *f, session *s, int input, const feed_options *options, bool *resized, failure *why) {
  const TfLiteTensor *tensor = session_input(s, input);
  int rank = tensor->dims->size, dims[NPY_MAX_RANK];
  if (rank > FEED_MAX_RANK) return true;
  for (int i = 0; i < rank; i++) dims[i] = tensor->dims->data[i];
  feed_place place;
  int axis;
  if (f->kind == FEED_SOUND && !prepare_sound(f, s, input, options, why)) return false;
  if (f->kind == FEED_ARRAY) {
    if (f->array.count == values_count(tensor)) return true;
    rank = f->array.rank;
    for (int i = 0; i < rank; i++) {
      if (f->array.dims[i] > INT32_MAX)
        return failure_set(why, "%s: a dimension of %zu is too large", f->source, f->array.dims[i]);
      dims[i] = (int)f->array.dims[i];
    }
  } else if (f->kind == FEED_PICTURE && feed_picture_place(tensor, options->layout, &place)) {
    if (dim_open(tensor, place.height_axis)) dims[place.height_axis] = f->picture.height;
    if (dim_open(tensor, place.width_axis)) dims[place.width_axis] = f->picture.width;
  } else if (f->kind == FEED_SOUND && !options->front_end && options->step == 0 && (axis = sound_axis(tensor)) >= 0) {
    dims[axis] = (int)f->sound.count;
  } else if ((f->kind == FEED_NUMBERS && f->number_count > 1) || f->kind == FEED_TEXTS) {
    int count = f->kind == FEED_TEXTS ? f->text_count : f->number_count;
    if (rank >= 1 && values_count(tensor) == 1 && dim_open(tensor, rank - 1)) dims[rank - 1] = count;
  }
  if (!shape_differs(tensor, dims, rank)) return true;
  *resized = true;
  return session_resize(s, input, dims, rank, why) || failure_prefix(why, "%s: ", f->source);
}

// ---- Values ----
// What a pixel becomes: mean and deviation per channel, or (std_count 0) the 8-bit value as it is.
typedef struct normalisation {
  double mean[FEED_CHANNELS], std[FEED_CHANNELS];
  bool raw;
} normalisation;

static void spread(double to[FEED_CHANNELS], const double *from, int count) {
  for (int c = 0; c < FEED_CHANNELS; c++) to[c] = from[c < count ? c : count - 1];
}

// A float input whose only reader quantises it to 8 bits: the range that a picture had in training is that of the
// quantised tensor.
static bool quantised_range(const session *s, const TfLiteTensor *tensor, normalisation *norm) {
  arn_node_info node;
  if (!session_reader(s, tensor, &node) || strcmp(node.name, "QUANTIZE") || node.outputs < 1) return false;
  const TfLiteTensor *stored = arn_interpreter_tensor(s->interpreter, 0, node.output_tensors[0]);
  if (!stored || (stored->type != kTfLiteInt8 && stored->type != kTfLiteUInt8) || !(stored->params.scale > 0)) return false;
  double scale = (double)stored->params.scale, zero = stored->params.zero_point + (stored->type == kTfLiteInt8 ? 128 : 0);
  for (int c = 0; c < FEED_CHANNELS; c++) {
    norm->mean[c] = zero;
    norm->std[c] = 1 / scale;
  }
  return true;
}

static normalisation picture_normalisation(const session *s, int input, const TfLiteTensor *tensor, const feed_options *options) {
  const packed_tensor *about = session_about_input(s, input);
  normalisation norm = {.raw = false};
  static const double zero = 0, one = 1, full = 255;
  bool flags = options->mean_count || options->std_count;
  bool small_integer = tensor->type == kTfLiteInt8 || tensor->type == kTfLiteUInt8;
  bool real = tensor->type == kTfLiteFloat32 || tensor->type == kTfLiteFloat16 || tensor->type == kTfLiteBFloat16 ||
              tensor->type == kTfLiteFloat64 || values_quantised(tensor);
  if (flags) {
    spread(norm.mean, options->mean_count ? options->mean : &zero, options->mean_count ? options->mean_count : 1);
    spread(norm.std, options->std_count ? options->std : &one, options->std_count ? options->std_count : 1);
  } else if (tensor->type == kTfLiteUInt8 || !real) {
    norm.raw = true;  // uint8 models take pixels as they are, whatever their metadata says of the float original
  } else if (about && about->norm_count) {
    spread(norm.mean, about->mean, about->norm_count);
    spread(norm.std, about->std, about->norm_count);
  } else if (small_integer) {
    norm.raw = true;
  } else if (!quantised_range(s, tensor, &norm)) {
    spread(norm.mean, &zero, 1);
    spread(norm.std, &full, 1);
    static bool told = false;
    if (!told)
      command_note("input '%s' is float and the model has no metadata: pixels are scaled to 0..1 (--mean and --std change that)",
                   session_input_name(s, input));
    told = true;
  }
  return norm;
}

static bool fill_picture(feed *f, const session *s, int input, TfLiteTensor *tensor, const feed_options *options, failure *why) {
  feed_place place;
  if (!feed_picture_place(tensor, options->layout, &place)) {
    char *shape = values_shape_text(tensor, true);
    failure_set(why, "%s: a picture does not fit input '%s' of shape %s; give an .npy file", f->source,
                session_input_name(s, input), shape);
    free(shape);
    return false;
  }
  image right = image_convert(&f->picture, place.channels, 0), small;
  bool good = image_resize(&right, place.width, place.height, options->fit, &small, &f->mapping, why);
  image_free(&right);
  if (!good) return failure_prefix(why, "%s: ", f->source);
  f->width = place.width;
  f->height = place.height;
  normalisation norm = picture_normalisation(s, input, tensor, options);
  int offset = norm.raw && tensor->type == kTfLiteInt8 ? -128 : 0;
  const uint8_t *pixel = small.pixels;
  for (int y = 0; y < place.height; y++)
    for (int x = 0; x < place.width; x++, pixel += place.channels)
      for (int c = 0; c < place.channels; c++) {
        size_t index = (size_t)y * place.row + (size_t)x * place.column + (size_t)c * place.channel;
        int value = pixel[options->bgr && place.channels >= 3 && c < 3 ? 2 - c : c];
        if (norm.raw)
          values_set_stored(tensor, index, value + offset);
        else
          values_set_real(tensor, index, (value - norm.mean[c]) / norm.std[c]);
      }
  image_free(&small);
  return true;
}

// What a sound is made of for a model: samples, or the front end's vectors. One input takes `span` of them.
static size_t sound_units(const feed *f) { return f->features.values ? f->features.windows : f->sound.count; }
static size_t sound_span(const feed *f, const TfLiteTensor *tensor) {
  return f->features.values ? values_count(tensor) / (size_t)f->features.width : values_count(tensor);
}
static size_t sound_step(const feed *f, const feed_options *options) {
  double units = options->step * f->sound.rate / (f->features.values ? f->features.hop : 1);
  return units < 1 ? 1 : (size_t)(units + 0.5);
}

int feed_windows(const feed *f, const session *s, int input, const feed_options *options) {
  if (f->kind != FEED_SOUND || options->step == 0) return 1;
  size_t units = sound_units(f), span = sound_span(f, session_input(s, input)), step = sound_step(f, options);
  size_t windows = units <= span ? 1 : (units - span) / step + 1;  // the tail that fills no window is left out
  return windows > INT32_MAX ? INT32_MAX : (int)windows;
}

static bool fill_sound(feed *f, const session *s, int input, TfLiteTensor *tensor, const feed_options *options, int window,
                       failure *why) {
  size_t span = sound_span(f, tensor), units = sound_units(f),
         first = (size_t)window * (options->step > 0 ? sound_step(f, options) : 0);
  double seconds = (f->features.values ? f->features.hop : 1) / (double)f->sound.rate;
  if (f->features.values && values_count(tensor) % (size_t)f->features.width)
    return failure_set(why, "input '%s' takes %zu numbers, which the front end's %d a window do not divide",
                       session_input_name(s, input), values_count(tensor), f->features.width);
  if (units > span && options->step == 0)
    command_note("%s: the first %zu of %zu %s are used (%.2f s); --start and --stream take others", f->source, span, units,
                 f->features.values ? "windows" : "samples", (double)span * seconds);
  size_t width = f->features.values ? (size_t)f->features.width : 1, have = units - first < span ? units - first : span;
  double mean = options->mean_count ? options->mean[0] : 0, std = options->std_count ? options->std[0] : 1;
  bool integer = !values_quantised(tensor) && tensor->type != kTfLiteFloat32 && tensor->type != kTfLiteFloat64;
  for (size_t i = 0; i < span * width; i++) {
    size_t at = first * width + i;
    if (f->features.values) {
      (f->features.stored ? values_set_stored : values_set_real)(tensor, i, i < have * width ? f->features.values[at] : 0);
    } else {
      double sample = i < have ? (double)f->sound.samples[at] : 0;
      // Integers without a quantisation hold 16-bit samples.
      (integer ? values_set_stored : values_set_real)(tensor, i, integer ? sample * 32768 : (sample - mean) / std);
    }
  }
  return true;
}

static bool fill_raw(const feed *f, const session *s, int input, TfLiteTensor *tensor, failure *why) {
  if (f->size != tensor->bytes) {
    char *shape = values_shape_text(tensor, false);
    failure_set(why, "%s has %zu bytes, input '%s' takes %zu (%s %s); pictures are PNG or JPEG, sounds WAV, arrays .npy",
                f->source, f->size, session_input_name(s, input), tensor->bytes, values_type_name(tensor->type), shape);
    free(shape);
    return false;
  }
  if (f->size) memcpy(tensor->data.raw, f->bytes, f->size);
  return true;
}

static bool fill_numbers(const feed *f, const session *s, int input, TfLiteTensor *tensor, failure *why) {
  size_t count = values_count(tensor);
  if (f->number_count != 1 && (size_t)f->number_count != count)
    return failure_set(why, "%s gives %d numbers, input '%s' takes %zu (or one for all)", f->source, f->number_count,
                       session_input_name(s, input), count);
  for (size_t i = 0; i < count; i++) values_set_real(tensor, i, f->numbers[f->number_count == 1 ? 0 : i]);
  return true;
}

// Zeros and noise for text: empty strings, or words.
static bool fill_words(const feed *f, const session *s, int input, TfLiteTensor *tensor, failure *why) {
  int count = (int)values_count(tensor);
  const char **words = command_alloc((size_t)count, sizeof *words);
  static const char *const some[] = {"arenite", "is", "a", "sandstone"};
  for (int i = 0; i < count; i++) words[i] = f->kind == FEED_ZEROS ? "" : some[(i + input) % 4];
  bool good = values_set_strings(tensor, words, count, why) || failure_prefix(why, "input '%s': ", session_input_name(s, input));
  free(words);
  return good;
}

bool feed_fill(feed *f, session *s, int input, const feed_options *options, int window, failure *why) {
  TfLiteTensor *tensor = session_input(s, input);
  if (session_constant(s, input)) return true;
  if (tensor->type == kTfLiteString) {
    if (f->kind == FEED_ZEROS || f->kind == FEED_RANDOM) return fill_words(f, s, input, tensor, why);
    if (f->kind != FEED_TEXTS)
      return failure_set(why, "input '%s' takes text: --input %d=text:HELLO", session_input_name(s, input), input);
    return values_set_strings(tensor, (const char *const *)f->texts, f->text_count, why);
  }
  if (!tensor->data.data && values_count(tensor))
    return failure_set(why, "input '%s' has no memory", session_input_name(s, input));
  uint64_t state = options->seed + (uint64_t)input;
  switch (f->kind) {
    case FEED_PICTURE: return fill_picture(f, s, input, tensor, options, why);
    case FEED_SOUND: return fill_sound(f, s, input, tensor, options, window, why);
    case FEED_ARRAY: return values_from_npy(tensor, &f->array, why) || failure_prefix(why, "%s: ", f->source);
    case FEED_RAW: return fill_raw(f, s, input, tensor, why);
    case FEED_NUMBERS: return fill_numbers(f, s, input, tensor, why);
    case FEED_ZEROS:
      for (size_t i = 0; i < values_count(tensor); i++) values_set_real(tensor, i, 0);
      return true;
    case FEED_RANDOM: feed_noise(tensor, &state); return true;
    default: return failure_set(why, "input '%s' is not of text", session_input_name(s, input));
  }
}
