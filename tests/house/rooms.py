#!/usr/bin/env python3
"""Checks every #include of the tree against the tables of rooms and of topics in lib/README.md.

    rooms.py [--root DIR]   check; exit 1 with one line per fault
    rooms.py --self-check   add wrong includes in memory, one of each kind, and see each of them found
    rooms.py --draw         print the graphs of rooms and of topics as they are (Mermaid)
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
# rooms where a header and its source are one node of a graph without a circle
SUBJECTS = ("interface/", "lib/dirac/", "lib/ops/", "lib/solvers/")
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


def read_floors(root):
    """The table of topics in lib/README.md: topic -> floor."""
    with open(os.path.join(root, "lib/README.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| (\d+) \|([^|]*)\|$", file.read(), re.M)
    return {topic: int(floor) for floor, topics in rows for topic in re.findall(r"`([^`]+)`", topics)}


def row_of(path, table):
    """The most specific row that a file belongs to."""
    rows = [row for row in table
            if path.startswith(row) or "*" in row and fnmatch.fnmatch(path, row.replace("**", "*"))]
    return max(rows, key=len, default=None)


def room_of(row):
    """Rows grouped into rooms, for the search of circles."""
    parts = row.split("/")
    return "/".join(parts[:2]) if parts[0] in ("lib", "tests") and parts[1] else parts[0]


def topic_of(path):
    """(node of the graph of topics, topic); a file beside the topics is a node, but of no topic."""
    parts = path.split("/")
    if parts[:2] not in (["lib", "ops"], ["lib", "kernels"]):
        return None, None
    return "/".join(parts[:3]).split(".")[0], parts[2] if len(parts) > 3 else None


def subject_of(path):
    return path.split(".")[0] if path.startswith(SUBJECTS) else None


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


def check(tree, table, floors):
    """(faults, graph of rooms, graph of topics)."""
    faults, files, rooms, topics, subjects = [], {}, {}, {}, {}
    top = max(floors.values()) + 1
    for path in sorted(tree):
        row = row_of(path, table)
        if row is None:
            faults.append(f"{path}: its folder has no row in lib/README.md")
            continue
        files[path] = set()
        node, topic = topic_of(path)
        for bracket, name in tree[path]:
            if name == "mpi.h" and not path.startswith(("lib/comms/", "utils/", "tests/")):
                faults.append(f"{path}: includes mpi.h, which belongs to lib/comms/")
            targets = resolve(path, bracket, name, tree)
            if bracket == '"' and not targets and name != "quda_define.h":
                faults.append(f'{path}: "{name}" is no file of the tree')
            for included in targets:
                files[path].add(included)
                if subject_of(path) and subject_of(included) not in (None, subject_of(path)):
                    subjects.setdefault(subject_of(path), set()).add(subject_of(included))
                below, other = topic_of(included)
                if node and below and below != node:
                    topics.setdefault(node, set()).add(below)
                if topic and other and topic != other and floors.get(topic, top) <= floors.get(other, top):
                    faults.append(f"{path}: includes {included}; the topic {other} is not below {topic}")
                to = row_of(included, table)
                if to is None or to == row:
                    continue
                if not any(allowed in (included, to) or allowed == "lib/" and included.startswith("lib/")
                           for allowed in table[row]):
                    faults.append(f"{path}: includes {included}; {row} may not include {to}")
                if room_of(row) != room_of(to):
                    rooms.setdefault(room_of(row), set()).add(room_of(to))
    for name, graph in (("rooms", rooms), ("topics", topics), ("files", subjects), ("headers", files)):
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
    return sorted(set(faults)), rooms, topics


def self_check(tree, table, floors):
    """Adds one wrong include at a time; every one must be found."""
    base = check(tree, table, floors)[0]

    def any_of(*prefixes):
        return next((p for prefix in prefixes for p in sorted(tree) if p.startswith(prefix) and p.endswith(".h")), None)

    core, fields, targets = any_of("lib/core/"), any_of("lib/fields/"), any_of("lib/targets/")
    public, device = any_of("include/"), any_of("lib/device/", "lib/kernels/")
    reference = any_of("tests/reference/")
    trials = [("upward", core, fields), ("upward", core, targets), ("library on public header", core, public),
              ("device on fields", device, fields), ("reference on the library", reference, core),
              ("operations of a higher topic", any_of("lib/ops/gauge/"), any_of("lib/ops/force/")),
              ("operations of a topic of the same floor", any_of("lib/ops/clover/"), any_of("lib/ops/links/")),
              ("kernels of a higher topic", any_of("lib/kernels/halo/"), any_of("lib/kernels/dirac/"))]
    missed = 0
    for kind, origin, to in trials:
        if not origin or not to:
            print(f"not tried, files absent: {kind}")
            continue
        changed = dict(tree)
        changed[origin] = tree[origin] + [('"', os.path.relpath(to, os.path.dirname(origin)))]
        faults = set(check(changed, table, floors)[0]) - set(base)
        print(f"{kind}: {origin} made to include {to}: " + ("; ".join(sorted(faults)) or "NOT FOUND"))
        missed += not faults
    one, two = ('"', "dirac/one.h"), ('"', "dirac/two.h")
    for kind, changed in (
            ("circle of headers", {"lib/core/one.h": [('"', "core/two.h")], "lib/core/two.h": [('"', "core/one.h")]}),
            ("circle of files", {"lib/dirac/one.h": [], "lib/dirac/one.cpp": [one, two], "lib/dirac/two.h": [one]}),
            ("circle of topics", {"lib/ops/one.h": [('"', "ops/halo/a.h")], "lib/ops/halo/a.h": [],
                                  "lib/ops/halo/b.h": [('"', "ops/one.h")]}),
            ("new topic below another", {"lib/ops/attic/one.h": [], "lib/ops/force/a.h": [('"', "ops/attic/one.h")]}),
            ("folder without a row", {"lib/attic/one.h": []})):
        faults = check(changed, table, floors)[0]
        print(f"{kind}: " + ("; ".join(faults) or "NOT FOUND"))
        missed += not faults
    return missed


def main():
    parser = argparse.ArgumentParser(description="the rooms of lib/README.md against the includes of the tree")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("--draw", action="store_true")
    options = parser.parse_args()
    tree, table, floors = read_tree(options.root), read_table(options.root), read_floors(options.root)
    if len(table) < 10 or len(floors) < 10:
        sys.exit("lib/README.md: the tables of rooms and of topics were not found")
    if options.self_check:
        sys.exit(1 if self_check(tree, table, floors) else 0)
    faults, *graphs = check(tree, table, floors)
    for graph in graphs if options.draw else ():
        print("graph LR")
        for node in sorted(graph):
            for to in sorted(graph[node]):
                print(f"  {node} --> {to}")
    for fault in faults:
        print(fault)
    print(f"{len(tree)} files, {sum(len(i) for i in tree.values())} includes, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
