// SPDX-License-Identifier: Apache-2.0
// Statuses and error records: what every fallible arn_ function returns and fills.
#ifndef ARENITE_STATUS_H
#define ARENITE_STATUS_H

#include <stdint.h>

#include "arenite/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum arn_status {
  ARN_OK = 0,
  ARN_ERROR = 1,
  ARN_INVALID_ARGUMENT = 2,
  ARN_INVALID_MODEL = 3,
  ARN_UNRESOLVED_OP = 4,
  ARN_UNSUPPORTED = 5,
  ARN_OUT_OF_MEMORY = 6,
  ARN_ARENA_TOO_SMALL = 7,
  ARN_IO = 8,
  ARN_NOT_FOUND = 9,
  ARN_WRONG_STATE = 10,
  ARN_CANCELLED = 11,
  ARN_BUDGET = 12,
} arn_status;

enum { ARN_MESSAGE_MAX = ARENITE_MESSAGES ? 512 : 1 };

// What went wrong and where. The caller owns it, passes its address (NULL: not wanted), and reads it after a call that did
// not return ARN_OK; it is not written on success. Indices that do not apply are -1.
typedef struct arn_error {
  arn_status status;
  int32_t subgraph;
  int32_t node;    // operator index within the subgraph
  int32_t tensor;  // tensor index within the subgraph
  int64_t byte;    // offset in the model file
  char message[ARN_MESSAGE_MAX];  // a sentence: what, where, what to do; no trailing newline
} arn_error;

// The text of a status ("the model file is malformed"); never NULL. Static storage.
const char *arn_status_text(arn_status status);

#ifdef __cplusplus
}
#endif
#endif
