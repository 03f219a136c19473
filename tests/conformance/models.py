#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every model of a folder once, on random numbers, where they are not what the model takes (indices, say) on zeros: each must run, or be
refused with a message that names what is missing or wrong; none may crash or take longer than 60 s of computing. Prints a table.

    models.py BUILD MODELS_DIR [--jobs N] [--known TABLE]

With --known, a refusal that the table (file<TAB>part of the message) does not have counts as failed: what once ran must go on running.
Ends with `N passed, N failed`, counted in models.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import time

LIMIT = 60  # seconds of computing; five times as long on the clock, for machines that do other things too
# A refusal says where: a node or tensor, an operator without kernel, a place in the file.
PLACE = re.compile(r"\bnode \d|\btensor \d|\bsubgraph \d|\bsubgraphs\[|no kernel for|\(byte \d|version \d")


def limit_computing():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def attempt(program, model, fill):
    try:
        run = subprocess.run([str(program), "run", str(model), "--fill", fill, "--quiet"], capture_output=True, text=True, errors="replace",
                             timeout=5 * LIMIT, preexec_fn=limit_computing)
    except subprocess.TimeoutExpired:
        return None, f"took longer than {5 * LIMIT} s"
    last = run.stderr.strip().splitlines()[-1] if run.stderr.strip() else ""
    return run.returncode, re.sub(r"^arenite run: \S*?\.tflite: ", "", last)


def examine(program, model):
    """(outcome, why, seconds): outcome is ran, refused or FAILED."""
    start = time.monotonic()
    code, text = attempt(program, model, "random")
    why = text
    if code == 1:
        code, _ = attempt(program, model, "zeros")
        why = f"on zeros; on random numbers: {text}" if code == 0 else text
    seconds = time.monotonic() - start
    if code == 0:
        return "ran", why, seconds
    if code == 1 and PLACE.search(text):
        return "refused", text, seconds
    return "FAILED", f"exit {code}: {text}", seconds


def read_known(path):
    known = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, part = line.partition("\t")
            known.setdefault(name, []).append(part)
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("models")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--known")
    options = parser.parse_args()
    program = pathlib.Path(options.build) / "arenite"
    known = read_known(options.known) if options.known else None
    files = sorted(pathlib.Path(options.models).glob("*.tflite"))
    counts = {"ran": 0, "refused": 0, "FAILED": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for model, (outcome, why, seconds) in zip(files, pool.map(lambda model: examine(program, model), files)):
            if outcome == "refused" and known is not None and not any(part in why for part in known.get(model.name, [])):
                outcome, why = "FAILED", f"refused, and not known to be: {why}"
            counts[outcome] += 1
            print(f"{model.name:44} {outcome:8} {seconds:6.2f} s  {why}")
    print(f"{len(files)} models: {counts['ran']} ran, {counts['refused']} refused")
    failed = counts["FAILED"] or (0 if files else 1)
    print(f"{len(files) - counts['FAILED']} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
