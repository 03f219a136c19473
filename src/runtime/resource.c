// SPDX-License-Identifier: Apache-2.0
// Resources: objects by (container, name), shared by an interpreter's subgraphs, kept until it goes.
#include "runtime/subgraph.h"

static bool is_resource(const runtime_resource *resource, const char *container, size_t container_bytes, const char *name,
                        size_t name_bytes) {
  return resource->key_bytes == container_bytes + name_bytes && memcmp(resource->key, container, container_bytes) == 0 &&
         memcmp(resource->key + container_bytes, name, name_bytes) == 0;
}

int runtime_resource_id(arn_interpreter *in, const char *container, const char *name) {
  const char *text = container ? container : "", *label = name ? name : "";
  size_t text_bytes = strlen(text) + 1, label_bytes = strlen(label) + 1;
  for (int i = 0; i < in->resource_count; i++) {
    if (is_resource(&in->resources[i], text, text_bytes, label, label_bytes)) return i;
  }
  if (in->resource_count == in->resource_capacity) {
    size_t have = (size_t)in->resource_capacity, larger = have ? 2 * have : 4;
    runtime_resource *more = larger < INT32_MAX ? runtime_take(in, larger, sizeof *more) : NULL;
    if (!more) return -1;
    if (have) memcpy(more, in->resources, have * sizeof *more);
    runtime_give(in, in->resources, have, sizeof *more);
    in->resources = more;
    in->resource_capacity = (int)larger;
  }
  runtime_resource *made = &in->resources[in->resource_count];
  *made = (runtime_resource){.key = runtime_take(in, text_bytes + label_bytes, 1), .key_bytes = text_bytes + label_bytes};
  if (!made->key) return -1;
  memcpy(made->key, text, text_bytes);
  memcpy(made->key + text_bytes, label, label_bytes);
  return in->resource_count++;
}

static void destroy_object(arn_interpreter *in, runtime_resource *resource) {
  if (resource->object && resource->destroy) resource->destroy(&in->subgraphs[0].context, resource->object);
  resource->object = NULL;
  resource->destroy = NULL;
}

TfLiteStatus runtime_put_resource(arn_interpreter *in, int id, void *object,
                                  void (*destroy)(TfLiteContext *context, void *object)) {
  if (id < 0 || id >= in->resource_count) return kTfLiteError;
  runtime_resource *resource = &in->resources[id];
  if (resource->object != object) destroy_object(in, resource);
  resource->object = object;
  resource->destroy = destroy;
  return kTfLiteOk;
}

void runtime_free_resources(arn_interpreter *in) {
  for (int i = 0; i < in->resource_count; i++) {
    destroy_object(in, &in->resources[i]);
    runtime_give(in, in->resources[i].key, in->resources[i].key_bytes, 1);
  }
  runtime_give(in, in->resources, (size_t)in->resource_capacity, sizeof *in->resources);
  in->resources = NULL;
  in->resource_count = in->resource_capacity = 0;
}
