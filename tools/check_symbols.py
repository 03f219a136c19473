#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where the libraries' symbols leave the house rules.

    check_symbols.py BUILD_DIR

- libarenite.so exports arn_* alone, libtensorflowlite_c.so TfLite* alone, under version node VERS_1.0;
- in libarenite.a a global symbol begins with arn_, TfLite, its folder's word or its file's first word, and no data is writable: there is no
  global state.
"""
import pathlib
import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def exported(library):
    return [line.split()[-1] for line in run("nm", "-D", "--defined-only", str(library)) if line.split()[-2] != "A"]


def main(build):
    complaints = []
    for library, prefix, version in (("libarenite.so", "arn_", ""), ("libtensorflowlite_c.so", "TfLite", "@@VERS_1.0")):
        names = exported(build / library)
        if not names:
            complaints.append(f"{library}: exports nothing")
        complaints += [f"{library}: exports {n}" for n in names if not (n.startswith(prefix) and n.endswith(version))]
    folders = {path.name: path.parent.name for path in pathlib.Path("src").glob("*/*.c")}
    member, checked = "", 0
    for line in run("objdump", "-t", str(build / "libarenite.a")):
        header = re.match(r"(\S+\.c)\.o:", line)
        if header:
            member = header.group(1)
            continue
        # value, flags (g: global), section, size, name
        match = re.match(r"[0-9a-f]+ (.{7}) (\S+)\t[0-9a-f]+ +(?:\.hidden )?(\S+)$", line)
        if not match or member not in folders:
            continue
        flags, section, name = match.groups()
        if "asan" in name or "ubsan" in name or name.startswith(".") or section == "*UND*":
            continue
        # .data.rel.ro holds constants with addresses in them: read-only once they are relocated.
        if "O" in flags and re.match(r"\.(data|bss)(?!\.rel\.ro)|\*COM\*", section):
            complaints.append(f"{member}: {name} is writable data")
        if "g" in flags or "u" in flags or "w" in flags:
            checked += 1
            words = ("arn", folders[member], re.split(r"[_.]", member)[0], {"flatbuffer": "fb", "ops": "op"}.get(folders[member], ""))
            if not name.startswith("TfLite") and not any(w and w.startswith(name.split("_")[0]) for w in words):
                complaints.append(f"{member}: {name} begins with none of {', '.join(w for w in words if w)}")
    print("\n".join(complaints) or f"{checked} symbols keep the prefixes")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
