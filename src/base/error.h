// SPDX-License-Identifier: Apache-2.0
// Filling arn_error records. Any layer may use it.
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "arenite/status.h"
#include "base/compiler.h"

// Writes status and message into *error (when not NULL), with every index -1, and returns status, so that a function can
// `return error_set(error, ARN_INVALID_MODEL, "...")`. With ARENITE_MESSAGES 0 the format is dropped at compile time.
#if ARENITE_MESSAGES
arn_status error_set(arn_error *error, arn_status status, const char *format, ...) BASE_PRINTF(3, 4);
#else
arn_status error_code(arn_error *error, arn_status status);
#define error_set(error, status, ...) error_code((error), (status))
#endif

#endif
