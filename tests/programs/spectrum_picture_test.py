#!/usr/bin/env python3
"""spectrum_picture_test.py PLOT EIGENSOLVE_TEST [LAUNCHER...]: pictures of utils/plot_spectrum.py have a point for each
eigenvalue and residual where its numbers say, of runs' JSON and of files of vectors; other files are refused."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

PAIRS = 6
SMALL = ["--dim", "2", "2", "2", "4", "--tune", "false", "--verbosity", "silent", "--eig-n-ev", str(PAIRS),
         "--eig-n-kr", "36"]


def run(command, status=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if (done.returncode == 0) != (status == 0):
        sys.exit(f"{done.stdout}status {done.returncode}: {command}")
    return done.stdout


def check(what, true):
    print("ok" if true else "WRONG", what, flush=True)
    if not true:
        sys.exit(1)


def points(picture, kind):
    root = tree.parse(picture).getroot()
    return [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter("{http://www.w3.org/2000/svg}circle")
            if c.get("class") == kind]


def straight(found, numbers):
    """Whether points lie on a line over these numbers, to the last digit written."""
    spread = max(numbers) - min(numbers)
    scale = (found[numbers.index(max(numbers))] - found[numbers.index(min(numbers))]) / spread
    first = found[0] - scale * numbers[0]
    return all(abs(first + scale * n - f) <= 0.2 for n, f in zip(numbers, found))


def main():
    plot, program, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
    launcher += ["1"] if launcher else []
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        draw = [sys.executable, "-B", plot]
        out, picture, vectors = here / "values.json", here / "picture.svg", here / "vectors"
        run([*launcher, program, *SMALL, "--json", out, "--eig-save-vec", vectors])
        values = json.loads(out.read_text(encoding="utf-8"))["eigenvalues"]
        check("a value each", len(values) == PAIRS and all(v["residual"] < 1e-8 for v in values))
        run([*draw, out, picture])
        steps = points(picture, "step")
        check("real values: no plane, a ladder, residuals",
              [len(points(picture, kind)) for kind in ("value", "step", "residual")] == [0, PAIRS, PAIRS])
        check("the ladder is to scale", straight([y for _, y in steps], [v["re"] for v in values]))
        run([*draw, vectors, picture])
        check("a file of vectors gives the same ladder, no residuals",
              points(picture, "step") == steps and not points(picture, "residual"))
        run([*launcher, program, *SMALL, "--eig-type", "iram", "--eig-use-normop", "false", "--eig-spectrum", "LI",
             "--json", out])
        run([*draw, out, picture])
        values = json.loads(out.read_text(encoding="utf-8"))["eigenvalues"]
        plane = points(picture, "value")
        check("complex values: a plane to scale", len(plane) == PAIRS and
              straight([x for x, _ in plane], [v["re"] for v in values]) and
              straight([y for _, y in plane], [v["im"] for v in values]))
        damaged = vectors.read_bytes()
        vectors.write_bytes(damaged[:len(damaged) // 2])
        check("half a file is refused", re.search("damaged at byte", run([*draw, vectors, picture], 1)))


main()
