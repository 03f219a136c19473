#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the page of `arenite plan --html` in headless Chromium and looks at what its script made of it.

    page.py ARENITE MODEL      (needs `chromium`; the last line is "N passed, M failed")
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ARENITE, MODEL = sys.argv[1:3]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]
# Appended to a copy of the page: does what a reader does, and writes what came of it where --dump-dom shows it.
READER = """<script>
const seen = {}, row = document.getElementById('r0'), box = document.getElementById('b0');
box.dispatchEvent(new Event('mouseenter'));
seen.hot = [row.classList.contains('hot'), box.classList.contains('hot')];
box.dispatchEvent(new Event('mouseleave'));
seen.cold = [row.classList.contains('hot'), box.classList.contains('hot')];
const heads = document.querySelectorAll('#rows th'), column = i => Array.from(body.rows, r => Number(r.cells[i].dataset.key));
heads[2].click();
seen.rising = column(2);
heads[2].click();
seen.falling = column(2);
field.value = 'no such tensor';
field.dispatchEvent(new Event('input'));
seen.none = [Array.from(body.rows).filter(r => !r.hidden).length, location.hash];
document.body.dataset.seen = JSON.stringify(seen);
</script>"""


def open_page(folder, address):
    """The document as it stands after its scripts ran."""
    profile = tempfile.mkdtemp(dir=folder)
    result = subprocess.run(["chromium", *FLAGS, f"--user-data-dir={profile}", "--dump-dom", address], capture_output=True,
                            text=True, timeout=120)
    if result.returncode != 0:
        sys.exit(f"chromium: exit code {result.returncode}\n{result.stderr[-2000:]}")
    return result.stdout


def table_rows(document):
    body = re.search(r'<table id="rows">.*?<tbody>(.*?)</tbody>', document, re.S).group(1)
    return re.findall(r"<tr ([^>]*)>(.*?)</tr>", body, re.S)


def main():
    plan = json.loads(subprocess.run([ARENITE, "plan", MODEL, "--json"], capture_output=True, text=True, check=True).stdout)
    names = [row["name"] for row in plan["rows"]]
    word = "pool"
    results = []

    def check(what, good):
        results.append(bool(good))
        if not good:
            print("failed:", what)

    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        subprocess.run([ARENITE, "plan", MODEL, "--html", "--output", page], check=True)
        document = open_page(folder, page.as_uri())
        rows = table_rows(document)
        check("every row is there", len(rows) == len(names))
        check("all of them are shown", not any("hidden" in attributes for attributes, _ in rows))
        total = sum(row["bytes"] for row in plan["rows"])
        check("the script counted them", f"{len(names)} of {len(names)} rows, {total:,} bytes" in document)

        wanted = [name for name in names if word in name]
        document = open_page(folder, f"{page.as_uri()}#filter={urllib.parse.quote(word.upper())}")
        shown = [html.unescape(text) for attributes, text in table_rows(document) if "hidden" not in attributes]
        check("the model has such a tensor, and others", 0 < len(wanted) < len(names))
        check("the filter of the address leaves its rows", len(shown) == len(wanted) and all(word in text for text in shown))
        check("the other boxes are faint", document.count("opacity: 0.15") == len(names) - len(wanted))

        read = pathlib.Path(folder) / "read.html"
        read.write_text(page.read_text().replace("</body>", READER + "</body>"))
        found = re.search(r'data-seen="([^"]*)"', open_page(folder, read.as_uri()))
        seen = json.loads(html.unescape(found.group(1))) if found else {}
        sizes = sorted(row["bytes"] for row in plan["rows"])
        check("the pointer over a box marks box and row", seen.get("hot") == [True, True])
        check("and away from it no longer", seen.get("cold") == [False, False])
        check("a click on a column's head sorts", seen.get("rising") == sizes)
        check("a second click turns it round", seen.get("falling") == sizes[::-1])
        check("typing filters and changes the address", seen.get("none") == [0, "#filter=no%20such%20tensor"])
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    if not shutil.which("chromium"):
        sys.exit("page.py needs chromium")
    sys.exit(main())
