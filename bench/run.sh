#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks: planners over random problems, and latency against TensorFlow Lite with XNNPACK in the same run.
#   run.sh BUILD_DIR [MODEL.tflite...]
set -eu
build=$1
shift
if [ ! -x "$build/peer/bin/python" ]; then
  python3 -m venv "$build/peer"
  "$build/peer/bin/pip" install -q ai-edge-litert
fi
[ $# -gt 0 ] || set -- models/digits/digits.tflite models/sine.tflite "$build/c2_bn.tflite"
"$build/peer/bin/python" bench/peer.py "$build" "$@"
