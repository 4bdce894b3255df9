#!/usr/bin/env python3
"""ptxas.py BUILD: a table of what the CUDA kernels use, from the reports of ptxas under BUILD/ptxas. A kernel that
spills registers fails, unless it is one of those for the largest block (cuda_whole_kernel in
lib/targets/cuda/launch.h), which run where nothing smaller will do."""

import glob
import os
import re
import subprocess
import sys


def main():
    rows, faults = [], []
    for log in sorted(glob.glob(os.path.join(sys.argv[1], "ptxas", "*.log"))):
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
        entry = re.compile(r"Compiling entry function '(\w+)' for '(\w+)'(.*?)(?=Compiling entry function|\Z)", re.S)
        for name, arch, report in entry.findall(text):
            spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", report)
            used = re.search(r"Used (\d+) registers", report)
            shared = re.search(r"(\d+) bytes smem", report)
            row = [name, arch, int(used.group(1)) if used else 0, int(shared.group(1)) if shared else 0,
                   int(spills.group(1)) + int(spills.group(2)) if spills else 0]
            if row not in rows:
                rows.append(row)
    plain = subprocess.run(["c++filt"], input="\n".join(row[0] for row in rows), capture_output=True, text=True,
                           check=False).stdout.splitlines()
    print(f"{'arch':6} {'registers':>9} {'shared':>7} {'spills':>7}  kernel")
    for row, name in sorted(zip(rows, plain), key=lambda pair: (pair[1], pair[0])):
        name = re.sub(r"^void |quda::cuda::", "", name)
        print(f"{row[1]:6} {row[2]:9} {row[3]:7} {row[4]:7}  {name}")
        if row[4] and not name.startswith("cuda_whole_kernel<"):
            faults.append(f"{name} for {row[1]} spills {row[4]} bytes")
    for fault in faults:
        print(fault)
    if not rows:
        faults.append("no kernel")
    print(f"{len(rows)} kernels, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
