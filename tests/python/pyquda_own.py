"""PyQUDA's own test scripts, unchanged, on this library.

pyquda_own.py SCRIPT. QUDA_PYQUDA_TESTS names the folder tests/ of PyQUDA's sources, which its packages leave out;
QUDA_TEST_DATA the files they compare with, as in pyquda_test.py. The script runs beside links to both, on numpy arrays
where it does not choose, and each number that it prints alone on a line, the norm of a difference, must be small.
Exit status 77: folder or files are not there.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

LARGEST = 1e-10
LAUNCH = """
import runpy, sys
sys.path[:0] = [".", ".."]
from pyquda_utils import core
init = core.init
core.init = lambda *a, **k: init(*a, **{"backend": "numpy", **k})
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
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder) / "tests"
        (here / ".cache/quda").mkdir(parents=True)
        for script in pathlib.Path(given).resolve().glob("*.py"):
            (here / script.name).symlink_to(script)
        (here / "data").symlink_to(files / "chroma")
        (here / "weak_field.lime").symlink_to(files / "weak_field.lime")
        done = subprocess.run([sys.executable, "-c", LAUNCH, sys.argv[1]], cwd=here, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout)
    norms = [float(line) for line in done.stdout.splitlines() if re.fullmatch(r"\d[\d.]*(e[+-]\d+)?", line)]
    if done.returncode != 0 or not norms or not max(norms) < LARGEST:
        sys.exit(f"{sys.argv[1]}: exit status {done.returncode}, differences {norms}; all must be below {LARGEST}")


main()
