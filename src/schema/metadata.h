// SPDX-License-Identifier: Apache-2.0
// The TFLite metadata schema in C: constants and typed accessors, all made from metadata.def. A model carries it as a nested
// FlatBuffer in the buffer that its metadata entry METADATA_NAME names.
#ifndef SCHEMA_METADATA_H
#define SCHEMA_METADATA_H

#include "flatbuffer/fb_schema.h"
#include "schema/accessor_rows.h"
#include "schema/metadata.def"

#define METADATA_NAME "TFLITE_METADATA"
#define METADATA_IDENTIFIER "M001"

// What the verifier and the byte walk follow.
extern const fb_schema metadata_description;

#endif
