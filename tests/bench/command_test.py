#!/usr/bin/env python3
"""Runs quda_bench as people do, on 4 4 4 4, and looks at its status, output and JSON; never at speed.

    command_test.py QUDA_BENCH
"""

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, LAUNCHER = None, []
MPIRUN = os.environ.get("QUDA_MPIRUN")
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
CONFIGURATION = os.path.join(ROOT, "tests/data/beta6_4448.ildg")
# tables that nothing measured here can launch, and why
NOT_LAUNCHED = {"convert_double": "for fields whose bytes are no multiple of 16, on a GPU"}
SMALL = ["--dim", "4", "4", "4", "4", "--prec", "single", "--recon", "18", "--time", "0"]


def run(*arguments, **environment):
    return subprocess.run([*LAUNCHER, PROGRAM, *arguments], capture_output=True, text=True, timeout=300,
                          env={**os.environ, **environment})


def written(*arguments, ending=".json", **environment):
    """What a run that must succeed writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out" + ending)
        result = run(*arguments, "--" + ending[1:], path, **environment)
        if result.returncode != 0:
            raise AssertionError(result.stdout + result.stderr)
        with open(path, encoding="utf-8") as file:
            return json.load(file) if ending == ".json" else file.read()


def kernel_tables():
    """Names of the library's kernels, as its sources have them."""
    names = set()
    for where, _, files in os.walk(os.path.join(ROOT, "lib/kernels")):
        for name in files:
            with open(os.path.join(where, name), encoding="utf-8") as file:
                text = file.read()
            if name.endswith(".launch.cpp"):
                names.update(re.findall(r"^QUDA_INSTANCES\((\w+),", text, re.M))
            if name == "blas_call.h":
                table = re.search(r"struct BlasTable \{(.*?)\};", text, re.S).group(1)
                names.update("blas." + one for one in re.findall(r"(\w+)[,;]", table))
    return names


class Command(unittest.TestCase):
    def test_every_option_names_its_default(self):
        text = run("--help").stdout
        options = re.split(r"^  (?=-)", text, flags=re.M)[1:]
        self.assertGreater(len(options), 10)
        for option in options:
            if not option.startswith("-h"):
                self.assertRegex(option, r"\[.+\]", option)

    def test_every_kernel_of_the_library_is_here(self):
        ours = {table for row in written("--list") for table in row["tables"]}
        tables = kernel_tables()
        self.assertGreater(len(tables), 60)
        missing = sorted(tables - ours - set(NOT_LAUNCHED))
        self.assertEqual(missing, [], "kernels of the library that no kernel of quda_bench launches; "
                                      "a Registered in tests/bench/ says which .tables it launches")
        self.assertEqual(sorted(ours - tables), [], "named by quda_bench, not in the library")

    def test_every_checksum_agrees(self):
        """All of it, each once, on two small lattices; status 0 means that checks and checksums agree."""
        rows = written("--dim", "4", "4", "4", "4", "--time", "0", QUDA_ENABLE_TUNING="0")["results"]
        self.assertGreater(len({row["kernel"] for row in rows}), 60)
        self.assertTrue(all(row["checksum_ok"] for row in rows))
        self.assertGreater(len([row for row in rows if row["variant"] == "reference"]), 45)
        for row in rows:
            self.assertGreaterEqual(row["working_set"], 0)
            self.assertGreaterEqual(row["read"] + row["written"], row["touched"] / 2, row["case"])

    def test_several_threads_tunings_and_sizes(self):
        options = ["--kernel", "axpy", "norm2", "--sweep", "4:6", "--prec", "single", "--time", "0"]
        runs = written("--threads", "1", "2", "--tunings", "untuned", "tile=2,threads=1", *options)["runs"]
        self.assertEqual([(run["machine"]["threads"], run["machine"]["tuning"]) for run in runs],
                         [(1, "untuned"), (2, "untuned"), (1, "tile=2,threads=1"), (2, "tile=2,threads=1")])
        for one in runs:
            self.assertEqual([(row["kernel"], row["dims"][0]) for row in one["results"]],
                             [("axpy", 4), ("norm2", 4), ("axpy", 6), ("norm2", 6)])
        lines = written(*options, ending=".csv", QUDA_ENABLE_TUNING="0").splitlines()
        self.assertEqual(len(lines), 5)
        self.assertIn("4x4x4x4", lines[1])
        self.assertEqual(run("--sweep", "7:5").returncode, 2)

    @unittest.skipUnless(MPIRUN, "built without MPI")
    def test_ranks(self):
        """Two ranks together have the results of one; time is taken as often on both, or they would wait for ever."""
        global LAUNCHER
        options = ["--kernel", "wilson_cut", "solve_cg_cut", "halo_exchange", "plaquette", *SMALL[:-1], "0.05"]
        alone = written(*options)["results"]
        try:
            LAUNCHER = [MPIRUN, "--oversubscribe", "--bind-to", "none", "--allow-run-as-root", "-n", "2"]
            together = written("--gridsize", "1", "1", "1", "2", *options)
            self.assertEqual(together["machine"]["gridsize"], [1, 1, 1, 2])
            self.assertNotEqual(run("--gridsize", "1", "1", "1", "3", *options).returncode, 0)
        finally:
            LAUNCHER = []
        self.assertEqual([row["case"] for row in together["results"]], [row["case"] for row in alone])
        for one, two in zip(alone, together["results"]):
            self.assertEqual((one["ranks"], two["ranks"]), (1, 2))
            self.assertTrue(two["checksum_ok"])
            self.assertAlmostEqual(one["checksum"]["value"], two["checksum"]["value"],
                                   delta=one["tolerance"] * one["checksum"]["size"])
        refused = run("--gridsize", "1", "1", "1", "2", "--threads", "1", "2", *SMALL)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--gridsize = 1 1 1 2", refused.stderr)

    def test_passes(self):
        rows = written("--kernel", "axpy", "norm2", "--passes", "3", *SMALL[:-1], "0.05")["results"]
        self.assertEqual([len(row["passes"]) for row in rows if row["variant"] != "reference"], [3, 3])
        for one in rows[0]["passes"]:
            self.assertGreater(len(one["seconds"]), 1)
            self.assertGreater(one["fma"], 0)

    def test_a_filter_that_matches_nothing(self):
        for more in [], ["--list"]:
            result = run("--filter", "nosuchkernel", *more)
            self.assertEqual(result.returncode, 2)
            for word in "nosuchkernel", "wilson", "plaquette":
                self.assertIn(word, result.stderr)

    def test_the_results_are_those_listed(self):
        lines = run("--list", "--filter", "^axpy/cpu", *SMALL).stdout.splitlines()
        names = [line.split()[0] for line in lines if "/" in line]
        self.assertEqual(names, ["axpy/cpu/single/18/1"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            result = run("--filter", "^axpy/cpu", "--json", path, *SMALL)
            self.assertIn(names[0], result.stdout)
            with open(path, encoding="utf-8") as file:
                rows = json.load(file)["results"]
        self.assertEqual([row["kernel"] for row in rows], ["axpy"])
        self.assertTrue(rows[0]["checksum_ok"])
        self.assertGreater(rows[0]["seconds"], 0)

    def test_solves_and_half_precision_on_a_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            result = run("--load-gauge", CONFIGURATION, "--kappa", "0.14", "--prec", "half", "single", "--recon", "12",
                         "--nrhs", "2", "--time", "0", "--json", path,
                         "--filter", "^(solve_(bicgstab|cg|shifts)|wilson|clover)/cpu")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            with open(path, encoding="utf-8") as file:
                rows = json.load(file)["results"]
        self.assertEqual({(row["kernel"], row["prec"]) for row in rows},
                         {(kernel, prec) for prec in ("half", "single")
                          for kernel in ("wilson", "clover", "solve_bicgstab", "solve_cg", "solve_shifts")})
        for row in rows:
            self.assertEqual(row["dims"], [4, 4, 4, 8])
            self.assertEqual("iterations" in row, "solve" in row["kernel"])
            if "iterations" in row:
                self.assertGreater(row["iterations"], 10)
                self.assertGreater(row["iteration_over_operator"], 0.1)
        result = run("--load-gauge", CONFIGURATION, "--dim", "4", "4", "4", "4", "--filter", "wilson")
        self.assertEqual(result.returncode, 2)
        self.assertIn("4 4 4 8", result.stderr)

    def test_compare_bench(self):
        """Results whose times are made up: what is slower, what drifts, what is noise."""
        rows = written("--filter", "^(axpy|xpay|axpby|caxpy|norm2|redot|cdot|triad|copy)/cpu", *SMALL)["results"]
        self.assertGreater(len(rows), 8)

        def compared(change):
            with tempfile.TemporaryDirectory() as folder:
                paths = [os.path.join(folder, name) for name in ("a.json", "b.json")]
                for path, changed in zip(paths, (lambda *_: 1, change)):
                    for row in rows:
                        row["passes"] = [
                            {"seconds": [1e-4 * changed(row["kernel"], p) * (1 + 0.01 * math.sin(p * 9 + i))
                                         for i in range(30)], "share": [1] * 30,
                             "fma": 100 / changed("limit", p), "bandwidth": 0} for p in range(6)]
                    with open(path, "w", encoding="utf-8") as file:
                        json.dump({"results": rows}, file)
                return subprocess.run([sys.executable, "-B", os.path.join(ROOT, "utils/compare_bench.py"), *paths],
                                      capture_output=True, text=True, check=False)

        self.assertEqual(compared(lambda *_: 1).returncode, 0)
        drift = compared(lambda kernel, p: 1.3)
        self.assertEqual(drift.returncode, 0, drift.stdout)
        noise = compared(lambda kernel, p: 1.1 + 0.2 * (-1) ** p if kernel == "axpy" else 1)
        self.assertEqual(noise.returncode, 0, noise.stdout)
        slow = compared(lambda kernel, p: 1.1 if kernel == "axpy" else 1)
        self.assertEqual(slow.returncode, 1, slow.stdout)
        self.assertEqual(re.findall(r"(\S+)/cpu.*SLOWER", slow.stdout), ["axpy"])

    def test_plot_bench(self):
        try:
            import matplotlib  # pylint: disable=unused-import,import-outside-toplevel
        except ImportError:
            self.skipTest("matplotlib is absent")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            run("--kernel", "axpy", "copy", "wilson", "--sweep", "4:6", "--json", path, *SMALL[5:])
            subprocess.run([sys.executable, "-B", os.path.join(ROOT, "utils/plot_bench.py"), path], check=True,
                           stdout=subprocess.DEVNULL)
            self.assertEqual(sorted(os.listdir(folder)), ["out.html", "out.json", "out_roofline_single.png",
                                                          "out_sweep_single.png"])
            with open(os.path.join(folder, "out.html"), encoding="utf-8") as file:
                page = file.read()
        points = {int(number) for number in re.findall(r'id="point-(\d+)"', page)}
        self.assertEqual(len(points), len(re.findall(r'<tr id="row-\d+"', page)))
        self.assertNotRegex(page, r'(src|href)="(https?:)?//')

    def test_compared_with_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            result = run("--compare", PROGRAM, PROGRAM, "--rounds", "2", "--filter", "^axpy/cpu", "--json", path,
                         *SMALL)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("worst: axpy/cpu/single/18/1", result.stdout)
            with open(path, encoding="utf-8") as file:
                all_of_it = json.load(file)
        self.assertEqual(len(all_of_it["cases"]), 1)
        case = all_of_it["cases"][0]
        self.assertEqual([len(case[key]) for key in ("before", "after", "ratios")], [4, 4, 2])
        self.assertEqual(all_of_it["only_before"] + all_of_it["only_after"], [])

    def test_compared_with_what_has_other_cases(self):
        """A program in the old one's place that knows one case of ours and one that we lack."""
        with tempfile.TemporaryDirectory() as folder:
            old = os.path.join(folder, "old")
            with open(old, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n"
                           "case \"$*\" in *--list*) echo gone/cpu/single/18/1; echo copy/cpu/single/18/1;;\n"
                           f"*) exec {PROGRAM} \"$@\";; esac\n")
            os.chmod(old, 0o700)
            result = run("--compare", old, PROGRAM, "--rounds", "1", "--filter", "^(gone|copy|axpy)/", *SMALL)
        self.assertIn("only before: gone/cpu/single/18/1", result.stdout)
        self.assertIn("only after: axpy/cpu/single/18/1", result.stdout)
        self.assertIn("worst: copy/cpu/single/18/1", result.stdout)

    def test_a_program_that_fails(self):
        result = run("--compare", "/bin/false", PROGRAM, *SMALL)
        self.assertEqual(result.returncode, 2)
        self.assertIn("/bin/false", result.stderr)
        result = run("--compare", "/nonexistent", PROGRAM, *SMALL)
        self.assertEqual(result.returncode, 2)
        self.assertIn("/nonexistent", result.stderr)

    def test_interrupted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            command = [PROGRAM, "--filter", "^(axpy|copy)/cpu", "--json", path, *SMALL[:-1], "600"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
                for line in child.stdout:
                    if line.startswith("kernel/"):
                        break
                time.sleep(1)  # into the first kernel, most likely
                child.send_signal(signal.SIGINT)
                rest = child.stdout.read()
            self.assertIn("limits:", rest)
            with open(path, encoding="utf-8") as file:
                self.assertLess(len(json.load(file)["results"]), 2)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
