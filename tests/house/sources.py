#!/usr/bin/env python3
"""sources.py ROOT [clang-format]: no source file passes 600 lines, none 120 columns; C++ files are formatted as
.clang-format says (told, not judged, where clang-format is absent)."""

import os
import shutil
import subprocess
import sys

FOLDERS = ["include", "interface", "lib", "tests", "utils", "cmake", ".ci"]
TEXT = (".h", ".cpp", ".c", ".cu", ".def", ".py", ".sh", ".cmake", ".txt", ".md")
FORMATTED = (".h", ".cpp", ".cu")
# tables generated from the description of the interface
LONG = ("tests/interface/", "tests/abi/", "include/", "interface/params/")


def main():
    root = sys.argv[1]
    formatter = shutil.which(sys.argv[2]) if len(sys.argv) > 2 else None
    faults, to_format, count = [], [], 0
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(where, name), root)
                if not name.endswith(TEXT):
                    continue
                count += 1
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    lines = file.read().split("\n")
                if len(lines) > 600 and not path.startswith(LONG):
                    faults.append(f"{path}: {len(lines)} lines")
                if not name.endswith((".md",) + FORMATTED) and not path.startswith(LONG):
                    faults += [f"{path}:{i + 1}: {len(s)} columns" for i, s in enumerate(lines) if len(s) > 120]
                if name.endswith(FORMATTED):
                    to_format.append(path)
    if formatter:
        result = subprocess.run([formatter, "--dry-run", *to_format], cwd=root, capture_output=True, text=True,
                                check=False)
        unformatted = {line.split(":")[0] for line in result.stderr.splitlines() if "clang-format-violations" in line}
        faults += [f"{path}: not formatted" for path in sorted(unformatted)]
    else:
        print("clang-format is absent: formatting not checked")
    for fault in faults:
        print(fault)
    print(f"{count} files, {len(to_format)} of C and C++, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
