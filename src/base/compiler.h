// SPDX-License-Identifier: Apache-2.0
// Attributes and compiler facts. Any file may include this.
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arenite/config.h"

#if defined(__GNUC__) || defined(__clang__)
#define BASE_PRINTF(format_index, first_arg) __attribute__((format(printf, format_index, first_arg)))
#define BASE_NOINLINE __attribute__((noinline))
#define BASE_EXPORT __attribute__((visibility("default")))
#else
#define BASE_PRINTF(format_index, first_arg)
#define BASE_NOINLINE
#define BASE_EXPORT
#endif

#define BASE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
