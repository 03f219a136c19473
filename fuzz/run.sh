#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every target for a while with libFuzzer under the address and undefined-behaviour sanitizers, from the corpus in the tree and
# what earlier runs found (build-fuzz/corpus). A finding is left in build-fuzz and ends the run.
#   fuzz/run.sh [TARGET...]      FUZZ_SECONDS (60) a target; CLANG (clang)
set -eu
cd "$(dirname "$0")/.."
clang=${CLANG:-clang}
flags=(-std=c11 -g -O1 -D_POSIX_C_SOURCE=200809L -fno-omit-frame-pointer -ffp-contract=off -Iinclude -Isrc -Itests)
sanitize=-fsanitize=fuzzer,address,undefined
sources=$(ls src/*/*.c | grep -Ev '^src/(capi|micro)/')
mkdir -p build-fuzz/seeds
"$clang" "${flags[@]}" fuzz/make_seeds.c $sources -lm -o build-fuzz/make_seeds
build-fuzz/make_seeds build-fuzz/seeds
targets=${*:-$(cd fuzz && ls fuzz_*.c | sed 's/\.c$//')}
for target in $targets; do
  name=${target#fuzz_}
  case $name in run | verify) mutator=fuzz/model_mutator.c ;; *) mutator= ;; esac
  "$clang" "${flags[@]}" "$sanitize" -fno-sanitize-recover=all "fuzz/$target.c" $mutator $sources -lm -o "build-fuzz/$target"
  mkdir -p "build-fuzz/corpus/$name" "fuzz/corpus/$name"
  echo "== $target, ${FUZZ_SECONDS:-60} s"
  "build-fuzz/$target" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -max_len=8192 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build-fuzz/$name-" "build-fuzz/corpus/$name" "fuzz/corpus/$name" build-fuzz/seeds
done
