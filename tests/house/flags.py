#!/usr/bin/env python3
"""flags.py BUILD: reads compile_commands.json. Instruction-set flags stand on launch units of the CPU target and
nowhere else, each such unit has them, and nothing is compiled with -ffast-math or without -ffp-contract=off."""

import json
import os
import re
import sys

INSTRUCTION_SET = re.compile(r"^-m(avx|fma|sse|arch=|tune=|bmi|prefer-vector)|^-march=|^-mcpu=")
NEEDED = {"cpu_avx2": {"-mavx2", "-mfma"}, "cpu_avx512": {"-march=skylake-avx512"}}


def main():
    build = sys.argv[1]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    faults, launch = [], {}
    for entry in commands:
        words = entry["command"].split()
        unit = entry["file"]
        if unit.startswith(os.path.join(build, "headers")):  # the test of headers, in no program
            continue
        flags = {word for word in words if INSTRUCTION_SET.match(word)}
        space = next((w.split("=")[1] for w in words if w.startswith("-DQUDA_TARGET_NAMESPACE=")), None)
        is_launch = unit.endswith(".launch.cpp")
        if is_launch:
            launch[space] = launch.get(space, 0) + 1
        emulator = "/tests/ptx/" in unit  # a tool of tests; the library wants AVX2 too
        if flags and not emulator and not (is_launch and space in NEEDED):
            faults.append(f"{unit}: instruction-set flags {sorted(flags)} outside a launch unit of the CPU")
        if is_launch and not NEEDED.get(space, set()) <= flags:
            faults.append(f"{unit}: compiled for {space} without {sorted(NEEDED[space] - flags)}")
        if any(word in ("-ffast-math", "-Ofast", "-funsafe-math-optimizations", "--use_fast_math") for word in words):
            faults.append(f"{unit}: compiled with relaxed arithmetic")
        if not unit.endswith(".cu") and not any("-ffp-contract=off" in word for word in words):
            faults.append(f"{unit}: compiled without -ffp-contract=off")
    for fault in faults:
        print(fault)
    print(f"{len(commands)} commands, launch units by target: {launch or 'none'}, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
