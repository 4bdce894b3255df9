#!/usr/bin/env python3
"""exports.py LIBRARY MAP: what libquda.so exports is what its version script lists, each name once, nothing weak
except questions to a host's OpenMP, and it needs neither the CUDA driver nor the CUDA run time to load."""

import re
import subprocess
import sys


def main():
    library, script = sys.argv[1:3]
    with open(script, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    wanted = set(re.findall(r"^\s*(\w+);", text, re.M))
    wanted |= {re.sub(r"\(.*", "", s) for s in re.findall(r'"([^"]+)"', text)}
    wanted -= {"C++"}
    faults, found = [], set()
    listing = subprocess.run(["nm", "-D", "-C", library], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        kind, name = re.match(r"^[0-9a-f ]{16} (\w) (.*)$", line).groups()
        name = re.sub(r"\(.*", "", name)
        if kind in "UA":
            continue
        if kind == "w":
            if not name.startswith(("__gmon_start__", "_ITM_", "__cxa_", "__pthread", "pthread_", "omp_get_")):
                faults.append(f"weak reference {name}")
            continue
        found.add(name)
        if kind in "WVu":
            faults.append(f"weak definition {name}")
    faults += [f"exported and not listed: {name}" for name in sorted(found - wanted)]
    faults += [f"listed and not exported: {name}" for name in sorted(wanted - found)]
    needed = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    faults += [f"needs {name}" for name in re.findall(r"NEEDED.*\[(libcuda[^\]]*)\]", needed)]
    soname = re.search(r"SONAME.*\[([^\]]*)\]", needed)
    if not soname or soname.group(1) != "libquda.so.1":
        faults.append(f"SONAME is {soname and soname.group(1)}")
    for fault in faults:
        print(fault)
    print(f"{len(found)} exported, {len(wanted)} listed, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
