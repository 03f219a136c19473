// SPDX-License-Identifier: Apache-2.0
// What a model says about its use: the TFLite Metadata record (identifier M001) in the model's metadata entry TFLITE_METADATA,
// and the files packed with the model, which are a zip archive behind the FlatBuffer.
#ifndef CLI_PACKED_H
#define CLI_PACKED_H

#include "command.h"

// AssociatedFile.type of the metadata schema.
enum { PACKED_AXIS_LABELS = 2, PACKED_VALUE_LABELS = 3 };

typedef struct packed_file {
  char *name, *description, *locale;
  int type;
} packed_file;

enum { PACKED_CHANNELS = 4 };

// One input or output. Counts of 0 and empty texts: not said.
typedef struct packed_tensor {
  char *name, *description;
  double mean[PACKED_CHANNELS], std[PACKED_CHANNELS];  // real = (pixel or sample - mean) / std
  int norm_count;                                      // how many of them
  bool image, grey;                                    // the content is a picture; it is a grey one
  int sample_rate, channels;                           // the content is sound
  double threshold;                                    // least score that counts; NaN: not said
  packed_file *files;
  int file_count;
} packed_tensor;

typedef struct packed {
  char *name, *description, *version, *author, *license;
  packed_tensor *inputs, *outputs;  // of the first subgraph
  int input_count, output_count;
} packed;

// Reads the metadata record; every offset is checked against `size`, nothing is trusted.
bool packed_parse(const uint8_t *bytes, size_t size, packed *out, failure *why);
void packed_release(packed *in);

// The files packed with the model at `path`. names ends with NULL (packed_free_names); none is no failure.
char **packed_list(const char *path);
void packed_free_names(char **names);
bool packed_extract(const char *path, const char *name, uint8_t **bytes, size_t *size, failure *why);
// The best label file of an output: of axis or value labels, the given locale first, then English, then the one without a
// locale. NULL: none.
const char *packed_label_file(const packed_tensor *output, const char *locale);

#endif
