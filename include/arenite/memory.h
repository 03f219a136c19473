// SPDX-License-Identifier: Apache-2.0
// Ways to save activation memory, each on its own; results are the same with all of them on and off.
#ifndef ARENITE_MEMORY_H
#define ARENITE_MEMORY_H

enum {
  ARN_MEMORY_DEFAULT = 0,        // in options: the configuration's default, below
  ARN_MEMORY_VIEWS = 1,          // RESHAPE and its like take no memory of their own
  ARN_MEMORY_IN_PLACE = 2,       // element-wise operators write over an input that dies there
  ARN_MEMORY_ROWS = 4,           // convolutions and pools write over the input rows that they have consumed
  ARN_MEMORY_JOINS = 8,          // CONCATENATION, PACK, SPLIT and UNPACK along the outermost dimension move nothing
  ARN_MEMORY_ORDER = 16,         // operators run in an order that lowers the peak
  ARN_MEMORY_FREE_INPUTS = 32,   // an input's memory is used again after its last use: it must be set before every inference
  ARN_MEMORY_SEPARATE = 64,      // none of these
  // Hosts: inputs stay, rows are not overlapped (fast kernels work on several rows at once).
  ARN_MEMORY_HOST = ARN_MEMORY_VIEWS | ARN_MEMORY_IN_PLACE | ARN_MEMORY_JOINS | ARN_MEMORY_ORDER,
  ARN_MEMORY_MICRO = ARN_MEMORY_VIEWS | ARN_MEMORY_IN_PLACE | ARN_MEMORY_ROWS | ARN_MEMORY_JOINS | ARN_MEMORY_FREE_INPUTS,
};

#endif
