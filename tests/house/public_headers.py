#!/usr/bin/env python3
"""public_headers.py INCLUDE GENERATED CC CXX: every public header compiles alone, as C99, C11 and C++11 with no
warning (malloc_quda.h as C++ alone), and the files that host codes parse as text keep to what those readers take."""

import glob
import os
import re
import subprocess
import sys


def main():
    include, generated, cc, cxx = sys.argv[1:5]
    headers = sorted(glob.glob(os.path.join(include, "*.h")))
    faults = []
    for header in headers + [os.path.join(generated, "quda_define.h")]:
        name = os.path.basename(header)
        with open(header, encoding="utf-8") as file:
            text = file.read()
        languages = [(cxx, "c++", "c++11"), (cxx, "c++", "c++20")]
        if name != "malloc_quda.h":
            languages += [(cc, "c", "c99"), (cc, "c", "c11")]
        for compiler, language, standard in languages:
            command = [compiler, f"-std={standard}", "-x", language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                       f"-I{include}", f"-I{generated}", "-"]
            result = subprocess.run(command, input=f'#include "{name}"\nextern int quda_header_{language == "c"};\n',
                                    capture_output=True, text=True, check=False)
            if result.returncode:
                faults.append(f"{name} as {standard}:\n{result.stderr}")
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
        if name == "quda_define.h":
            for line in code.splitlines():
                if line.strip() and not line.lstrip().startswith("#"):
                    faults.append(f"{name}: not a preprocessor directive: {line}")
            if "#define QUDA_TARGET_CUDA" not in code:
                faults.append(f"{name}: QUDA_TARGET_CUDA is not defined")
        if name == "quda_constants.h":
            for line in code.splitlines():
                if line.lstrip().startswith("#define") and not re.fullmatch(r"\s*#define\s+\w+\s+\S.*", line):
                    faults.append(f"{name}: a macro without a value: {line}")
                if re.match(r"\s*#define\s+\w+\(", line):
                    faults.append(f"{name}: a macro with arguments: {line}")
        if name == "quda.h" and "__attribute__" in code:
            faults.append(f"{name}: an attribute, which parsers of host codes do not know")
    if not headers:
        faults.append(f"{include}: no headers")
    for fault in faults:
        print(fault)
    print(f"{len(headers) + 1} headers, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
