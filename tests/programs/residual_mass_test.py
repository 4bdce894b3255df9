#!/usr/bin/env python3
"""residual_mass_test.py INVERT_TEST CONFIGURATION [LAUNCHER...]: the residual mass of domain-wall quarks falls with the
extent of the fifth dimension, of Shamir's and, on two processes, of Moebius ones; the axial Ward identity holds."""

import re
import subprocess
import sys

SOLVE = ["--tune", "false", "--verbosity", "silent", "--inv-type", "cg", "--solve-type", "normop-pc", "--mass", "0.1",
         "--m5", "-1.8", "--tol", "1e-9", "--residual-mass", "true"]


def check(what, true):
    print("ok" if true else "WRONG", what, flush=True)
    if not true:
        sys.exit(1)


def main():
    program, links, launcher = sys.argv[1], sys.argv[2], sys.argv[3:]
    for kind, words in (("domain-wall-4d", ["--dslash-type", "domain-wall-4d"]),
                        ("mobius", ["--dslash-type", "mobius", "--b5", "1.5", "--c5", "0.5"])):
        ranks = 2 if launcher and kind == "mobius" else 1
        command = [*launcher, str(ranks)] if launcher else []
        found = []
        for slices in (4, 8):
            run = subprocess.run([*command, program, "--load-gauge", links, "--gridsize", "1", "1", "1", str(ranks),
                                  *SOLVE, *words, "--Lsdim", str(slices)], check=True, capture_output=True, text=True)
            found.append(float(re.search(r"residual mass (\S+)", run.stdout).group(1)))
            check(f"{kind}, Ls {slices}: Ward identity", ("PASSED" in run.stdout) == (kind == "domain-wall-4d"))
        check(f"{kind}: {found} fall", found[0] > 1.5 * found[1] > 0)


main()
