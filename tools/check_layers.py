#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where an #include runs against the layers of docs/tour.md, or where two files share a basename.

    check_layers.py [REPOSITORY]
"""
import pathlib
import re
import sys

# A folder may include itself and folders of a lower number.
LAYER = {"base": 0, "flatbuffer": 1, "plan": 1, "quant": 1, "schema": 2, "kernels": 2, "model": 3, "ops": 4, "graph": 5,
         "runtime": 6, "capi": 7, "micro": 7, "host": 7}
# What stands outside src uses the public headers.
PUBLIC_ONLY = ("cli", "python", "delegates")


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def main(root):
    complaints, basenames = [], {}
    for path in sorted(root.glob("src/*/*.[ch]")) + sorted(root.glob("src/*/*.def")):
        folder = path.parent.name
        if folder not in LAYER:
            complaints.append(f"{path.relative_to(root)}: folder {folder} is not in the layer list")
            continue
        if path.name in basenames:
            complaints.append(f"{path.relative_to(root)}: the basename is taken by {basenames[path.name]}")
        basenames[path.name] = path.relative_to(root)
        for number, name in includes(path):
            target = name.split("/")[0]
            if target in LAYER and target != folder and LAYER[target] >= LAYER[folder]:
                complaints.append(f"{path.relative_to(root)}:{number}: {folder} must not include {name}")
    for top in PUBLIC_ONLY:
        for path in sorted(root.glob(f"{top}/**/*.[ch]")):
            for number, name in includes(path):
                if name.split("/")[0] in LAYER:
                    complaints.append(f"{path.relative_to(root)}:{number}: {top} uses public headers only, not {name}")
    print("\n".join(complaints) or f"{len(basenames)} files keep the layers")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
