#!/usr/bin/env python3
"""package.py BUILD CMAKE CUDA: installs a build to a folder of its own, moves that folder, and lets the host codes of
tests/examples, in C, C++ and (where gfortran is) Fortran, find it there with CMake and with pkg-config, link it and
run. CUDA (1 or 0): must the package set QUDA_TARGET_CUDA."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"

PROJECT = """cmake_minimum_required(VERSION 3.22)
project(host_codes @LANGUAGES@)
find_package(QUDA REQUIRED config)
if(DEFINED QUDA_TARGET_CUDA)
  message(STATUS "cuda=1")
else()
  message(STATUS "cuda=0")
endif()
"""

# what a host code sees of structures and of the other headers
PROGRAM = """#include <quda.h>
#include <quda_milc_interface.h>
#include <stdio.h>
int main(void)
{
  QudaGaugeParam param = newQudaGaugeParam();
  printf("type %s\\n", param.type == QUDA_INVALID_LINKS ? "unset" : "set");
  initQuda(-1);
  endQuda();
  return 0;
}
"""


def run(command, **options):
    print("$", *command, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{done.stdout}status {done.returncode}")
    return done.stdout


def check(what, true, output=""):
    print("ok" if true else f"WRONG {output}", what)
    if not true:
        sys.exit(1)


def right(name, output):
    """Whether a program said what it must."""
    if name == "host_code":
        return "type unset" in output
    if name == "propagator":
        found = re.search(r"^sum ([0-9.]+), expected ([0-9.]+)$", output, re.M)
        return "\nconverged" in output and found and abs(float(found[1]) / float(found[2]) - 1) < 1e-7
    mean = re.search(r"^plaquette +([0-9.]+)", output, re.M)
    if not mean:
        return False
    # of unit links; at beta 6 after fifty sweeps on 4^3 x 8
    return abs(float(mean[1]) - 0.595) < 0.02 if name == "heatbath" else float(mean[1]) == 1


def main():
    build, cmake, cuda = sys.argv[1:4]
    compilers = {".c": [os.environ.get("CC", "cc"), "-std=c99"], ".cpp": [os.environ.get("CXX", "c++"), "-std=c++20"]}
    if shutil.which("gfortran"):
        compilers[".f90"] = ["gfortran"]
    else:
        print("gfortran is absent: the Fortran example is left out")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUDA_")}
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        run([cmake, "--install", build, "--prefix", str(here / "first")])
        prefix = (here / "first").rename(here / "prefix")
        (here / "host_code.c").write_text(PROGRAM, encoding="utf-8")
        sources = [here / "host_code.c"]
        for example in sorted(EXAMPLES.iterdir()):
            if example.suffix in compilers:
                sources.append(pathlib.Path(shutil.copy(example, here)))
        names = {source: f"{source.stem}{'_fortran' if source.suffix == '.f90' else ''}" for source in sources}

        lines = [f"add_executable({name} {source.name})\ntarget_link_libraries({name} PRIVATE QUDA::quda)\n"
                 for source, name in names.items()]
        languages = "C CXX Fortran" if ".f90" in compilers else "C CXX"
        (here / "CMakeLists.txt").write_text(PROJECT.replace("@LANGUAGES@", languages) + "".join(lines),
                                             encoding="utf-8")
        said = run([cmake, "-G", "Ninja", "-S", folder, "-B", str(here / "b"), f"-DCMAKE_PREFIX_PATH={prefix}"])
        check("QUDA_TARGET_CUDA in the CMake package", f"cuda={cuda}" in said)
        run([cmake, "--build", str(here / "b")])
        for source, name in names.items():
            output = run([str(here / "b" / name)], env=environment)
            check(f"{source.name} by CMake", right(name, output), output)

        if not shutil.which("pkg-config"):
            return
        where = next(prefix.rglob("quda.pc")).parent
        flags = run(["pkg-config", "--cflags", "--libs", "quda"], env={**environment, "PKG_CONFIG_PATH": str(where)})
        for source, name in names.items():
            program = str(here / f"{name}_by_pkg_config")
            run([*compilers[source.suffix], str(source), *flags.split(), "-o", program])
            output = run([program], env=environment)
            check(f"{source.name} by pkg-config", right(name, output), output)


main()
