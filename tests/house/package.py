#!/usr/bin/env python3
"""package.py BUILD CMAKE CUDA: installs a build to a folder of its own, moves that folder, and lets a host code in C
find it there with CMake and with pkg-config, link it and run. CUDA (1 or 0): must the package set QUDA_TARGET_CUDA."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROJECT = """cmake_minimum_required(VERSION 3.22)
project(host_code C)
find_package(QUDA REQUIRED config)
if(DEFINED QUDA_TARGET_CUDA)
  message(STATUS "cuda=1")
else()
  message(STATUS "cuda=0")
endif()
add_executable(host_code host_code.c)
target_link_libraries(host_code PRIVATE QUDA::quda)
"""

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


def check(what, true):
    print("ok" if true else "WRONG", what)
    if not true:
        sys.exit(1)


def main():
    build, cmake, cuda = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        run([cmake, "--install", build, "--prefix", str(here / "first")])
        prefix = (here / "first").rename(here / "prefix")
        (here / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        (here / "host_code.c").write_text(PROGRAM, encoding="utf-8")
        said = run([cmake, "-S", folder, "-B", str(here / "b"), f"-DCMAKE_PREFIX_PATH={prefix}"])
        check("QUDA_TARGET_CUDA in the CMake package", f"cuda={cuda}" in said)
        run([cmake, "--build", str(here / "b")])
        environment = {name: value for name, value in os.environ.items() if not name.startswith("QUDA_")}
        check("program by CMake", "type unset" in run([str(here / "b/host_code")], env=environment))
        if not shutil.which("pkg-config"):
            return
        where = next(prefix.rglob("quda.pc")).parent
        flags = run(["pkg-config", "--cflags", "--libs", "quda"], env={**environment, "PKG_CONFIG_PATH": str(where)})
        program = str(here / "by_pkg_config")
        run([os.environ.get("CC", "cc"), "-std=c99", str(here / "host_code.c"), *flags.split(), "-o", program])
        check("program by pkg-config", "type unset" in run([program], env=environment))


main()
