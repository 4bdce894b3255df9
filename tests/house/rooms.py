#!/usr/bin/env python3
"""Checks every #include of the tree against the table of rooms in lib/README.md.

    rooms.py [--root DIR]   check; exit 1 with one line per fault
    rooms.py --self-check   add wrong includes in memory, one of each kind, and see each of them found
    rooms.py --draw         print the graph of rooms as it is (Mermaid)
"""

import argparse
import fnmatch
import os
import re
import sys

ROOTS = ["include", "interface", "lib", "utils", "tests"]
SOURCE = (".h", ".hpp", ".inl", ".cpp", ".c", ".cu", ".cuh", ".def")
TARGETS = {"cpu": ["lib/targets/cpu"], "cuda": ["lib/targets/cuda"], "fiber": ["lib/targets/fiber", "lib/targets/cuda"]}
# headers of the C library and the compiler, which leave no code behind in a launch unit
PLAIN_HEADERS = {"cstddef", "cstdint", "climits", "cfloat", "stddef.h", "stdint.h", "immintrin.h", "cuda_runtime.h",
                 "type_traits", "utility", "concepts", "limits", "cooperative_groups.h", "cuda_fp16.h"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def read_tree(root):
    """All sources: path -> list of (bracket, name) included."""
    tree = {}
    for top in ROOTS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(SOURCE):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
                    tree[os.path.relpath(path, root)] = INCLUDE.findall(text)
    return tree


def read_table(root):
    """The table of lib/README.md: room pattern -> allowed folders and files."""
    table = {}
    with open(os.path.join(root, "lib/README.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            room = re.fullmatch(r"`([^`]+)`", cells[0])
            if line.startswith("|") and len(cells) == 3 and room:
                table[room.group(1)] = re.findall(r"`([^`]+)`", cells[2])
    return table


def row_of(path, table):
    """The most specific row that a file belongs to."""
    rows = [row for row in table
            if path.startswith(row) or "*" in row and fnmatch.fnmatch(path, row.replace("**", "*"))]
    return max(rows, key=len, default=None)


def room_of(row):
    """Rows grouped into rooms, for the search of circles."""
    parts = row.split("/")
    return "/".join(parts[:2]) if parts[0] in ("lib", "tests") and parts[1] else parts[0]


def of_targets(name, tree, targets=TARGETS):
    """The header that each target's include path gives this name."""
    found = []
    for target in targets:
        for folder in TARGETS[target]:
            candidate = os.path.join(folder, name)
            if candidate in tree:
                found.append(candidate)
                break
    return sorted(set(found))


def resolve(path, bracket, name, tree):
    """Files that an include can mean: one, or for a header of the targets, which <...> names too, one per target."""
    if bracket == "<":
        own = path.split("/")[2] if path.startswith("lib/targets/") else None
        return of_targets(name, tree, [own] if own in TARGETS else TARGETS)
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    if beside in tree:
        return [beside]
    for base in ("lib", "include", "interface", "tests", "utils", "."):
        candidate = os.path.normpath(os.path.join(base, name))
        if candidate in tree:
            return [candidate]
    return of_targets(name, tree)


def circle(graph):
    """A circle of a graph as a list of nodes, or None."""
    state = {}

    def visit(node, trail):
        state[node] = 1
        for following in sorted(graph.get(node, ())):
            if state.get(following) == 1:
                return trail[trail.index(following):] + [following]
            if following not in state:
                found = visit(following, trail + [following])
                if found:
                    return found
        state[node] = 2
        return None

    for node in sorted(graph):
        if node not in state:
            found = visit(node, [node])
            if found:
                return found
    return None


def check(tree, table):
    """(faults, graph of rooms)."""
    faults, files, rooms = [], {}, {}
    for path in sorted(tree):
        row = row_of(path, table)
        if row is None:
            faults.append(f"{path}: its folder has no row in lib/README.md")
            continue
        files[path] = set()
        for bracket, name in tree[path]:
            if name == "mpi.h" and not path.startswith(("lib/comms/", "utils/", "tests/")):
                faults.append(f"{path}: includes mpi.h, which belongs to lib/comms/")
            targets = resolve(path, bracket, name, tree)
            if bracket == '"' and not targets and name != "quda_define.h":
                faults.append(f'{path}: "{name}" is no file of the tree')
            for included in targets:
                files[path].add(included)
                to = row_of(included, table)
                if to is None or to == row:
                    continue
                if not any(allowed in (included, to) or allowed == "lib/" and included.startswith("lib/")
                           for allowed in table[row]):
                    faults.append(f"{path}: includes {included}; {row} may not include {to}")
                if room_of(row) != room_of(to):
                    rooms.setdefault(room_of(row), set()).add(room_of(to))
    for name, graph in (("rooms", rooms), ("headers", files)):
        found = circle(graph)
        if found:
            faults.append(f"a circle of {name}: " + " -> ".join(found))
    for path in sorted(files):
        if path.startswith("lib/") and path.endswith(".launch.cpp"):
            seen, todo = set(), [path]
            while todo:
                current = todo.pop()
                if current in seen:
                    continue
                seen.add(current)
                todo += files.get(current, ())
                for bracket, name in tree[current]:
                    if bracket == "<" and name not in PLAIN_HEADERS and not of_targets(name, tree):
                        faults.append(f"{path}: reaches <{name}> in {current}; launch units stay clear of the library")
    return sorted(set(faults)), rooms


def self_check(tree, table):
    """Adds one wrong include at a time; every one must be found."""
    base, _ = check(tree, table)

    def any_of(*prefixes):
        return next((p for prefix in prefixes for p in sorted(tree) if p.startswith(prefix) and p.endswith(".h")), None)

    core, fields, targets = any_of("lib/core/"), any_of("lib/fields/"), any_of("lib/targets/")
    public, device = any_of("include/"), any_of("lib/device/", "lib/kernels/")
    reference = any_of("tests/reference/")
    trials = [("upward", core, fields), ("upward", core, targets), ("library on public header", core, public),
              ("device on fields", device, fields), ("reference on the library", reference, core)]
    missed = 0
    for kind, origin, to in trials:
        if not origin or not to:
            print(f"not tried, files absent: {kind}")
            continue
        changed = dict(tree)
        changed[origin] = tree[origin] + [('"', os.path.relpath(to, os.path.dirname(origin)))]
        faults = set(check(changed, table)[0]) - set(base)
        print(f"{kind}: {origin} made to include {to}: " + ("; ".join(sorted(faults)) or "NOT FOUND"))
        missed += not faults
    changed = {"lib/core/one.h": [('"', "core/two.h")], "lib/core/two.h": [('"', "core/one.h")]}
    faults, _ = check(changed, table)
    print("circle of headers: " + ("; ".join(faults) or "NOT FOUND"))
    missed += not faults
    changed = {"lib/attic/one.h": []}
    faults, _ = check(changed, table)
    print("folder without a row: " + ("; ".join(faults) or "NOT FOUND"))
    missed += not faults
    return missed


def main():
    parser = argparse.ArgumentParser(description="the rooms of lib/README.md against the includes of the tree")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    tree, table = read_tree(options.root), read_table(options.root)
    if len(table) < 10:
        sys.exit("lib/README.md: the table of rooms was not found")
    if options.self_check:
        sys.exit(1 if self_check(tree, table) else 0)
    faults, rooms = check(tree, table)
    if options.draw:
        print("graph LR")
        for room in sorted(rooms):
            for to in sorted(rooms[room]):
                print(f"  {room} --> {to}")
    for fault in faults:
        print(fault)
    print(f"{len(tree)} files, {sum(len(i) for i in tree.values())} includes, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
