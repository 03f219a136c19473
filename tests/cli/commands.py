#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every subcommand of the command line program on the project's own models and reads what it prints.

    commands.py ARENITE C2_BN_MODEL      (from the repository's root)
"""
import ast
import csv
import io
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import wave
import xml.etree.ElementTree as ElementTree
import zlib

ARENITE, C2_BN = sys.argv[1:3]
DIGITS = "models/digits/digits.tflite"
DIGIT_LABELS = "models/digits/labels.txt"
SINE = "models/sine.tflite"
SAMPLES = sorted(str(p) for p in pathlib.Path("models/digits/samples").glob("*.png"))
COMMANDS = ["run", "inspect", "verify", "walk", "ops", "plan", "bench"]


def call(*arguments, code=0, environment=None):
    """Runs the program; its output and messages. The exit code must be the given one."""
    result = subprocess.run([ARENITE, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                            env={**os.environ, **(environment or {})})
    if result.returncode != code:
        raise AssertionError(f"arenite {' '.join(map(str, arguments))}: exit code {result.returncode}, not {code}\n"
                             f"{result.stdout}{result.stderr}")
    return result.stdout, result.stderr


def call_json(*arguments, code=0):
    return json.loads(call(*arguments, "--json", code=code)[0])


def read_npy(path):
    """Shape, struct character and values of a .npy file."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:end].decode())
    code = {"|i1": "b", "|u1": "B", "<f4": "f", "<i4": "i", "<i8": "q"}[header["descr"]]
    values = struct.unpack(f"<{(len(data) - end) // struct.calcsize(code)}{code}", data[end:])
    return list(header["shape"]), code, list(values)


def write_npy(path, descr, shape, code, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    pathlib.Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                                   struct.pack(f"<{len(values)}{code}", *values))


def read_png(path):
    """Width, height and rows of an RGB or grey 8-bit PNG."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", chunk[:10])
            assert depth == 8
        if kind == b"IDAT":
            body += chunk
        at += 12 + size
    channels = {0: 1, 2: 3, 6: 4}[colour]
    raw, rows, last = zlib.decompress(body), [], bytes(width * channels)
    for y in range(height):
        line = raw[y * (width * channels + 1):(y + 1) * (width * channels + 1)]
        row = bytearray(line[1:])
        for i in range(len(row)):
            left = row[i - channels] if i >= channels else 0
            above, corner = last[i], last[i - channels] if i >= channels else 0
            p = left + above - corner
            nearest = min((abs(p - left), 0, left), (abs(p - above), 1, above), (abs(p - corner), 2, corner))[2]
            row[i] = (row[i] + [0, left, above, (left + above) // 2, nearest][line[0]]) & 255
        rows.append(bytes(row))
        last = row
    return width, height, channels, rows


def write_png(path, width, height, pixel):
    """An RGB picture; pixel(x, y) gives three values."""
    raw = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                                   chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()


class Usage(CommandTest):
    def test_help_of_everything(self):
        text, _ = call("--help")
        for name in COMMANDS:
            self.assertIn(name, text)
            own, messages = call(name, "--help")
            self.assertTrue(own.startswith(f"Usage: arenite {name} "), own[:60])
            self.assertIn("Example", own)
            self.assertEqual(messages, "")
            self.assertEqual([line for line in own.splitlines() if len(line) > 130], [])

    def test_help_names_every_option(self):
        for name in COMMANDS:
            source = pathlib.Path(f"cli/{'run_options' if name == 'run' else 'cmd_' + name}.c").read_text()
            text = call(name, "--help")[0]
            options = re.findall(r'\{"([a-z-]+)", (?:no|required)_argument', source)
            self.assertIn("help", options)
            for option in options:
                self.assertIn("--" + option, text)

    def test_wrong_calls(self):
        self.assertIn("Usage", call(code=2)[1])
        self.assertIn("no command 'frobnicate'", call("frobnicate", code=2)[1])
        for name in COMMANDS:
            _, messages = call(name, "--frobnicate", code=2)
            self.assertIn(f"arenite {name}: unrecognized option", messages)
            self.assertIn(f"arenite {name} --help", messages)
            if name != "ops":
                self.assertIn("give", call(name, code=2)[1])

    def test_wrong_values(self):
        for arguments, part in [(["run", DIGITS, "--threads", "0"], "--threads wants a whole number from 1"),
                                (["run", DIGITS, "--mean", "1,x"], "--mean wants 1 to 4 numbers"),
                                (["run", DIGITS, "--std", "0"], "--std cannot be 0"),
                                (["run", DIGITS, "--resize", "squash"], "stretch, letterbox, crop"),
                                (["run", DIGITS, "--draw", "cubism=x.png"], "boxes, points, mask, heatmap"),
                                (["run", DIGITS, "--output", "0"], "NAME=VALUE"),
                                (["run", DIGITS, "--shape", "0=1xx"], "dimensions"),
                                (["plan", DIGITS, "--planner", "best"], "linear, greedy, slots, exact"),
                                (["plan", DIGITS, "--alignment", "48"], "power of two"),
                                (["plan", DIGITS, "--memory", "views,magic"], "views, in-place, rows, joins"),
                                (["plan", DIGITS, "--memory", "none,views"], "goes with nothing else"),
                                (["plan", DIGITS, "--limit", "0"], "--limit wants"),
                                (["plan", DIGITS, "--max-shape", "0=1xx"], "--max-shape"),
                                (["plan", DIGITS, "--pairs", "x"], "--pairs goes with --csv"),
                                (["plan", DIGITS, "--buffers", "x"], "not both"),
                                (["plan", "--buffers", "x", "--svg"], "text or as --json"),
                                (["plan", "--buffers", "x", "--limit", "9"], "--buffers goes with"),
                                (["bench", DIGITS, "--runs", "many"], "--runs wants"),
                                (["inspect", DIGITS, "--only", "head,feet"], "head, codes"),
                                (["walk", DIGITS, "--limit", "-1"], "--limit wants"),
                                (["ops", "--diff"], "--diff")]:
            self.assertIn(part, call(*arguments, code=2)[1])

    def test_missing_and_foreign_files(self):
        stranger = self.path / "stranger.tflite"
        stranger.write_bytes(b"this is no model, only some text that is long enough")
        for name in ["run", "inspect", "walk", "plan", "bench"]:
            self.assertIn("/nowhere/x.tflite", call(name, "/nowhere/x.tflite", code=1)[1])
            self.assertIn("stranger.tflite", call(name, stranger, code=1)[1])

    @unittest.skipIf(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") > 60e9, "there is memory for it")
    def test_more_memory_than_there_is(self):
        _, messages = call("run", SINE, "--shape", "0=2000000000x1", "--fill", "zeros", code=1)
        self.assertIn("would pass the memory limit", messages)
        self.assertIn('"dense1_output"', messages)

    def test_no_colour_in_a_pipe(self):
        for arguments in [["--help"], ["inspect", DIGITS], ["verify", DIGITS], ["ops", DIGITS]]:
            text, messages = call(*arguments, environment={"TERM": "xterm-256color"})
            self.assertNotIn("\x1b", text + messages)

    def test_names_cannot_drive_the_terminal(self):
        model = bytearray(pathlib.Path(DIGITS).read_bytes())
        at = model.index(b"conv1_output")
        model[at:at + 4] = b"\x1b[2J"
        evil = self.path / "evil.tflite"
        evil.write_bytes(model)
        for name in ["inspect", "walk", "plan"]:
            self.assertNotIn("\x1b", call(name, evil)[0])
        names = [t["name"] for t in call_json("inspect", evil)["subgraphs"][0]["tensors"]]
        self.assertIn("\x1b[2J1_output", names)

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            result = subprocess.run([ARENITE, "inspect", DIGITS], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(result.returncode, 1)


class Documentation(unittest.TestCase):
    def test_examples_of_the_manual(self):
        """Every `$ arenite ...` of docs/cli.md works; in a console block it prints what stands there."""
        text = pathlib.Path("docs/cli.md").read_text()
        blocks = re.findall(r"^```(console|sh)\n(.*?)^```", text, re.S | re.M)
        self.assertGreaterEqual(len(blocks), 10)
        for kind, block in blocks:
            for example in re.split(r"^\$ arenite ", block, flags=re.M)[1:]:
                command, _, expected = example.partition("\n")
                words = [C2_BN if word == "build/c2_bn.tflite" else word for word in command.split()]
                printed, _ = call(*words)
                if kind == "console":
                    self.assertEqual(printed, expected, command)


    def test_figures_of_the_pictures(self):
        """docs/memory.md shows every picture and says the figure that is in it."""
        text = pathlib.Path("docs/memory.md").read_text()
        pictures = sorted(pathlib.Path("docs/pictures").glob("*.svg"))
        self.assertEqual(sorted(re.findall(r"\(pictures/(.*?)\)", text)), [p.name for p in pictures])
        for picture in pictures:
            model, _, planner = picture.stem.rpartition("_")
            section = text[text.index({"c2_bn": "### On C2_BN", "mobilenet": "### On MobileNet"}[model]):]
            title = next(e.text for e in ElementTree.parse(picture).getroot().iter() if e.get("class") == "title")
            self.assertTrue(title.startswith(model))
            self.assertIn("exact" if planner == "micro" else planner, title)
            self.assertIn(re.search(r"([\d,]+) bytes", title).group(1), section)


class Verify(CommandTest):
    def test_sound_and_damaged(self):
        text, _ = call("verify", DIGITS, C2_BN)
        self.assertEqual(text.count("sound"), 2)
        cut = self.path / "cut.tflite"
        cut.write_bytes(pathlib.Path(DIGITS).read_bytes()[:1000])
        text, _ = call("verify", DIGITS, cut, code=1)
        self.assertIn("damaged", text)
        self.assertEqual(call("verify", "--quiet", DIGITS)[0], "")
        sound, damaged = call_json("verify", DIGITS, cut, code=1)
        self.assertTrue(sound["sound"])
        self.assertEqual(sound["bytes"], os.path.getsize(DIGITS))
        self.assertFalse(damaged["sound"])
        self.assertTrue(damaged["message"])

    def test_says_which_byte(self):
        walk = call_json("walk", DIGITS, "--path", "subgraphs[0].operators[0].inputs")
        vector = next(e for e in walk if e["kind"] == "vector")
        model = bytearray(pathlib.Path(DIGITS).read_bytes())
        struct.pack_into("<i", model, vector["byte"] + 4, 999)
        bent = self.path / "bent.tflite"
        bent.write_bytes(model)
        (answer,) = call_json("verify", bent, code=1)
        self.assertIn("999", answer["message"])
        self.assertIn("subgraphs[0].operators[0].inputs", answer["message"])


class Walk(CommandTest):
    def test_head_of_c2_bn(self):
        """The head that design/c2_bn.md describes; what depends on the weights' layout is left to the walk itself."""
        events = call_json("walk", C2_BN, "--depth", "0")
        root = events[0]
        self.assertEqual((root["byte"], root["target"], root["rule"]), (0, 32, "uoffset"))
        self.assertEqual(events[1]["text"], '"TFL3"')
        table = next(e for e in events if e["kind"] == "table")
        self.assertEqual((table["byte"], table["value"], table["target"]), (32, 20, 12))
        vtable = next(e for e in events if e["kind"] == "vtable")
        self.assertEqual((vtable["byte"], vtable["size"]), (12, 20))
        self.assertIn("28 24 20 16 12 0 8 4", vtable["text"])
        fields = {e["path"]: e["byte"] for e in events if e["kind"] in ("offset", "scalar")}
        self.assertEqual({n: fields[n] for n in ("signature_defs", "metadata", "buffers", "description", "subgraphs",
                                                 "operator_codes", "version")},
                         dict(signature_defs=36, metadata=40, buffers=44, description=48, subgraphs=52, operator_codes=56,
                              version=60))

    def test_text_shows_the_bytes(self):
        data = pathlib.Path(C2_BN).read_bytes()
        lines = call("walk", C2_BN, "--limit", "200")[0].splitlines()
        self.assertEqual(len(lines), 201)
        for line in lines[1:]:
            at, size = int(line[:10]), int(line[10:17])
            shown = bytes.fromhex(re.match(r"[0-9a-f ]*", line[19:45]).group())
            self.assertTrue(shown)
            self.assertEqual(shown, data[at:at + min(size, 8)])

    def test_part_and_missing_part(self):
        events = call_json("walk", C2_BN, "--path", "subgraphs[0].operators[7]")
        self.assertTrue(all(re.match(r"subgraphs\[0\]\.operators\[7\]($|\.|\[)", e["path"]) for e in events))
        inputs = next(e for e in events if e["path"].endswith(".inputs") and e["kind"] == "vector")
        self.assertEqual(inputs["text"], "[21, 6, 5]")
        self.assertIn("nothing at 'subgraphs[9]'", call("walk", C2_BN, "--path", "subgraphs[9]", code=1)[1])


class Inspect(CommandTest):
    def test_c2_bn_in_json(self):
        model = call_json("inspect", C2_BN)
        self.assertEqual(model["size"], os.path.getsize(C2_BN))
        self.assertEqual(model["schema_version"], 3)
        graph = model["subgraphs"][0]
        self.assertEqual((len(graph["tensors"]), len(graph["operators"]), len(model["buffers"])), (31, 16, 35))
        self.assertEqual([c["name"] for c in model["operator_codes"]],
                         ["CONV_2D", "MAX_POOL_2D", "STRIDED_SLICE", "LOGISTIC", "QUANTIZE", "CONCATENATION", "DEQUANTIZE"])
        conv = graph["operators"][0]
        self.assertEqual((conv["inputs"], conv["outputs"]), ([0, 14, 13], [15]))
        self.assertEqual((conv["options"]["padding"], conv["options"]["stride_w"], conv["options"]["fused_activation_function"]),
                         ("SAME", 1, "RELU6"))
        weights = graph["tensors"][14]
        self.assertEqual([weights[key] for key in ("shape", "type_name", "role", "bytes")],
                         [[32, 3, 3, 1], "INT8", "constant", 288])
        self.assertEqual(len(weights["quantization"]["scale"]), 32)
        self.assertEqual(graph["tensors"][22]["quantization"]["zero_point"], [73])
        self.assertEqual([m["name"] for m in model["metadata"]],
                         ["min_runtime_version", "min_runtime_version", "CONVERSION_METADATA"])
        self.assertEqual(sum(s["bytes"] for s in model["sizes"]), model["size"])
        data = pathlib.Path(C2_BN).read_bytes()
        buffer = model["buffers"][weights["buffer"]]
        self.assertEqual(len(data[buffer["file_offset"]:buffer["file_offset"] + buffer["bytes"]]), 288)
        self.assertEqual(buffer["file_offset"], weights["data_offset"])

    def test_text_has_every_section(self):
        text, _ = call("inspect", C2_BN)
        for part in ["schema version       3", "Operator codes (7)", "Tensors (31)", "Operators (16)", "Metadata (3)",
                     "Buffers (35)", "Sizes", "1x120x160x1", "padding=SAME stride_w=1", "0 14 13"]:
            self.assertIn(part, text)
        only, _ = call("inspect", C2_BN, "--only", "sizes")
        self.assertNotIn("Tensors", only)
        self.assertIn("INT8", only)


class Ops(CommandTest):
    def test_registry_in_three_forms(self):
        listed = call_json("ops")["operators"]
        conv = next(o for o in listed if o["name"] == "CONV_2D")
        self.assertEqual(conv["code"], 3)
        self.assertTrue({"float32", "int8"} <= set(conv["types"]))
        self.assertLessEqual(conv["low"], 1)
        self.assertIn(f"{len(listed)} operators", call("ops")[0])
        rows = call("ops", "--markdown")[0].splitlines()
        self.assertEqual(len(rows), len(listed) + 2)
        self.assertTrue(all(r.startswith("| ") or r.startswith("|---") for r in rows))

    def test_needs_of_a_model(self):
        answer = call_json("ops", DIGITS)
        self.assertEqual(answer["missing"], 0)
        self.assertEqual({o["name"]: o["nodes"] for o in answer["operators"]},
                         {"CONV_2D": 2, "MAX_POOL_2D": 2, "FULLY_CONNECTED": 1, "SOFTMAX": 1})
        self.assertIn("all 4 kinds of operators are there", call("ops", DIGITS)[0])

    def test_a_version_that_is_not_there(self):
        version = call_json("walk", DIGITS, "--path", "operator_codes[0].version")[0]
        model = bytearray(pathlib.Path(DIGITS).read_bytes())
        struct.pack_into("<i", model, version["byte"], 77)
        odd = self.path / "odd.tflite"
        odd.write_bytes(model)
        text, _ = call("ops", odd, code=1)
        self.assertRegex(text, r"CONV_2D +77 +2 +no: versions 1\.\.\d")
        self.assertEqual(call_json("ops", odd, code=1)["missing"], 1)
        for name in ["run", "plan", "bench"]:
            message = call(name, odd, code=1)[1]
            self.assertIn("CONV_2D", message)
            self.assertIn("77", message)

    def test_export_and_difference(self):
        registry, model = self.path / "registry.json", self.path / "model.json"
        call("ops", "--export", registry)
        call("ops", DIGITS, "--export", model)
        self.assertIn("0 differences", call("ops", "--diff", registry)[0])
        self.assertIn("0 differences", call("ops", "--diff", model, DIGITS)[0])
        exported = json.loads(registry.read_text())
        gone = exported["operators"].pop(0)
        exported["operators"][0]["high"] += 1
        registry.write_text(json.dumps(exported))
        differences = call_json("ops", "--diff", registry, code=1)["differences"]
        self.assertEqual(len(differences), 2)
        self.assertEqual({d["name"]: d["a"] for d in differences}[gone["name"]], "")
        registry.write_text('{"operators": 3}')
        self.assertIn("--export", call("ops", "--diff", registry, code=1)[1])


class Plan(CommandTest):
    def test_no_two_live_tensors_overlap(self):
        for planner in ["linear", "greedy", "slots", "exact"]:
            for alignment in [1, 16, 64]:
                plan = call_json("plan", DIGITS, "--planner", planner, "--alignment", alignment)
                total, rows = plan["totals"], [r for r in plan["rows"] if r["offset"] >= 0 and r["bytes"]]
                self.assertEqual((total["planner"], total["alignment"]), (planner, alignment))
                self.assertGreaterEqual(len(rows), 7)
                self.assertTrue(all(r["offset"] % alignment == 0 for r in rows))
                self.assertLessEqual(max(r["offset"] + r["bytes"] for r in rows), total["arena"])
                self.assertGreaterEqual(total["arena"], total["lower_bound"])
                for i, a in enumerate(rows):
                    for b in rows[:i]:
                        apart = a["last_use"] < b["first_use"] or b["last_use"] < a["first_use"]
                        disjoint = a["offset"] + a["bytes"] <= b["offset"] or b["offset"] + b["bytes"] <= a["offset"]
                        shared = a["offset"] == b["offset"]  # in place
                        self.assertTrue(apart or disjoint or shared, (a, b))

    def test_formats_agree(self):
        plan = call_json("plan", DIGITS, "--all")
        rows = list(csv.DictReader(io.StringIO(call("plan", DIGITS, "--all", "--format", "rows")[0])))
        self.assertEqual([(r["name"], r["bytes"], r["offset"]) for r in rows],
                         [(r["name"], str(r["bytes"]), str(r["offset"])) for r in plan["rows"]])
        text, _ = call("plan", DIGITS)
        self.assertIn(f"{plan['totals']['arena']:,}", text)
        self.assertIn("reuse efficiency", text)
        sizes = [r["bytes"] for r in call_json("plan", DIGITS, "--sort", "size")["rows"]]
        self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_compare(self):
        answer = call_json("plan", DIGITS, "--compare")
        rows = {p["totals"]["planner"]: p["totals"] for p in answer["planners"]}
        self.assertEqual(set(rows), {"linear", "greedy", "slots", "exact"})
        self.assertGreaterEqual(rows["linear"]["arena"], rows["exact"]["arena"])
        self.assertLess(rows["exact"]["arena"], rows["exact"]["planned_sum"])
        ways = {way["memory"]: way["totals"] for way in answer["memory"]}
        self.assertEqual(list(ways), ["none", "views", "+in-place", "+joins", "+order", "host", "host+rows", "micro"])
        self.assertEqual(ways["host"], ways["+order"])
        self.assertLess(ways["micro"]["arena"], ways["none"]["arena"])
        for name, memory in [("none", "none"), ("+in-place", "views,in-place"), ("host+rows", "host,rows"), ("micro", "micro")]:
            self.assertEqual(call_json("plan", DIGITS, "--memory", memory)["totals"]["arena"], ways[name]["arena"])
        text, _ = call("plan", DIGITS, "--compare")
        for name in [*rows, *ways]:
            self.assertRegex(text, rf"(?m)^{re.escape(name)} ")

    def check_boxes(self, svg, plan):
        """Every rectangle of the picture is where the row of the JSON answer says, by one linear scale for all of them."""
        rows = sorted((r["tensor"], r["first_use"], r["last_use"], r["offset"], r["bytes"]) for r in plan["rows"]
                      if r["offset"] >= 0 and r["bytes"] and r["subgraph"] == plan["subgraph"])
        steps, arena = len(plan["steps"]), plan["totals"]["arena"]
        columns = [(float(s.get("x")), float(s.get("width"))) for s in svg.iter() if "step" in (s.get("class") or "").split()]
        self.assertEqual(len(columns), steps)
        peak = next(e for e in svg.iter() if e.get("class") == "peak" and e.get("y1"))
        axis = [e for e in svg.iter() if e.get("class") == "axis"][0]
        top, bottom = float(peak.get("y1")), float(axis.get("y1"))
        width, left, byte = columns[0][1], columns[0][0] - columns[0][1], (bottom - top) / arena
        found = []
        for box in svg.iter():
            if "box" not in (box.get("class") or "").split() or box.get("id") is None:
                continue
            x, y, w, h = (float(box.get(k)) for k in ("x", "y", "width", "height"))
            first, size = round((x - left) / width) - 1, h / byte
            row = (int(box.get("data-tensor")), first, first + round(w / width) - 1, (bottom - y) / byte - size, size)
            found.append(row)
            title = box[0].text
            self.assertIn(f"{round(size):,} bytes" if arena < 100000 else " bytes at ", title)
        self.assertEqual(len(found), len(rows))
        for a, b in zip(sorted(found), rows):
            self.assertEqual(a[:3], b[:3])
            self.assertLess(max(abs(a[3] - b[3]), abs(a[4] - b[4])), arena / 100000 + 1)

    def test_picture(self):
        for model in [DIGITS, C2_BN]:
            for arguments in [["--planner", "linear"], ["--planner", "slots"], [], ["--memory", "micro"]]:
                svg = ElementTree.fromstring(call("plan", model, *arguments, "--svg")[0])
                plan = call_json("plan", model, *arguments)
                self.check_boxes(svg, plan)
                text = "".join(svg.itertext())
                self.assertIn(f"{plan['totals']['arena']:,} bytes", text)
                self.assertIn(f"lower bound: {plan['totals']['lower_bound']:,} bytes", text)

    def test_overlaps_and_peak(self):
        """With rows overlapped, boxes that are live together share bytes; the peak is where most is live."""
        plan = call_json("plan", C2_BN, "--memory", "micro")
        rows = [r for r in plan["rows"] if r["offset"] >= 0]
        shared = [(a, b) for a in rows for b in rows if a["first_use"] == b["last_use"] and a is not b and
                  a["offset"] < b["offset"] + b["bytes"] and b["offset"] < a["offset"] + a["bytes"]]
        self.assertGreater(len(shared), 3)
        live = [step["live"] for step in plan["steps"]]
        for i, step in enumerate(plan["steps"]):
            self.assertEqual(step["live"], sum(r["bytes"] for r in rows if r["shares"] < 0 and r["first_use"] <= i <= r["last_use"]))
        self.assertEqual((plan["peak"]["live"], plan["peak"]["step"]), (max(live), live.index(max(live))))
        self.assertIn(f"The peak is at step {plan['peak']['step']}", call("plan", C2_BN, "--memory", "micro")[0])
        self.assertEqual([a["alignment"] for a in plan["alignments"]], [16, 64, 256])
        self.assertEqual(plan["alignments"][1]["arena"], plan["totals"]["arena"])

    def test_waiting_input_is_named(self):
        """Where rows overlap the picture is more than 5 % of the arena; it waits from the first operator to the end."""
        plan = call_json("plan", DIGITS, "--memory", "host,rows")
        (waiting,) = plan["suspicious"]
        self.assertEqual((waiting["name"], waiting["written_at"], waiting["unused_from"], waiting["next_use"]), ("image", -1, 0, 6))
        freed = call_json("plan", DIGITS, "--memory", "host,rows,free-inputs")
        self.assertEqual(freed["suspicious"], [])
        self.assertIn(f"{freed['totals']['arena']:,} bytes", waiting["help"])
        self.assertIn("kept after its last use", call("plan", DIGITS, "--memory", "host,rows")[0])

    def test_page(self):
        page = self.path / "page.html"
        self.assertEqual(call("plan", DIGITS, "--html", "--output", page)[0], "")
        text = page.read_text()
        plan = call_json("plan", DIGITS)
        self.check_boxes(ElementTree.fromstring(re.search(r"<svg.*?</svg>", text, re.S).group()), plan)
        body = ElementTree.fromstring(re.search(r'<table id="rows">.*?</table>', text, re.S).group())
        self.assertEqual({row[7].text for row in body.find("tbody")}, {row["name"] for row in plan["rows"]})
        self.assertEqual(re.findall(r"(?:src|href)=|https?://(?!www.w3.org/2000/svg)", text), [])

    def test_names_cannot_leave_their_place(self):
        model = bytearray(pathlib.Path(DIGITS).read_bytes())
        at = model.index(b"conv1_output")
        model[at:at + 12] = b"</title>\"&'\\"
        evil = self.path / "evil.tflite"
        evil.write_bytes(model)
        svg = ElementTree.fromstring(call("plan", evil, "--svg")[0])
        self.assertIn("</title>\"&'\\\n", "".join(svg.itertext()))
        self.assertNotIn("</title>\"", call("plan", evil, "--html")[0])
        self.assertIn('"</title>\\"&\'\\\\\\n', call("plan", evil, "--dot")[0])

    def test_graph(self):
        plan = call_json("plan", DIGITS)
        dot = call("plan", DIGITS, "--dot")[0]
        nodes = re.findall(r'^  (\w+) \[.*label="([^"]*)"', dot, re.M)
        self.assertEqual([label for name, label in nodes if name[0] == "n" and name != "node"],
                         [f"{i}: {step['operator']}" for i, step in enumerate(plan["steps"])])
        edges = re.findall(r'^  (\w+) -> (\w+) \[label="(.*?)\\n([\d,]+) bytes\\n(\w+)\.\.(\w+)', dot, re.M)
        self.assertEqual({edge[0] for edge in edges} | {edge[1] for edge in edges}, {name for name, _ in nodes if name != "node"})
        step = {-1: "in", len(plan["steps"]): "end"}
        self.assertEqual(sorted(edge[2:] for edge in edges),
                         sorted((r["name"], f"{r['bytes']:,}", step.get(r["first_use"], str(r["first_use"])),
                                 step.get(r["last_use"], str(r["last_use"]))) for r in plan["rows"]))

    def test_buffers_of_a_model(self):
        """What --csv writes is the same problem again: peak and bound are those of the model's own plan."""
        for model in [DIGITS, C2_BN]:
            for memory in ["none", "host", "micro"]:
                buffers, pairs = self.path / "x.csv", self.path / "x.pairs"
                call("plan", model, "--memory", memory, "--csv", "--pairs", pairs, "--output", buffers)
                total = call_json("plan", model, "--memory", memory)["totals"]
                answer = call_json("plan", "--buffers", buffers, "--pairs", pairs)
                self.assertEqual((answer["peak"], answer["lower_bound"], answer["proven"]),
                                 (total["arena"], total["lower_bound"], True))
                if memory == "none":
                    self.assertEqual(call_json("plan", "--buffers", buffers)["peak"], total["arena"])

    def test_buffers(self):
        """Three buffers of 3, 4 and 2 bytes are live at step 2: the optimum is 9. The largest-first rule needs 10."""
        file, pairs = self.path / "hand.csv", self.path / "hand.pairs"
        file.write_text("id,lower,upper,size\na,2,5,3\nb,1,4,4\nc,2,3,2\nd,0,2,4\n")
        for planner in ["linear", "greedy", "slots", "exact"]:
            answer = call_json("plan", "--buffers", file, "--planner", planner)
            buffers = answer["buffers"]
            self.assertEqual([b["id"] for b in buffers], list("abcd"))
            self.assertEqual((answer["planner"], answer["lower_bound"]), (planner, 9))
            self.assertEqual(answer["peak"], max(b["offset"] + b["size"] for b in buffers))
            for i, a in enumerate(buffers):
                for b in buffers[:i]:
                    self.assertTrue(a["upper"] <= b["lower"] or b["upper"] <= a["lower"] or
                                    a["offset"] + a["size"] <= b["offset"] or b["offset"] + b["size"] <= a["offset"])
        self.assertEqual((answer["peak"], answer["proven"]), (9, True))
        self.assertEqual(call_json("plan", "--buffers", file, "--planner", "linear")["peak"], 13)
        self.assertEqual(call_json("plan", "--buffers", file, "--planner", "greedy")["peak"], 10)
        text, _ = call("plan", "--buffers", file, "--capacity", "9")
        self.assertRegex(text, r"peak +9 .*\nlower bound +9  the plan is optimal\nwork .*\ntime ")
        self.assertIn("the capacity is 8: no plan fits", call("plan", "--buffers", file, "--capacity", "8", code=1)[1])
        # b is written while a dies: it may lie 2 bytes above it, and ends at 10.
        file.write_text("id,lower,upper,size\na,0,2,4\nb,1,3,8\n")
        pairs.write_text("1,0,-1,2\n")
        self.assertEqual(call_json("plan", "--buffers", file, "--pairs", pairs)["peak"], 10)
        self.assertEqual(call_json("plan", "--buffers", file)["peak"], 12)

    def test_what_is_wrong_with_buffers(self):
        file, pairs = self.path / "bad.csv", self.path / "bad.pairs"
        self.assertIn("/nowhere/x.csv", call("plan", "--buffers", "/nowhere/x.csv", code=1)[1])
        for text, part in [("", "empty"), ("a,b\n", "id,lower,upper,size"), ("id,lower,upper,size\nx,3,3,1\n", ":2: upper"),
                           ("id,lower,upper,size,alignment\nx,0,1,1,3\n", "row 0")]:
            file.write_text(text)
            self.assertIn(part, call("plan", "--buffers", file, code=1)[1])
        file.write_text("id,lower,upper,size\nx,0,1,1\n")
        pairs.write_text("0,1,0,0\n")
        self.assertIn("bad.pairs:1", call("plan", "--buffers", file, "--pairs", pairs, code=1)[1])

    def test_limit(self):
        arena = call_json("plan", DIGITS)["totals"]["arena"]
        self.assertEqual(call_json("plan", DIGITS, "--limit", arena)["totals"]["arena"], arena)
        kept = self.path / "kept"
        kept.write_text("before")
        _, messages = call("plan", DIGITS, "--limit", arena - 1, "--output", kept, code=1)
        for part in ["MAX_POOL_2D", str(arena), "overlapping rows would make it", "freed inputs would make it"]:
            self.assertIn(part, messages)
        self.assertEqual(kept.read_text(), "before")
        call("plan", DIGITS, "--limit", arena - 1, "--memory", "micro")

    def test_largest_shape(self):
        """Memory is taken for the largest shape, the plan is that of the present one."""
        small, large = (call_json("plan", SINE, *more)["totals"] for more in ([], ["--max-shape", "0=64x1"]))
        self.assertEqual(small["arena"], large["arena"])
        self.assertGreater(large["heap"], small["heap"] + 63 * 16)
        self.assertIn("for the largest shapes", call("plan", SINE, "--max-shape", "0=64x1")[0])
        self.assertIn("no input 'nobody'; it has", call("plan", SINE, "--max-shape", "nobody=1", code=1)[1])


class Bench(CommandTest):
    def test_figures_are_in_order(self):
        answer = call_json("bench", DIGITS, "--runs", "40", "--warmup", "2", "--profile")
        steady = answer["steady"]
        self.assertEqual(steady["runs"], 40)
        chain = [steady[k] for k in ("least_ns", "median_ns", "p90_ns", "p95_ns", "p99_ns", "largest_ns")]
        self.assertEqual(chain, sorted(chain))
        self.assertGreater(steady["least_ns"], 0)
        self.assertTrue(steady["least_ns"] <= steady["mean_ns"] <= steady["largest_ns"])
        for key in ("open_ns", "bind_ns", "prepare_ns", "first_ns"):
            self.assertGreater(answer[key], 0)
        self.assertGreater(answer["memory"]["arena"], 0)
        self.assertEqual([n["operator"] for n in answer["profile"]["nodes"]],
                         ["CONV_2D", "MAX_POOL_2D", "CONV_2D", "MAX_POOL_2D", "FULLY_CONNECTED", "SOFTMAX"])
        # 8x8x16 outputs of 9 products, 4x4x32 of 144, 10 of 128
        self.assertEqual([answer["profile"]["nodes"][i]["macs"] for i in (0, 2, 4)], [9216, 73728, 1280])

    def test_text(self):
        text, _ = call("bench", DIGITS, "--runs", "10", "--profile")
        for part in ["Loading", "median", "standard deviation", "Memory", "Profile: 6 nodes", "CONV_2D"]:
            self.assertIn(part, text)


class Run(CommandTest):
    def test_digits_are_read(self):
        self.assertGreaterEqual(len(SAMPLES), 100)
        text, _ = call("run", DIGITS, *SAMPLES, "--labels", DIGIT_LABELS, "--expect", "name")
        right, of = map(int, re.search(r"accuracy (\d+)/(\d+)", text).groups())
        self.assertEqual(of, len(SAMPLES))
        self.assertGreater(right / of, 0.95)
        self.assertEqual(text.count("wrong: "), of - right)
        answer = call_json("run", DIGITS, *SAMPLES, "--expect", "name")
        self.assertEqual(answer["accuracy"]["right"], right)
        self.assertEqual(sum(r["right"] for r in answer["results"]), right)

    def test_expected_class_from_the_folder(self):
        for digit in "37":
            (self.path / digit).mkdir()
            source = next(s for s in SAMPLES if os.path.basename(s).startswith(digit + "_"))
            (self.path / digit / "x.png").write_bytes(pathlib.Path(source).read_bytes())
        self.assertIn("accuracy 2/2", call("run", DIGITS, self.path / "3/x.png", self.path / "7/x.png", "--expect", "dir")[0])
        os.rename(self.path / "3", self.path / "8")
        self.assertIn("accuracy 1/2", call("run", DIGITS, self.path / "8/x.png", self.path / "7/x.png", "--expect", "dir")[0])

    def test_one_picture_in_text_and_json(self):
        picture = next(s for s in SAMPLES if "/0_" in s)
        names = self.path / "names.txt"
        names.write_text("\n".join(f"digit {i}" for i in range(10)))
        text, _ = call("run", DIGITS, picture, "--labels", names, "--top-k", "3")
        self.assertRegex(text, r"\n +0  0\.\d+  digit 0\n")
        self.assertEqual(text.count("digit "), 3)
        output = call_json("run", DIGITS, picture, "--labels", names)["results"][0]["outputs"][0]
        self.assertEqual((output["shape"], output["type"], output["top"][0]["label"]), ([1, 10], "int8", "digit 0"))
        self.assertAlmostEqual(output["top"][0]["score"], max(output["values"]))
        self.assertAlmostEqual(sum(output["values"]), 1, delta=0.03)

    def test_arrays_and_bytes_are_the_same_input(self):
        """A picture of the model's own size, the same as int8 array, as float array of 0..1, and as raw bytes."""
        write_png(self.path / "in.png", 8, 8, lambda x, y: [(x * 31 + y * 17) % 256] * 3)
        pixels = [(x * 31 + y * 17) % 256 for y in range(8) for x in range(8)]
        write_npy(self.path / "i8.npy", "|i1", (1, 8, 8, 1), "b", [p - 128 for p in pixels])
        write_npy(self.path / "f4.npy", "<f4", (1, 8, 8, 1), "f", [p / 255 for p in pixels])
        (self.path / "raw.bin").write_bytes(bytes((p - 128) & 255 for p in pixels))
        answers = [call_json("run", DIGITS, self.path / name)["results"][0]["outputs"]
                   for name in ("in.png", "i8.npy", "f4.npy", "raw.bin")]
        self.assertEqual(answers[1:], [answers[0]] * 3)
        by_name = call_json("run", DIGITS, "--input", f"image={self.path}/raw.bin")["results"][0]["outputs"]
        self.assertEqual(by_name, answers[0])

    def test_mean_and_std(self):
        write_png(self.path / "in.png", 8, 8, lambda x, y: [(x * 31 + y * 17) % 256] * 3)
        plain = call_json("run", DIGITS, self.path / "in.png")["results"][0]["outputs"]
        same = call_json("run", DIGITS, self.path / "in.png", "--std", "255")["results"][0]["outputs"]
        other = call_json("run", DIGITS, self.path / "in.png", "--mean", "255", "--std=-255")["results"][0]["outputs"]
        self.assertEqual(same, plain)
        self.assertNotEqual(other, plain)

    def test_outputs_into_files(self):
        picture = SAMPLES[0]
        values = call_json("run", DIGITS, picture)["results"][0]["outputs"][0]
        call("run", DIGITS, picture, "--output", f"0={self.path}/raw.npy", "--output", f"probabilities={self.path}/raw.bin")
        call("run", DIGITS, picture, "--output", f"0={self.path}/real.npy", "--dequantize")
        shape, code, stored = read_npy(self.path / "raw.npy")
        self.assertEqual((shape, code), ([1, 10], "b"))
        self.assertEqual((self.path / "raw.bin").read_bytes(), struct.pack("10b", *stored))
        for value, quantised in zip(values["values"], stored):
            self.assertAlmostEqual(value, values["scale"] * (quantised - values["zero_point"]), places=6)
        self.assertEqual(read_npy(self.path / "real.npy")[1], "f")
        call("run", DIGITS, *SAMPLES[:3], "--output", f"0={self.path}/out_{{}}.npy")
        for source in SAMPLES[:3]:
            self.assertTrue((self.path / f"out_{pathlib.Path(source).stem}.npy").exists())
        self.assertIn("{}", call("run", DIGITS, *SAMPLES[:3], "--output", f"0={self.path}/x.npy", code=1)[1])

    def test_numbers_through_the_sine(self):
        worst = 0
        for x in (0.3, 1.1, 2.9, 4.5, 6.0):
            value = call_json("run", SINE, f"value:{x}")["results"][0]["outputs"][0]["values"][0]
            worst = max(worst, abs(value - math.sin(x)))
        self.assertLess(worst, 0.15)
        self.assertEqual(len(call_json("run", SINE, "value:1", "value:2", "value:3")["results"]), 3)

    def test_a_sound_is_cut_to_the_input(self):
        with wave.open(str(self.path / "in.wav"), "wb") as out:
            out.setparams((2, 2, 8000, 0, "NONE", ""))
            out.writeframes(struct.pack("<16h", *[16384, 0] * 8))  # left 0.5, right 0: 0.25 in the mean
        answer = call_json("run", SINE, self.path / "in.wav")["results"][0]["outputs"][0]["values"][0]
        self.assertEqual(answer, call_json("run", SINE, "value:0.25")["results"][0]["outputs"][0]["values"][0])
        self.assertIn("samples", call("run", SINE, self.path / "in.wav")[1])
        self.assertEqual(call("run", SINE, self.path / "in.wav", "--quiet")[1], "")
        self.assertIn("ends before --start", call("run", SINE, self.path / "in.wav", "--start", "9", code=1)[1])

    def test_a_sound_window_by_window(self):
        with wave.open(str(self.path / "in.wav"), "wb") as out:
            out.setparams((1, 2, 8000, 0, "NONE", ""))
            out.writeframes(struct.pack("<5h", *[i * 4096 for i in range(5)]))
        runs = call_json("run", SINE, self.path / "in.wav", "--stream", 2 / 8000)["results"]
        self.assertEqual([r["seconds"] for r in runs], [0, 2 / 8000, 4 / 8000])
        for run, sample in zip(runs, (0, 0.25, 0.5)):
            self.assertEqual(run["outputs"], call_json("run", SINE, f"value:{sample}")["results"][0]["outputs"])
        self.assertEqual(len(call("run", SINE, self.path / "in.wav", "--stream", 2 / 8000)[0].splitlines()), 4)
        self.assertIn("not with --expect", call("run", SINE, "x.wav", "--stream", 1, "--expect", "name", code=2)[1])

    def test_a_front_end(self):
        """The digit model stands for one: 64 samples in, ten features out, of which C2_BN takes 1,920 times ten."""
        samples = [int(32767 * math.sin(i / 9)) for i in range(64 + 2 * 42)]  # three windows, 42 samples apart
        with wave.open(str(self.path / "in.wav"), "wb") as out:
            out.setparams((1, 2, 16000, 0, "NONE", ""))
            out.writeframes(struct.pack(f"<{len(samples)}h", *samples))
        features = []
        for window in range(3):
            write_npy(self.path / "w.npy", "<f4", (1, 8, 8, 1), "f", [v / 32768 for v in samples[window * 42:window * 42 + 64]])
            features += call_json("run", DIGITS, self.path / "w.npy")["results"][0]["outputs"][0]["values"]
        write_npy(self.path / "features.npy", "<f4", (1, 120, 160, 1), "f", features + [0] * (19200 - 30))
        expected = call_json("run", C2_BN, self.path / "features.npy")["results"][0]["outputs"]
        self.assertEqual(call_json("run", C2_BN, self.path / "in.wav", "--front-end", DIGITS)["results"][0]["outputs"], expected)
        other = call_json("run", C2_BN, self.path / "in.wav", "--front-end", DIGITS, "--hop", 20)["results"][0]["outputs"]
        self.assertNotEqual(other, expected)
        self.assertIn("takes no window of samples", call("run", DIGITS, self.path / "in.wav", "--front-end", SINE, code=1)[1])
        self.assertIn("10 a window do not divide", call("run", DIGITS, self.path / "in.wav", "--front-end", DIGITS, code=1)[1])

    def test_a_constant_input_keeps_its_value(self):
        """C2_BN's picture becomes the weights of its second convolution, read as 96 x 192 pixels."""
        model = bytearray(pathlib.Path(C2_BN).read_bytes())
        walk = call_json("walk", C2_BN, "--path", "subgraphs[0].tensors[0]")
        at = {e["path"]: e["byte"] for e in walk if e["kind"] in ("vector", "scalar")}
        struct.pack_into("<I4i", model, at["subgraphs[0].tensors[0].shape"], 4, 1, 96, 192, 1)
        struct.pack_into("<I", model, at["subgraphs[0].tensors[0].buffer"], 13)
        constant = self.path / "constant.tflite"
        constant.write_bytes(model)
        self.assertEqual(call_json("run", constant)["results"][0]["outputs"][0]["shape"], [1, 12, 24, 5])
        self.assertIn("takes no value", call("run", constant, "--input", "0=zeros", code=1)[1])
        self.assertIn("INPUT too many", call("run", constant, "zeros", code=1)[1])
        call("bench", constant, "--runs", "1")

    def test_heat_map_over_a_picture(self):
        write_png(self.path / "in.png", 320, 240, lambda x, y: (x * 255 // 320, 128, y))
        call("run", C2_BN, self.path / "in.png", "--draw", f"heatmap={self.path}/out.png", "--draw", f"mask={self.path}/mask.png")
        width, height, channels, rows = read_png(self.path / "out.png")
        self.assertEqual((width, height, channels), (320, 240, 3))
        before = read_png(self.path / "in.png")[3]
        self.assertGreater(sum(a != b for a, b in zip(rows, before)), 200)
        self.assertEqual(read_png(self.path / "mask.png")[:2], (320, 240))
        self.assertIn("known as boxes", call("run", C2_BN, self.path / "in.png", "--draw", f"boxes={self.path}/x.png", code=1)[1])
        self.assertIn("--channel is at most 4",
                      call("run", C2_BN, self.path / "in.png", "--draw", f"heatmap={self.path}/x.png", "--channel", "5",
                           code=1)[1])

    def test_noise_is_the_same_everywhere(self):
        first, second = (call_json("run", C2_BN, "--fill", "random")["results"][0]["outputs"] for _ in range(2))
        other = call_json("run", C2_BN, "--fill", "random", "--seed", "2")["results"][0]["outputs"]
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)

    def test_profile(self):
        text, _ = call("run", DIGITS, SAMPLES[0], "--profile")
        self.assertIn("Profile: 6 nodes", text)
        nodes = call_json("run", DIGITS, *SAMPLES[:4], "--profile")["profile"]["nodes"]
        self.assertEqual([n["calls"] for n in nodes], [4] * 6)

    def test_what_is_wrong_with_an_input(self):
        short = self.path / "short.bin"
        short.write_bytes(b"1234567")
        write_npy(self.path / "colour.npy", "<f4", (1, 8, 8, 3), "f", [0] * 192)
        for arguments, part in [([], "the model wants 0 'image' (int8 1x8x8x1)"),
                                ([SAMPLES[0], "--input", "0=zeros"], "one INPUT too many"),
                                (["--input", "picture=zeros"], "no input 'picture'; it has 0 'image'"),
                                ([short], "has 7 bytes, input 'image' takes 64"),
                                (["/nowhere/x.png"], "/nowhere/x.png"),
                                (["text:hello"], "not of text"),
                                (["value:1,2"], "gives 2 numbers"),
                                ([SAMPLES[0], "--output", "scores=x.npy"], "no output 'scores'"),
                                ([SAMPLES[0], "--labels", "/nowhere/labels.txt"], "/nowhere/labels.txt"),
                                ([SAMPLES[0], "--signature", "serving"], "no signatures"),
                                (["zeros", "--draw", "mask=x.png"], "needs a picture")]:
            self.assertIn(part, call("run", DIGITS, *arguments, code=1)[1])
        self.assertIn("node 0", call("run", DIGITS, self.path / "colour.npy", code=1)[1])

    def test_threads(self):
        one = call_json("run", C2_BN, "--fill", "random")["results"][0]["outputs"]
        self.assertEqual(call_json("run", C2_BN, "--fill", "random", "--threads", "2")["results"][0]["outputs"], one)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
