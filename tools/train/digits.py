#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the digit classifier that models/digits.tflite holds, and writes what the quantiser needs.

Data: the 1797 handwritten digits (8 x 8 pixels, 0..16) that scikit-learn ships (Debian: python3-sklearn), split 80/20 at a fixed seed.
Network: 3x3 conv 1->16 ReLU, 2x2 max pooling, 3x3 conv 16->32 ReLU, 2x2 max pooling, fully connected 128->10, softmax.

    digits.py NETWORK.txt SAMPLES_DIR

NETWORK.txt is what tools/make_int8.c reads. SAMPLES_DIR gets held-out digits as 64 x 64 PNG files named LABEL_INDEX.png (each pixel 8 x 8, so that a person can see them).
"""
import os
import struct
import sys
import zlib

import numpy as np
from sklearn.datasets import load_digits

SEED, EPOCHS, BATCH, SAMPLES = 7, 60, 32, 120


def windows(x):
    """[n,h,w,c] -> [n,h,w,9*c]: the 3x3 SAME neighbourhood of each pixel, rows then columns then channels."""
    n, h, w, _ = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return np.concatenate([padded[:, dy:dy + h, dx:dx + w] for dy in range(3) for dx in range(3)], axis=3)


def windows_gradient(g, channels):
    n, h, w, _ = g.shape
    padded = np.zeros((n, h + 2, w + 2, channels))
    for i in range(9):
        dy, dx = divmod(i, 3)
        padded[:, dy:dy + h, dx:dx + w] += g[..., i * channels:(i + 1) * channels]
    return padded[:, 1:-1, 1:-1]


def pool(x):
    n, h, w, c = x.shape
    blocks = x.reshape(n, h // 2, 2, w // 2, 2, c).transpose(0, 1, 3, 5, 2, 4).reshape(n, h // 2, w // 2, c, 4)
    return blocks.max(axis=4), blocks.argmax(axis=4)


def pool_gradient(g, winner):
    n, h, w, c = g.shape
    blocks = np.zeros((n, h, w, c, 4))
    np.put_along_axis(blocks, winner[..., None], g[..., None], axis=4)
    return blocks.reshape(n, h, w, c, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(n, 2 * h, 2 * w, c)


def forward(p, x):
    t = {"x": x}
    t["w1"] = windows(x)
    t["a1"] = np.maximum(t["w1"] @ p["k1"] + p["b1"], 0)
    t["p1"], t["i1"] = pool(t["a1"])
    t["w2"] = windows(t["p1"])
    t["a2"] = np.maximum(t["w2"] @ p["k2"] + p["b2"], 0)
    t["p2"], t["i2"] = pool(t["a2"])
    t["flat"] = t["p2"].reshape(len(x), -1)
    t["logits"] = t["flat"] @ p["k3"] + p["b3"]
    return t


def gradients(p, t, labels):
    e = np.exp(t["logits"] - t["logits"].max(axis=1, keepdims=True))
    d = e / e.sum(axis=1, keepdims=True)
    d[np.arange(len(labels)), labels] -= 1
    d /= len(labels)
    g = {"k3": t["flat"].T @ d, "b3": d.sum(axis=0)}
    d = pool_gradient((d @ p["k3"].T).reshape(t["p2"].shape), t["i2"]) * (t["a2"] > 0)
    g["k2"] = np.tensordot(t["w2"], d, axes=([0, 1, 2], [0, 1, 2]))
    g["b2"] = d.sum(axis=(0, 1, 2))
    d = pool_gradient(windows_gradient(d @ p["k2"].T, 16), t["i1"]) * (t["a1"] > 0)
    g["k1"] = np.tensordot(t["w1"], d, axes=([0, 1, 2], [0, 1, 2]))
    g["b1"] = d.sum(axis=(0, 1, 2))
    return g


def write_png(path, grey):
    rows = b"".join(b"\0" + row.tobytes() for row in grey)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main(network_path, samples_dir):
    rng = np.random.default_rng(SEED)
    digits = load_digits()
    # Pixels as 8-bit grey levels, the way a picture file holds them; the network sees grey / 255.
    grey = np.rint(digits.images * (255 / 16)).astype(np.uint8)
    x, y = (grey / 255.0)[..., None], digits.target
    order = rng.permutation(len(x))
    train, held_out = order[:1437], order[1437:]

    p = {"k1": rng.normal(0, (2 / 9) ** 0.5, (9, 16)), "b1": np.zeros(16),
         "k2": rng.normal(0, (2 / 144) ** 0.5, (144, 32)), "b2": np.zeros(32),
         "k3": rng.normal(0, (1 / 128) ** 0.5, (128, 10)), "b3": np.zeros(10)}
    mean = {k: np.zeros_like(v) for k, v in p.items()}
    square = {k: np.zeros_like(v) for k, v in p.items()}
    step = 0
    for epoch in range(EPOCHS):
        shuffled = rng.permutation(train)
        for start in range(0, len(shuffled), BATCH):
            batch = shuffled[start:start + BATCH]
            g = gradients(p, forward(p, x[batch]), y[batch])
            step += 1
            rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
            for k in p:  # Adam, with a little weight decay
                mean[k] = 0.9 * mean[k] + 0.1 * g[k]
                square[k] = 0.999 * square[k] + 0.001 * g[k] ** 2
                p[k] -= rate * (mean[k] / (1 - 0.9 ** step) / (np.sqrt(square[k] / (1 - 0.999 ** step)) + 1e-8) + 1e-3 * p[k])

    seen = forward(p, x[train])
    accuracy = (forward(p, x[held_out])["logits"].argmax(axis=1) == y[held_out]).mean()
    print(f"float accuracy: {accuracy:.4f} of {len(held_out)} held-out digits")

    # Filters in the order of the file format: [output, height, width, input] and [output, input].
    tensors = {"conv1": p["k1"].reshape(3, 3, 1, 16).transpose(3, 0, 1, 2), "bias1": p["b1"],
               "conv2": p["k2"].reshape(3, 3, 16, 32).transpose(3, 0, 1, 2), "bias2": p["b2"],
               "dense": p["k3"].T, "bias3": p["b3"]}
    with open(network_path, "w") as f:
        for name, value in tensors.items():
            f.write(f"tensor {name} {value.ndim} {' '.join(map(str, value.shape))}\n")
            f.write("\n".join(f"{v:.7g}" for v in value.ravel()) + "\n")
        span = {name: f"{seen[name].min():.7g} {seen[name].max():.7g}" for name in ("a1", "a2", "logits")}
        f.write(f"input image 4 1 8 8 1 0 1\nconv_2d conv1 bias1 relu {span['a1']}\nmax_pool_2d 2\n"
                f"conv_2d conv2 bias2 relu {span['a2']}\nmax_pool_2d 2\nfully_connected dense bias3 none {span['logits']}\nsoftmax\n")

    os.makedirs(samples_dir, exist_ok=True)
    for i in held_out[:SAMPLES]:
        write_png(os.path.join(samples_dir, f"{y[i]}_{i:04d}.png"), np.kron(grey[i], np.ones((8, 8), np.uint8)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
