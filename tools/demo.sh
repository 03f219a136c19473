#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make demo` shows: the project's own digit classifier on held-out handwriting, what its operators cost, where its memory lies.
#   demo.sh BUILD_DIR
set -eu
PATH=$(realpath "$1"):$PATH
cd models/digits
show() {
  printf '\n$ %s\n' "$1"
  sh -c "$1"
}
show 'arenite run digits.tflite samples/7_0*.png --labels labels.txt'
show 'arenite run digits.tflite samples/*.png --expect name | tail -n 1'
show 'arenite run digits.tflite samples/7_0007.png --profile'
show 'arenite plan digits.tflite'
show 'arenite bench digits.tflite --runs 2000'
