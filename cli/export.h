// SPDX-License-Identifier: Apache-2.0
// Outputs into files: arrays, raw bytes, pictures.
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "session.h"

// By the file's suffix: .npy (real: dequantised to float32), .png (an output of [1, h, w], [1, h, w, 1] or [1, h, w, 3]),
// anything else the tensor's bytes.
bool export_output(const char *path, const session *s, int output, bool real, failure *why);
// `pattern` with every {} replaced by the file name of `source` without folder and suffix. The caller frees.
char *export_path(const char *pattern, const char *source);

#endif
