// SPDX-License-Identifier: Apache-2.0
// The .tflite schema in C: constants, typed accessors and names, all made from schema.def.
//   Conv2DOptions_stride_w(options), Model_subgraphs(root), BuiltinOperator_CONV_2D, BuiltinOptions_Conv2DOptions, ...
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include "flatbuffer/fb_schema.h"
#include "schema/accessor_rows.h"
#include "schema/schema.def"

enum { SCHEMA_VERSION = 3 };
#define SCHEMA_IDENTIFIER "TFL3"

// What the verifier and the byte walk follow.
extern const fb_schema schema_description;

// Names as the schema spells them ("CONV_2D", "FLOAT32", "SAME"); NULL for a number that the schema does
// not know, and always without messages (ARENITE_MESSAGES 0).
const char *schema_builtin_operator_name(int32_t code);
const char *schema_tensor_type_name(int32_t type);

// Which options table builtin operator `code` carries: the union's member number, 0 for none. *second tells whether it stands
// in Operator.builtin_options_2 (true) or builtin_options.
uint8_t schema_operator_options(int32_t code, bool *second);

// The description of the table that a type value of BuiltinOptions (second: BuiltinOptions2) or of QuantizationDetails
// selects; NULL for 0 and for values that the schema does not know.
const fb_table_desc *schema_options_table(uint8_t type, bool second);
const fb_table_desc *schema_quantization_details(uint8_t type);

#endif
