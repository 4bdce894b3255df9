"""PyQUDA's own test scripts, unchanged, on this library.

pyquda_own.py SCRIPT [LAUNCHER]. QUDA_PYQUDA_TESTS names the folder tests/ of PyQUDA's sources, which its packages
leave out; QUDA_TEST_DATA the files they compare with, as in pyquda_test.py. The script runs beside links to both, on
numpy arrays where it does not choose (cupy is numpy), with QUDA_TARGET=cuda on CuPy's, so that the library is handed
pointers to the GPU's memory, and each norm of a difference that it prints, a number alone on
a line, after counts, or after words that begin with "Difference", or the change of the energy along a trajectory,
must be small: below 1e-10, or below what LARGEST has for it. Of hybrid Monte Carlo that would take long only so many
trajectories run. A script that wants several ranks is started by the launcher, a command that the number of ranks is
appended to.
Exit status 77: folder or files are not there.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import hisq_propagator

# Chroma projects onto SU(3) in another way (APE, HYP), and its Landau gauge is as good as its stopping rule. Of
# test_laplace.py the difference is that of eigenvectors from one time slice and from all: 1e-9 is asked for, of values
# that differ by 1e-4. Without numbers: that a script runs to its end.
RANKS = {"test_hmc_hisq.py": 2}
TRAJECTORIES = {"test_hmc_gauge.py": 20, "test_hmc_clover.py": 6, "test_hmc_hisq.py": 3}  # the last from unit links
LARGEST = {"test_smear.py": [2e-5, 1e-10, 2e-5], "test_gfix.py": [2e-5], "test_mesonspec.py": [],
           "test_laplace.py": [1e-7], "test_dslash.py": [],
           "test_hmc_gauge.py": [0.01] * 20, "test_hmc_clover.py": [0.3, 0.1, 0.05, 0.05, 0.05, 0.05],
           "test_hmc_hisq.py": [0.2, 0.05, 0.05]}
ON_NUMPY = """
import sys, types
import numpy
cupy = types.ModuleType("cupy")
cupy.__dict__.update(numpy.__dict__)
cupy.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(deviceSynchronize=lambda: None))
cupy.random = types.SimpleNamespace(random=lambda size, dtype=None: numpy.random.random(size))
class Fetched(numpy.ndarray):
    def get(self):
        return numpy.asarray(self)
cupy.roll = lambda *a: numpy.roll(*a).view(Fetched)
sys.modules.setdefault("cupy", cupy)
if sys.argv[1] == "test_laplace.py":
    import functools
    from scipy.sparse import linalg
    for name in ("cupyx", "cupyx.scipy", "cupyx.scipy.sparse"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules["cupyx.scipy.sparse"].linalg = types.SimpleNamespace(
        eigsh=linalg.eigsh, LinearOperator=functools.partial(linalg.LinearOperator, dtype="<c16"))
from pyquda_utils import core
init = core.init
core.init = lambda *a, **k: init(*a, **{"backend": "numpy", **k})
"""
LAUNCH = """
import runpy, sys
from pyquda_utils import core
sys.path[:0] = [".", ".."]
if sys.argv[1].startswith("test_hmc"):
    from pyquda.hmc import HMC
    accept, left = HMC.accept, iter(range(int(sys.argv[2])))
    HMC.accept = lambda self, change: sys.exit() if next(left, None) is None else accept(self, change)
if sys.argv[1].endswith("_cli.py"):
    core.init(None, [4, 4, 4, 8])
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def main():
    given = os.environ.get("QUDA_PYQUDA_TESTS", "")
    files = pathlib.Path(os.environ.get("QUDA_TEST_DATA",
                                        pathlib.Path(__file__).resolve().parents[2] / "../shared/data")).resolve()
    if not given or not (files / "chroma").is_dir():
        print("QUDA_PYQUDA_TESTS names no folder of PyQUDA's sources, or there are no files to compare with: skipped")
        sys.exit(77)
    if sys.argv[1] == "test_io.py":
        asked = "import h5py, sys; sys.exit(not h5py.get_config().mpi)"
        if subprocess.run([sys.executable, "-c", asked], check=False, stderr=subprocess.DEVNULL).returncode != 0:
            print("h5py is not here, or not for several processes: skipped")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder) / "tests"
        for needed in (".cache/quda", "DATA/cfg"):
            (here / needed).mkdir(parents=True)
        for script in pathlib.Path(given).resolve().glob("*.py"):
            (here / script.name).symlink_to(script)
        (here / "data").mkdir()
        for file in (files / "chroma").iterdir():
            (here / "data" / file.name).symlink_to(file)
        (here / "data/coul_cfg.lime").symlink_to(files / "chroma/landau.lime")  # as the script calls it
        if sys.argv[1] == "test_hisq.py":
            hisq_propagator.write(files / "weak_field.lime", here / "data/pt_prop_2")  # others have none
        (here / "tests").symlink_to(".")  # some scripts are started in the folder above
        (here / "weak_field.lime").symlink_to(files / "weak_field.lime")
        trajectories = str(TRAJECTORIES.get(sys.argv[1], 0))
        ranks = RANKS.get(sys.argv[1])
        launcher = [*sys.argv[2:], str(ranks)] if ranks else []
        launch = LAUNCH if os.environ.get("QUDA_TARGET") == "cuda" else ON_NUMPY + LAUNCH
        done = subprocess.run([*launcher, sys.executable, "-c", launch, sys.argv[1], trajectories], cwd=here,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout)
    norm = re.compile(r"(?:\d+ )*(?:Difference .* |Delta_E = -?)?(\d[\d.]*(?:e[+-]\d+)?)")
    norms = [float(found[1]) for found in map(norm.fullmatch, done.stdout.splitlines()) if found]
    largest = LARGEST.get(sys.argv[1], [1e-10] * len(norms))
    empty = not norms and sys.argv[1] not in LARGEST
    if done.returncode != 0 or empty or len(norms) != len(largest) or not all(map(float.__lt__, norms, largest)):
        sys.exit(f"{sys.argv[1]}: exit status {done.returncode}, differences {norms}; must be below {largest}")


main()
