// SPDX-License-Identifier: Apache-2.0
// The description of the metadata schema, from metadata.def.
#include "schema/metadata.h"

#define DESCRIBE_DEF "schema/metadata.def"
#define DESCRIBE(name) metadata_##name
#define DESCRIBE_ROOT DESCRIBE(table_ModelMetadata)
#define DESCRIBE_IDENTIFIER METADATA_IDENTIFIER
#include "schema/describe_template.h"
