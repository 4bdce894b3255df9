#!/usr/bin/env python3
"""Write tests/interface/abi_data.def from the tables of the C interface, or check that it is up to date.

    utils/generate_abi_data.py FOLDER [--check]

FOLDER holds structs.tsv, enums.tsv, functions.tsv and defaults.tsv. Rows of the openQCD interface and of functions
newer than the interface followed are left out. With --check nothing is written; the exit status is 1 if the file
differs.
"""

import argparse
import csv
import pathlib
import re
import sys

HEADERS = ["enum_quda.h", "quda.h", "quda_milc_interface.h", "quda_fortran.h"]
INVALID = "-2147483648"

# of older interfaces, kept for sources that still name them
STRUCTURE_EXTRAS = {"QudaInvertParam": [("tune", 5396, 4)]}
ENUMERATOR_EXTRAS = [
    ("QudaTune", "QUDA_TUNE_NO", 0), ("QudaTune", "QUDA_TUNE_YES", 1),
    ("QudaBoolean", "QUDA_BOOLEAN_NO", 0), ("QudaBoolean", "QUDA_BOOLEAN_YES", 1),
]

HEAD = """\
// The C interface as data: layouts, values, signatures and defaults that host codes rely on.
// Written by utils/generate_abi_data.py from tables of the interface; not edited by hand.
//   ABI_STRUCT(name, size)                      bytes
//   ABI_FIELD(struct, field, offset, size)      bytes
//   ABI_ENUMERATOR(enum, name, value)
//   ABI_FUNCTION(name, result, parameters...)   C function
//   ABI_DEFAULT(struct, field, runs...)         what newQuda*Param leaves in the elements, in order:
//                                               {number, n}, {unset, n} QUDA's mark, {open, n} zero or the mark
"""


def rows(folder, name):
    with open(folder / name, encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                if row.get("header", "quda.h") in HEADERS and "upstream-" not in row.get("declared_in", "")]


def c_type(text):
    return text.replace("_Complex double", "double _Complex")


def element_runs(text, count, values):
    """The default of a member with count elements as runs of (what, n)."""
    text = text.replace("(size_t)", "").strip()
    match = re.fullmatch(r"(.+) \(all (\d+)\)", text)
    if match:
        return [(element(match.group(1), values), int(match.group(2)))]
    if text == "not initialised":
        return [("open", count)]
    if "," not in text:
        return [(element(text, values), count)]
    runs = []
    for piece in text.split(","):
        match = re.fullmatch(r"(.+?)x(\d+)", piece)
        what, n = (match.group(1), int(match.group(2))) if match else (piece, 1)
        what = element(what, values)
        if runs and runs[-1][0] == what:
            runs[-1] = (what, runs[-1][1] + n)
        else:
            runs.append((what, n))
    if sum(n for _, n in runs) != count:
        raise ValueError(f"{text!r} has not {count} elements")
    return runs


def element(text, values):
    if text == "?":
        return "open"
    if text in ("INVALID", "DBL_MIN"):
        return "unset"
    if text in ("NULL", ""):
        return "0"
    return values[text] if text in values else repr(float(text))


def generate(folder):
    out = [HEAD]
    fields = {}
    for row in rows(folder, "structs.tsv"):
        name = row["struct"]
        if row["field"] == "(struct)":
            out.append(f"\nABI_STRUCT({name}, {row['size']})")
            extras = list(STRUCTURE_EXTRAS.get(name, []))
            fields[name] = {}
            continue
        while extras and extras[0][1] < int(row["offset"]):
            out.append("ABI_FIELD({}, {}, {}, {})".format(name, *extras.pop(0)))
        out.append(f"ABI_FIELD({name}, {row['field']}, {row['offset']}, {row['size']})")
        count = 1
        for extent in filter(None, row["dims"].split("x")):
            count *= int(extent)
        fields[name][row["field"]] = 2 * count if row["type"] == "_Complex double" else count

    out.append("")
    enumerators = [(row["enum"], row["enumerator"], row["value"]) for row in rows(folder, "enums.tsv")]
    for row in enumerators + ENUMERATOR_EXTRAS:
        value = "-2147483647 - 1" if row[2] == INVALID else row[2]
        out.append(f"ABI_ENUMERATOR({row[0]}, {row[1]}, {value})")

    out.append("")
    functions = rows(folder, "functions.tsv")
    for row in functions:
        parameters = "" if row["parameters"] == "void" else ", " + c_type(row["parameters"])
        out.append(f"ABI_FUNCTION({row['name']}, {row['return']}{parameters})")

    out.append("")
    values = {name: str(value) for _, name, value in enumerators}
    made = {row["return"] for row in functions if row["name"].startswith("newQuda") and row["parameters"] == "void"}
    defaults = {}
    for row in rows(folder, "defaults.tsv"):
        if row["note"] != "removed":
            defaults.setdefault(row["struct"], {})[row["field"]] = row["default"] or ""
    for name, members in fields.items():
        if name not in made:
            continue
        unknown = set(defaults[name]) - set(members)
        if unknown:
            raise ValueError(f"{name}: defaults of unknown members {sorted(unknown)}")
        for member, count in members.items():
            runs = element_runs(defaults[name].get(member, "not initialised"), count, values)
            text = ", ".join(f"{{{what}, {n}}}" for what, n in runs)
            out.append(f"ABI_DEFAULT({name}, {member}, {text})")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="compare only")
    arguments = parser.parse_args()
    path = pathlib.Path(__file__).resolve().parent.parent / "tests" / "interface" / "abi_data.def"
    text = generate(arguments.folder)
    if arguments.check:
        current = path.read_text(encoding="utf-8") if path.exists() else ""
        if current != text:
            sys.exit(f"{path} is not what the tables say")
        return
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
