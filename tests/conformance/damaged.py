#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds damaged copies of real models to every fuzz target, in a sanitizer build: each file cut at 200 lengths, with 2000 random bytes changed,
and 2000 times a byte of the format's own numbers. No report, no crash, no input slower than 10 s.

    damaged.py SANITIZER_BUILD MODELS [--cuts N] [--flips N]

Ends with `N passed, N failed`, counted in files and targets.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys


def damage(program, model, options):
    run = subprocess.run([str(program), *options, str(model)], capture_output=True, text=True, errors="replace")
    match = re.search(r"(\d+) inputs, slowest ([\d.]+) s", run.stdout)
    return run.returncode, int(match.group(1)) if match else 0, float(match.group(2)) if match else 0.0, run.stderr[-3000:]


def main(build, models, options):
    programs = sorted(path for path in pathlib.Path(build).glob("mutate_*") if os.access(path, os.X_OK))
    files = sorted(pathlib.Path(models).glob("*.tflite"))
    if not programs or not files:
        print(f"no mutate_* programs in {build} or no models in {models}")
        print("0 passed, 1 failed")
        return True
    failed, inputs, slowest = 0, 0, (0.0, "")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(program, model, pool.submit(damage, program, model, options)) for program in programs for model in files]
        for program, model, job in jobs:
            code, count, seconds, errors = job.result()
            inputs += count
            slowest = max(slowest, (seconds, f"{program.name} {model.name}"))
            if code != 0:
                failed += 1
                print(f"{program.name} {model.name}: exit {code}\n{errors}")
    print(f"{inputs} inputs, slowest {slowest[0]:.3f} s ({slowest[1]})")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
