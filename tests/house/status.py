#!/usr/bin/env python3
"""status.py ROOT [--write]: docs/status.md is complete. Each function that the public headers declare has either a
place in its table or one in its list of functions that are refused, which is made from interface/unsupported.cpp
(--write puts it there)."""

import pathlib
import re
import sys

BEGIN, END = "<!-- from interface/unsupported.cpp -->\n", "<!-- end -->\n"
FAMILIES = r"newQuda\w*Param|printQuda\w*Param"  # named by a pattern in the table


def declared(root):
    """Functions of quda.h, the interface proper."""
    text = (root / "include/quda.h").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return {name for name in re.findall(r"^\s*[\w*\s]+?[\s*](\w+)\s*\([^;{}]*\)\s*;", text, re.M)
            if "Quda" in name or name.startswith("quda")}


def refused(root):
    text = (root / "interface/unsupported.cpp").read_text(encoding="utf-8")
    return re.findall(r"^UNSUPPORTED\([^,]+,\s*(\w+)", text, re.M)


def section(names):
    lines, line = [], ""
    for name in names:
        word = f"`{name}`" + ("," if name != names[-1] else ".")
        if len(line) + len(word) > 118:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return BEGIN + "\n".join(lines + [line]) + "\n" + END


def main():
    root = pathlib.Path(sys.argv[1])
    page = root / "docs/status.md"
    text = page.read_text(encoding="utf-8")
    names = refused(root)
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    if "--write" in sys.argv:
        page.write_text(text[:begin] + section(names) + text[end:], encoding="utf-8")
        return 0
    faults = [] if text[begin:end] == section(names) else ["the list of refused functions is stale: status.py --write"]
    works = text[:begin] + text[end:]
    faults += [f"{name} has no place" for name in sorted(declared(root) - set(names))
               if not re.search(rf"`{name}`", works) and not re.fullmatch(FAMILIES, name)]
    faults += [f"{name} works and is refused" for name in names if f"`{name}`" in works]
    print("\n".join(faults) or f"{len(declared(root))} functions, {len(names)} refused")
    return 1 if faults else 0


sys.exit(main())
