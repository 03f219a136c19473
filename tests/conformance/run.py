#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance records of ../shared/cases through build/libtensorflowlite_c.so and holds the counts against known.tsv.

    run.py BUILD SHARED [--update]

known.tsv names the files whose records do not all pass: file, how many fail, why. A file that fails more records than that fails this test, and so
does one that fails fewer (the list must say what is true); --update rewrites the counts. Ends with `N passed, N failed`, counted in files.
"""
import pathlib
import re
import subprocess
import sys

KNOWN = pathlib.Path(__file__).with_name("known.tsv")


def read_known():
    rows = {}
    for line in KNOWN.read_text().splitlines():
        if line and not line.startswith("#"):
            name, count, reason = line.split("\t")
            rows[name] = (int(count), reason)
    return rows


def main(build, shared, update):
    runner = build / "cases"
    subprocess.run(["gcc", "-O2", "-o", str(runner), str(shared / "tools/cases.c"), "-ldl", "-lm"], check=True)
    known, failures, totals, seen = read_known(), 0, [0, 0, 0], {}
    for kind in ("kernels", "models"):
        files = sorted((shared / "cases" / kind).glob("*.cases"))
        output = subprocess.run([str(runner), "-m", str(shared / "models"), str(build / "libtensorflowlite_c.so"), *map(str, files)],
                                capture_output=True, text=True).stdout
        counts = {}
        for line in output.splitlines():
            match = re.match(r"(\S+\.cases)\s+(\d+) passed(.*)", line)
            if match:
                parts = {what: int(n) for n, what in re.findall(r", (\d+) ([a-z ]+)", match.group(3))}
                skipped = parts.pop("skipped", 0)
                counts[match.group(1)] = (int(match.group(2)), sum(parts.values()), skipped)
        if len(counts) != len(files):
            print(f"{kind}: {len(counts)} of {len(files)} files were run")
            failures += 1
        for name, (passed, failed, skipped) in counts.items():
            totals = [totals[0] + passed, totals[1] + failed, totals[2] + skipped]
            seen[name] = failed
            allowed, reason = known.get(name, (0, ""))
            if failed != allowed and not update:
                failures += 1
                print(f"{name}: {failed} records fail, known.tsv says {allowed} {reason}")
    if update:
        head = [line for line in KNOWN.read_text().splitlines() if line.startswith("#")]
        rows = [f"{name}\t{n}\t{known.get(name, (0, '?'))[1]}" for name, n in sorted(seen.items()) if n]
        KNOWN.write_text("\n".join(head + rows) + "\n")
    print(f"records: {totals[0]} pass, {totals[1]} fail, {totals[2]} skipped")
    print(f"{len(seen) - failures} passed, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(arguments[0]), pathlib.Path(arguments[1]), "--update" in sys.argv))
