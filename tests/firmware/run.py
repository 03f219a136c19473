#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each firmware image in qemu on a pseudo-random input and compares its output with the host's, byte for byte.

    run.py HOST_BUILD FIRMWARE_BUILD

The host side is `arenite run` on the same bytes. Prints each image's arena and flash; ends with `N passed, N failed`.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

MODELS = {"sine": "models/sine.tflite", "digits": "models/digits/digits.tflite", "c2_bn": "{host}/c2_bn.tflite"}
INPUT_BYTES = {"sine": 1, "digits": 64, "c2_bn": 120 * 160}
QEMU = ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none", "-semihosting-config",
        "enable=on,target=native"]


def flash_bytes(image):
    """Bytes of code and constants without the model."""
    sections = subprocess.run(["arm-none-eabi-size", "-A", str(image)], check=True, capture_output=True, text=True).stdout
    sizes = dict(re.findall(r"^(\.\S+)\s+(\d+)", sections, re.M))
    return sum(int(sizes.get(name, 0)) for name in (".text", ".ARM.exidx", ".data"))


def run_one(name, host, firmware, folder):
    data = random.Random(name).randbytes(INPUT_BYTES[name])
    (folder / "input.bin").write_bytes(data)
    model = str(pathlib.Path(MODELS[name].format(host=host)).resolve())
    expected = folder / "expected.bin"
    subprocess.run([str(host / "arenite"), "run", model, str(folder / "input.bin"), "--output", f"0={expected}"], check=True,
                   stdout=subprocess.DEVNULL)
    image = (firmware / name).resolve()
    emulated = subprocess.run(["timeout", "120", *QEMU, "-kernel", str(image)], cwd=folder, capture_output=True, text=True)
    said = dict(line.split() for line in emulated.stderr.splitlines() + emulated.stdout.splitlines() if re.fullmatch(r"\w+ \d+", line))
    if emulated.returncode != 0:
        return f"the image ended with status {emulated.returncode}: {emulated.stdout}{emulated.stderr}"
    if (folder / "output.bin").read_bytes() != expected.read_bytes():
        return "its output differs from the host's"
    print(f"{name}: arena {said['arena']} bytes ({said['activations']} of it activations), flash {flash_bytes(image)} bytes without the model")
    return None


def main(host, firmware):
    failures = 0
    for name in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            complaint = run_one(name, host, firmware, pathlib.Path(folder))
        if complaint:
            failures += 1
            print(f"{name}: {complaint}")
    print(f"{len(MODELS) - failures} passed, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
