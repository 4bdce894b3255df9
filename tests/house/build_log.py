#!/usr/bin/env python3
"""Units that take long to compile and kernels whose code is large, of the build in a folder.

    build_log.py BUILD NM     a line for each unit or function beyond its budget; exit 1 where a function is
    build_log.py --self-check see a slow unit and a large function found, and a busy machine's forgiven

Budgets are in CONTRIBUTING.md. Seconds are those of ninja's log, which grow with what else the machine does: they are
divided by how much slower than HOST_SECONDS the host side's median unit was in the same log, and are told, not judged.
A unit that came from the compiler's cache took no time. Bytes are the same on every machine and are judged.
"""

import os
import re
import subprocess
import sys

HOST_SECONDS = 1.5  # the median unit of lib/ outside of kernels, on an idle processor of 2024
BUDGETS = {"cpu": 15, "cuda": 25}  # seconds of a unit
MOST_TEXT = 100 * 1024  # bytes of a function
HOST = re.compile(r"quda_host\.dir/lib/")
LAUNCH = re.compile(r"_cpu_\w+\.dir/.*launch\.cpp\.o$")  # those that the library holds


def read_log(path):
    """Seconds of each object's last compilation."""
    seconds = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) >= 4 and fields[3].endswith(".o"):
                seconds[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return seconds


def budget_of(name):
    return BUDGETS["cuda" if "_cuda.dir/" in name else "cpu"]


def slow_units(seconds):
    host = sorted(s for name, s in seconds.items() if HOST.search(name))
    slowness = max(1.0, host[len(host) // 2] / HOST_SECONDS) if host else 1.0
    faults = []
    for name, measured in sorted(seconds.items()):
        budget = budget_of(name)
        if measured / slowness > budget:
            faults.append(f"{name}: {measured:.0f} s, {measured / slowness:.0f} s at the speed of a quiet machine; "
                          f"budget {budget} s")
    return faults


def large_functions(name, listing):
    """listing: nm -S -C of an object."""
    faults = []
    for line in listing.splitlines():
        fields = line.split(maxsplit=3)
        if len(fields) == 4 and fields[2] in "tTwW" and int(fields[1], 16) > MOST_TEXT:
            faults.append(f"{name}: {int(fields[1], 16)} bytes, budget {MOST_TEXT}, of {fields[3]}")
    return faults


def check(build, nm):
    log = os.path.join(build, ".ninja_log")
    if not os.path.exists(log):
        print("not a build by ninja")
        return 77
    seconds = {name: s for name, s in read_log(log).items() if os.path.exists(os.path.join(build, name))}
    slow, faults = slow_units(seconds), []
    for name in sorted(seconds):
        if LAUNCH.search(name):
            listing = subprocess.run([nm, "-S", "-C", os.path.join(build, name)], capture_output=True, text=True,
                                     check=True).stdout
            faults += large_functions(name, listing)
    print("\n".join(slow + faults) or f"{len(seconds)} units within their budgets")
    return 1 if faults else 0


def self_check():
    host = {f"CMakeFiles/quda_host.dir/lib/{n}.cpp.o": HOST_SECONDS for n in range(5)}
    unit = "CMakeFiles/quda_launch_cpu_avx2.dir/slow.launch.cpp.o"
    gpu = "CMakeFiles/quda_launch_cuda.dir/slow.launch.cu.o"
    assert not slow_units({**host, unit: 14.9, gpu: 24.9})
    assert len(slow_units({**host, unit: 15.1, gpu: 25.1})) == 2
    assert not slow_units({**{name: 2 * s for name, s in host.items()}, unit: 29.9})
    assert large_functions("a.o", f"0 {MOST_TEXT + 1:x} W f(int)") and not large_functions("a.o", "0 10 T g()")


if __name__ == "__main__":
    if sys.argv[1] == "--self-check":
        self_check()
    else:
        sys.exit(check(sys.argv[1], sys.argv[2]))
