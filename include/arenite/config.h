// SPDX-License-Identifier: Apache-2.0
// Build-time configuration. Every macro is 0 or 1; a build sets one with -DARENITE_X=1. Any file may include this.
#ifndef ARENITE_CONFIG_H
#define ARENITE_CONFIG_H

// 1: the micro interpreter: one caller-given arena, no heap, no files, no threads, compact tensor records.
#ifndef ARENITE_MICRO
#define ARENITE_MICRO 0
#endif

// 1: error messages carry text; 0: only status, node and tensor (saves flash on micro targets).
#ifndef ARENITE_MESSAGES
#define ARENITE_MESSAGES 1
#endif

#endif
