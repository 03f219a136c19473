#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Median latency of Arenite against today's TensorFlow Lite (ai-edge-litert, XNNPACK on, one thread), model by model in one run.

    peer.py BUILD_DIR MODEL.tflite...

The two take turns (five rounds each) on zero inputs, so that a slow spell of the machine hits both; the best round's median counts. A ratio below 1 means
that Arenite is faster. The peer is timed around invoke() from Python, which costs it about a microsecond.
"""
import ctypes
import pathlib
import statistics
import sys
import time

from ai_edge_litert.interpreter import Interpreter

ROUNDS, SECONDS_A_ROUND = 5, 0.3


class Arenite:
    """The C API library, through ctypes: the same calls as any program makes."""

    def __init__(self, library, model):
        c = self.c = ctypes.CDLL(str(library))
        for name in ("ModelCreateFromFile", "InterpreterOptionsCreate", "InterpreterCreate"):
            getattr(c, "TfLite" + name).restype = ctypes.c_void_p
        c.TfLiteInterpreterCreate.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        c.TfLiteInterpreterAllocateTensors.argtypes = c.TfLiteInterpreterInvoke.argtypes = [ctypes.c_void_p]
        self.model = c.TfLiteModelCreateFromFile(str(model).encode())
        self.interpreter = self.model and c.TfLiteInterpreterCreate(self.model, None)
        if not self.interpreter or c.TfLiteInterpreterAllocateTensors(self.interpreter):
            raise RuntimeError("Arenite refuses it")

    def invoke(self):
        if self.c.TfLiteInterpreterInvoke(self.interpreter):
            raise RuntimeError("Arenite's inference fails")


def load_peer(model):
    peer = Interpreter(str(model), num_threads=1)
    peer.allocate_tensors()
    return peer


def median_of_round(invoke):
    times, end = [], time.perf_counter() + SECONDS_A_ROUND
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        invoke()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(build, models):
    ratios = []
    print(f"{'model':40} {'arenite us':>12} {'litert us':>12} {'ratio':>7}")
    for model in models:
        try:
            ours, peer = Arenite(build / "libtensorflowlite_c.so", model), load_peer(model)
            medians = [(median_of_round(ours.invoke), median_of_round(peer.invoke)) for _ in range(ROUNDS)]
        except (RuntimeError, ValueError) as error:
            print(f"{model.name:40} {str(error).splitlines()[0][:60]}")
            continue
        us, them = (min(column) * 1e6 for column in zip(*medians))
        ratios.append(us / them)
        print(f"{model.name:40} {us:12.1f} {them:12.1f} {us / them:7.2f}")
    if ratios:
        print(f"geometric mean of the ratio over {len(ratios)} models: {statistics.geometric_mean(ratios):.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(m) for m in sys.argv[2:]])
