#!/usr/bin/env python3
"""sources.py ROOT [clang-format]: no source file passes 600 lines, none 120 columns; C++ files are formatted as
.clang-format says (told, not judged, where clang-format is absent); MILC's calls (interface/milc_*.cpp) take jobs
(interface/jobs.h) and call no C function, which would be guarded and judged anew."""

import glob
import os
import re
import shutil
import subprocess
import sys

FOLDERS = ["include", "interface", "lib", "tests", "utils", "cmake", ".ci"]
TEXT = (".h", ".cpp", ".c", ".cu", ".def", ".py", ".sh", ".cmake", ".txt", ".md")
FORMATTED = (".h", ".cpp", ".cu")
# tables generated from the description of the interface
LONG = ("tests/interface/", "tests/abi/", "include/", "interface/params/")


def c_functions(root):
    """Names of the functions that the public headers declare."""
    names = set()
    for path in glob.glob(os.path.join(root, "include", "*.h")):
        with open(path, encoding="utf-8") as file:
            names |= set(re.findall(r"^(?:\w+[ *]+)+(\w+)\(", file.read(), re.M))
    return names


def calls_of(text, names):
    """Calls of these functions: (line, name). What begins a line is a definition."""
    for i, line in enumerate(text.split("\n")):
        line = re.sub(r'"[^"]*"|//.*', "", line)
        for found in re.finditer(r"(jobs::)?\b(\w+)\(", line):
            definition = line[:1] not in (" ", "") and found.start() == re.search(r"(jobs::)?\b\w+\(", line).start()
            if found.group(2) in names and not found.group(1) and not definition:
                yield i + 1, found.group(2)


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
    names = c_functions(root)
    for path in sorted(glob.glob(os.path.join(root, "interface", "milc_*.cpp"))):
        with open(path, encoding="utf-8") as file:
            faults += [f"{os.path.relpath(path, root)}:{line}: calls {name}(), which is a C function"
                       for line, name in calls_of(file.read(), names)]
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
