// SPDX-License-Identifier: Apache-2.0
// Status texts and error records.
#include "base/error.h"

#include <string.h>
#if ARENITE_MESSAGES
#include <stdarg.h>
#include <stdio.h>
#endif

const char *arn_status_text(arn_status status) {
  switch (status) {
#define ARN_STATUS_ROW(name, number, text) \
  case ARN_##name: return text;
#include "base/status.def"
#undef ARN_STATUS_ROW
  }
  return "unknown status";
}

#define ARN_STATUS_ROW(name, number, text) _Static_assert(ARN_##name == (number), "status.h and status.def agree");
#include "base/status.def"
#undef ARN_STATUS_ROW

static void error_clear(arn_error *error, arn_status status) {
  error->status = status;
  error->subgraph = error->node = error->tensor = -1;
  error->byte = -1;
  error->message[0] = '\0';
}

#if ARENITE_MESSAGES
arn_status error_set(arn_error *error, arn_status status, const char *format, ...) {
  if (error) {
    error_clear(error, status);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
  }
  return status;
}
#else
arn_status error_code(arn_error *error, arn_status status) {
  if (error) error_clear(error, status);
  return status;
}
#endif
