#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the smallest useful network, y = sin(x) for x in 0..2 pi by 1-16-16-1 ReLU layers, and writes it for tools/make_int8.c.

    sine.py NETWORK.txt
"""
import sys

import numpy as np

SEED, STEPS = 7, 12000


def main(path):
    rng = np.random.default_rng(SEED)
    x = np.linspace(0, 2 * np.pi, 1000)[:, None]
    y = np.sin(x)
    sizes = (1, 16, 16, 1)
    w = [rng.normal(0, (2 / a) ** 0.5, (b, a)) for a, b in zip(sizes, sizes[1:])]
    c = [rng.normal(0, 1, b) if a == 1 else np.zeros(b) for a, b in zip(sizes, sizes[1:])]
    mean, square = [[np.zeros_like(v) for v in w + c] for _ in range(2)]
    for step in range(1, STEPS + 1):
        a = [x]
        for k in range(3):
            z = a[-1] @ w[k].T + c[k]
            a.append(z if k == 2 else np.maximum(z, 0))
        d, dw, dc = 2 * (a[3] - y) / len(x), [None] * 3, [None] * 3
        for k in (2, 1, 0):
            dw[k], dc[k] = d.T @ a[k], d.sum(axis=0)
            d = (d @ w[k]) * (a[k] > 0)
        rate = 1e-2 * 0.5 * (1 + np.cos(np.pi * step / STEPS))
        for value, g, m, s in zip(w + c, dw + dc, mean, square):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            value -= rate * 1e-4 * value + rate * m / (1 - 0.9 ** step) / (np.sqrt(s / (1 - 0.999 ** step)) + 1e-8)
    print(f"largest error of the float network: {np.abs(a[3] - y).max():.4f}")
    with open(path, "w") as f:
        for k in range(3):
            for name, value in ((f"dense{k + 1}", w[k]), (f"bias{k + 1}", c[k])):
                f.write(f"tensor {name} {value.ndim} {' '.join(map(str, value.shape))}\n")
                f.write("\n".join(f"{v:.7g}" for v in value.ravel()) + "\n")
        f.write("input x 2 1 1 0 6.283185\n")
        for k in range(3):
            f.write(f"fully_connected dense{k + 1} bias{k + 1} {'none' if k == 2 else 'relu'} {a[k + 1].min():.7g} {a[k + 1].max():.7g}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
