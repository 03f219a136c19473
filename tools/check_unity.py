#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails unless all of src compiles as one translation unit, hosted and micro: file-static names are unique in the tree.

    check_unity.py [COMPILER...]
"""
import pathlib
import subprocess
import sys

FOLDERS = ["base", "flatbuffer", "plan", "quant", "schema", "kernels", "model", "ops", "graph", "runtime", "host", "capi"]


def compile_unit(compiler, folders, definitions):
    lines = [f'#include "{path}"' for folder in folders for path in sorted(pathlib.Path("src", folder).glob("*.c"))]
    command = [compiler, "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Werror", "-I.", "-Iinclude", "-Isrc", "-fsyntax-only", *definitions, "-xc", "-"]
    return subprocess.run(command, input="\n".join(lines) + "\n", text=True).returncode == 0


def main(compilers):
    ok = True
    for compiler in compilers:
        ok &= compile_unit(compiler, FOLDERS, [])
        ok &= compile_unit(compiler, [f for f in FOLDERS if f not in ("runtime", "host", "capi")] + ["micro"], ["-DARENITE_MICRO=1"])
    print("one translation unit compiles" if ok else "the sources collide")
    return not ok


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["gcc"]))
