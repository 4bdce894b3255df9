#!/usr/bin/env python3
"""hmc_picture_test.py PLOT HMC_TEST [LAUNCHER...]: the picture of utils/plot_hmc.py has a point for each trajectory and
force of a run."""

import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

TRAJECTORIES, WARM_UP = 3, 1
SMALL = ["--dim", "4", "4", "2", "2", "--tune", "false", "--verbosity", "silent", "--kappa", "0.11",
         "--clover-csw", "1", "--hasenbusch-mu", "0.3", "--trajectory-steps", "1", "--verify", "false",
         "--trajectory-length", "0.2", "--trajectories", str(TRAJECTORIES - WARM_UP),
         "--warmup-trajectories", str(WARM_UP)]


def check(what, true):
    print("ok" if true else "WRONG", what, flush=True)
    if not true:
        sys.exit(1)


def main():
    plot, program, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
    launcher += ["1"] if launcher else []
    with tempfile.TemporaryDirectory() as folder:
        out, picture = pathlib.Path(folder) / "run.json", pathlib.Path(folder) / "picture.svg"
        subprocess.run([*launcher, program, *SMALL, "--json", out], check=True)
        run = json.loads(out.read_text(encoding="utf-8"))
        check("a record each", len(run["trajectories"]) == TRAJECTORIES)
        check("two quark forces and the gauge action's, of some size",
              all(len(t["forces"]) == 3 and min(t["forces"].values()) > 1e-4 for t in run["trajectories"]))
        subprocess.run([sys.executable, "-B", plot, out, picture], check=True)
        kinds = {}
        for circle in tree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}circle"):
            kinds.setdefault(circle.get("class"), []).append(float(circle.get("cy")))
        rejected = sum(not t["accepted"] for t in run["trajectories"])
        check("points", [len(kinds.get(kind, [])) for kind in ("plaquette", "dH", "rejected", "force", "iterations")] ==
              [TRAJECTORIES, TRAJECTORIES - rejected, rejected, 3 * TRAJECTORIES, 2 * TRAJECTORIES])
        values = [t["plaquette"] for t in run["trajectories"]]
        order = sorted(range(TRAJECTORIES), key=lambda i: values[i])
        check("larger is higher", order == sorted(range(TRAJECTORIES), key=lambda i: -kinds["plaquette"][i]))


main()
