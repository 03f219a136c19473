// SPDX-License-Identifier: Apache-2.0
// The drawing of a plan, for a file of its own and for the page.
#ifndef CLI_PLAN_PICTURE_H
#define CLI_PLAN_PICTURE_H

#include <stdio.h>

#include "plan_view.h"

// The <svg> element; box i of the view has the id "b<i>".
void plan_picture_draw(const plan_view *view, FILE *out);
// How the picture colours a box: "input", "output", "scratch", "planned" or "alias".
const char *plan_picture_class(const plan_view *view, const arn_memory_row *row);
void plan_picture_escape(FILE *out, const char *text);  // for text and attributes of XML and HTML; text of any origin

#endif
