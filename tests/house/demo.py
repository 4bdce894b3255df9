#!/usr/bin/env python3
"""demo.py ROOT BUILD: the demo on a small lattice, by heat bath and then on the file that it wrote: it passes its own
checks, its results (JSON) are whole, and its picture is drawn where matplotlib is."""

import json
import pathlib
import subprocess
import sys
import tempfile

SMALL = ["--heatbath-warmup-steps", "20", "--heatbath-num-steps", "20", "--su3-smear-steps", "6", "--tune", "false"]


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}status {done.returncode}: {command}")
    return done.stdout


def check(what, true, output=""):
    print("ok" if true else f"{output}WRONG", what, flush=True)
    if not true:
        sys.exit(1)


def with_matplotlib():
    for python in (sys.executable, "/usr/bin/python3"):
        if pathlib.Path(python).exists() and not subprocess.run([python, "-c", "import matplotlib"], check=False,
                                                                stderr=subprocess.DEVNULL).returncode:
            return python
    return None


def tour(root, build, here, name, arguments):
    """The results of one run, drawn."""
    out = here / f"{name}.json"
    said = run([build / "bin/demo", "--json", out, *SMALL, *arguments])
    results = json.loads(out.read_text(encoding="utf-8"))
    check(f"{name}: checks of the demo", results["passed"] and said.count("PASSED") == 3 and "FAILED" not in said, said)
    check(f"{name}: smearing", len(results["smearing"]) == 7 and results["smearing"][6]["plaquette"] > 0.97)
    quark = results["propagator"]
    pion, mass = quark["pion"]["correlator"], quark["pion"]["effective_mass"]
    check(f"{name}: propagator", quark["columns"] == 12 and quark["residual"] < 1e-10 and quark["iterations"] > 10)
    check(f"{name}: pion", len(pion) == 8 and len(mass) == 3 and all(c > 0 for c in pion) and mass[0] > 1)
    # periodic, up to what one configuration scatters
    check(f"{name}: pion from either side", all(0.3 < pion[t] / pion[8 - t] < 3 for t in (1, 2, 3)))
    check(f"{name}: contraction", len(results["contraction"]["sums"]) == 16)
    check(f"{name}: times", set(results["seconds"]) >= {"start", "configuration", "smearing", "propagator", "force",
                                                                "contraction"})
    python = with_matplotlib()
    if python:
        run([python, "-B", root / "utils/plot_demo.py", out, here / f"{name}.png"])
        picture = (here / f"{name}.png").read_bytes()
        check(f"{name}: picture", picture.startswith(b"\x89PNG") and len(picture) > 10000)
    else:
        print("matplotlib is absent: nothing is drawn")
    return results


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        made = tour(root, build, here, "heat bath", ["--dim", "4", "4", "4", "8", "--save-gauge", here / "links"])
        history = made["plaquette"]["history"]
        check("heat bath: history", len(history) == 40 and abs(made["plaquette"]["mean"] - 0.595) < 0.02)
        read = tour(root, build, here, "file", ["--load-gauge", here / "links"])
        check("file: the same configuration",
              read["plaquette"]["configuration"] == made["plaquette"]["configuration"] and
              read["smearing"] == made["smearing"] and "ILDG" in read["links"] and
              read["propagator"]["pion"] == made["propagator"]["pion"])


main()
