#!/usr/bin/env python3
"""symbols.py BUILD [nm]: the objects of launch units define no weak symbol outside their target's namespace.

The linker keeps one copy of a weak symbol, whichever it meets first; a copy compiled for AVX-512 could be the one that
a processor without it runs. Symbols are told by their mangled names."""

import json
import os
import re
import subprocess
import sys

# what may stand before the outermost name: vtable and type information, guards, local entities, qualifiers
PREFIX = r"^_Z(?:T[VTISHWhvcr]?[\d_]*|G[VRr])*Z*N[KVrRO]*"


def object_of(entry):
    if "output" in entry:
        return entry["output"]
    words = entry["command"].split()
    return words[words.index("-o") + 1]


def main():
    build = sys.argv[1]
    nm = sys.argv[2] if len(sys.argv) > 2 else "nm"
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    faults, objects, weak = [], 0, 0
    for entry in commands:
        if not entry["file"].endswith(".launch.cpp"):
            continue
        space = next(w.split("=")[1] for w in entry["command"].split() if w.startswith("-DQUDA_TARGET_NAMESPACE="))
        path = os.path.join(entry["directory"], object_of(entry))
        if not os.path.exists(path):
            faults.append(f"{path}: not built")
            continue
        objects += 1
        own = re.compile(PREFIX + f"4quda{len(space)}{space}")
        listing = subprocess.run([nm, "--defined-only", path], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            kind, name = line.split()[-2:]
            if kind in "WVu":
                weak += 1
                if not own.match(name) and name != "DW.ref.__gxx_personality_v0":
                    plain = subprocess.run(["c++filt", name], capture_output=True, text=True, check=False).stdout
                    faults.append(f"{os.path.basename(path)} ({space}): weak {plain.strip() or name}")
    for fault in sorted(set(faults)):
        print(fault)
    print(f"{objects} launch objects, {weak} weak symbols, {len(faults)} outside their namespace or missing")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
