#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An installation is usable by others: through pkg-config, through find_package, and as the TensorFlow Lite C library; and the sources build
# without CMake. Ends with `N passed, N failed`.
#   check.sh BUILD_DIR
set -u
build=$(realpath "$1")
root=$(realpath .)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
  name=$1
  shift
  if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "failed: $name"
    cat "$work/log"
  fi
}
runs() { LD_LIBRARY_PATH=$work/lib "$1" "$root/models/digits/digits.tflite" | grep -q 'of 10 is the largest'; }

cmake --install "$build" --prefix "$work" >"$work/log" 2>&1 || { cat "$work/log"; echo "0 passed, 1 failed"; exit 1; }
libdir=$(dirname "$(find "$work" -name libarenite.a)")
ln -sfn "$libdir" "$work/lib" 2>/dev/null
sed -i "s|^prefix=.*|prefix=$work|" "$libdir/pkgconfig/arenite.pc"
export PKG_CONFIG_PATH=$libdir/pkgconfig

by_pkg_config() { cc -std=c11 examples/classify.c $(pkg-config --cflags --libs arenite) -o "$work/by_pkg_config" && LD_LIBRARY_PATH=$libdir runs "$work/by_pkg_config"; }
by_find_package() {
  mkdir -p "$work/user" && cp examples/classify.c "$work/user" &&
    printf 'cmake_minimum_required(VERSION 3.22)\nproject(user C)\nfind_package(arenite REQUIRED)\nadd_executable(classify classify.c)\ntarget_link_libraries(classify arenite::arenite)\n' >"$work/user/CMakeLists.txt" &&
    cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work" && cmake --build "$work/user/build" && runs "$work/user/build/classify"
}
as_tensorflow_lite() {
  cat >"$work/version.c" <<'C'
#include <tensorflow/lite/c/c_api.h>
#include <stdio.h>
int main(void) { return TfLiteVersion() ? (puts(TfLiteVersion()), 0) : 1; }
C
  cc -std=c11 "$work/version.c" -I"$work/include" -L"$libdir" -ltensorflowlite_c -o "$work/version" && LD_LIBRARY_PATH=$libdir "$work/version"
}
without_cmake() { cc -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -Iinclude -Isrc examples/classify.c src/*/*.c -lm -o "$work/plain" && runs "$work/plain"; }
operators_header() { printf '#include <arenite/ops.h>\nconst void *op = &arn_op_conv_2d;\n' | cc -std=c11 -Wall -Werror -I"$work/include" -c -xc - -o "$work/ops.o"; }
as_cxx() { for h in "$work"/include/arenite/*.h; do printf '#include "%s"\n' "$h"; done | c++ -std=c++17 -Wall -Werror -I"$work/include" -fsyntax-only -xc++ -; }

check "pkg-config" by_pkg_config
check "find_package" by_find_package
check "libtensorflowlite_c" as_tensorflow_lite
check "cc src/*/*.c" without_cmake
check "arenite/ops.h" operators_header
check "the headers as C++" as_cxx
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
