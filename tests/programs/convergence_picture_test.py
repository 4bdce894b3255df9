#!/usr/bin/env python3
"""convergence_picture_test.py PLOT INVERT_TEST [LAUNCHER...]: the picture of utils/plot_convergence.py has a line for
each solve, with a point for each iteration where its residual says; a log without iterations is refused."""

import math
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree


def check(what, true):
    print("ok" if true else "WRONG", what, flush=True)
    if not true:
        sys.exit(1)


def main():
    plot, program, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
    alone = launcher + ["1"] if launcher else []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        log, picture = folder / "log", folder / "picture.svg"
        residuals = []
        for inverter in ("bicgstab", "gcr"):
            command = [*alone, program, "--dim", "4", "4", "4", "4", "--tune", "false", "--verbosity", "verbose",
                       "--inv-type", inverter, "--kappa", "0.12"]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
            with open(log, "a", encoding="utf-8") as file:
                file.write(done.stdout)
            found = re.findall(r"iterations, <r,r> = \S+, \|r\|/\|b\| = (\S+)", done.stdout)
            residuals.append([float(r) for r in found])
        subprocess.run([sys.executable, "-B", plot, str(picture), str(log)], check=True)
        lines = [[tuple(map(float, point.split(","))) for point in line.get("points").split()]
                 for line in tree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}polyline")]
        check("a line for each solve", len(lines) == 2)
        for line, all_of_it in zip(lines, residuals):
            check("a point for each iteration", len(line) == len(all_of_it) > 3)
        heights = [y for line in lines for _, y in line]
        logs = [math.log10(r) for all_of_it in residuals for r in all_of_it]
        slope = (heights[-1] - heights[0]) / (logs[-1] - logs[0])
        check("points lie where residuals say",
              all(abs(heights[0] + slope * (r - logs[0]) - y) < 0.1 for r, y in zip(logs, heights)))
        (folder / "empty").write_text("nothing\n", encoding="utf-8")
        refused = subprocess.run([sys.executable, "-B", plot, str(picture), str(folder / "empty")], check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        check("a log without iterations is refused",
              refused.returncode != 0 and "no lines of iterations" in refused.stderr)


if __name__ == "__main__":
    main()
