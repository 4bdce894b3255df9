#!/usr/bin/env python3
"""Write what follows from the parameter table, or check that it is up to date.

From interface/params/*_param.def, one row a member: the documented structures between the markers of include/quda.h.
From include/enum_quda.h, and what quda_ext.h adds in enumerations that end in Ext: interface/params/enumerators.def,
the list of enumerators by which messages name values.

With --check nothing is written; the exit status is 1 if a file differs from what the table says.
"""

import argparse
import pathlib
import re
import sys
import textwrap

WIDTH = 120
BEGIN = "BEGIN parameter structs"
END = "END parameter structs"

# the order of the structures in the header: a structure comes after those it points to
TABLES = ["gauge", "invert", "eig", "multigrid", "gauge_observable", "gauge_smear", "blas", "quark_smear"]

RULES = {
    "any": "", "finite": "", "enumerated": "", "host_precision": "Single or double.", "nonzero": "Not 0.",
    "positive": "Greater than 0.", "non_negative": "0 or greater.", "even_extent": "Even, 2 or greater.", "flag": "",
    "not_null": "", "directions": "1 to 1024.",
}


class TableError(Exception):
    pass


def split_arguments(text):
    """The arguments of a macro call, separated at commas outside parentheses and strings."""
    arguments, current, depth, quoted = [], "", 0, False
    for position, letter in enumerate(text):
        if letter == '"' and (position == 0 or text[position - 1] != "\\"):
            quoted = not quoted
        if not quoted:
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                arguments.append(current.strip())
                current = ""
                continue
        current += letter
    return arguments + [current.strip()]


def unquote(text):
    """The value of adjacent string literals."""
    pieces = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    if not pieces:
        raise TableError(f"expected a string, found {text!r}")
    return "".join(pieces).replace('\\"', '"')


def macro_calls(text):
    """Name and argument text of each macro call of a .def file, comments left out."""
    text = re.sub(r"//[^\n]*", "", text)
    position = 0
    call = re.compile(r"\s*(PARAM_[A-Z_]+)(\()?")
    while text[position:].strip():
        match = call.match(text, position)
        if not match:
            raise TableError(f"cannot read {text[position:position + 60].strip()!r}")
        position = match.end()
        if not match.group(2):
            yield match.group(1), None
            continue
        depth, quoted, start = 1, False, position
        while depth:
            letter = text[position]
            if letter == '"' and text[position - 1] != "\\":
                quoted = not quoted
            elif not quoted:
                depth += (letter == "(") - (letter == ")")
            position += 1
        yield match.group(1), text[start:position - 1]


def rule_words(rule):
    bounds = re.fullmatch(r"range\((.*)\)", rule)
    if bounds:
        low, high = split_arguments(bounds.group(1))
        return f"{low} to {high}."
    some = re.fullmatch(r"one_of\((.*)\)", rule)
    if some:
        return "One of " + ", ".join(split_arguments(some.group(1))) + "."
    return RULES[rule]


def member_document(default, rule, document):
    """What the header says of a member: the table's words, what is allowed, the default."""
    words = document.rstrip(".") + "."
    optional = re.fullmatch(r"optional\((.*)\)", rule)
    if optional:
        rule = optional.group(1)
    if rule not in RULES and not re.fullmatch(r"(range|one_of)\(.*\)", rule):
        raise TableError(f"unknown rule {rule!r}")
    if document.startswith("Result:"):
        return words
    if rule_words(rule):
        words += " " + rule_words(rule)
    if default == "UNSET":
        return words if optional else words + " No default."
    return words if default in ("NONE", "0") else words + f" Default {default}."


def struct_lines(path):
    """The lines of one structure."""
    lines, name, indent = [], None, "  "
    for macro, arguments in macro_calls(path.read_text()):
        if macro == "PARAM_UNION_BEGIN":
            lines.append("  union {")
            indent = "    "
        elif macro == "PARAM_UNION_END":
            lines.append("  };")
            indent = "  "
        elif macro == "PARAM_END":
            if arguments != name:
                raise TableError(f"{path.name}: PARAM_END({arguments}) closes {name}")
        elif macro == "PARAM_STRUCT":
            name, _, document = split_arguments(arguments)
            lines += ["/**"] + textwrap.wrap(unquote(document), WIDTH, initial_indent=" * ",
                                             subsequent_indent=" * ") + [" */"]
            lines.append(f"typedef struct {name}_s {{")
        elif macro == "PARAM_FIELD":
            row = split_arguments(arguments)
            if len(row) != 6:
                raise TableError(f"{path.name}: {len(row)} entries in the row {arguments.strip()!r}")
            kind, member, extents, default, rule, document = row
            space = "" if kind.endswith("*") else " "
            declaration = f"{indent}{kind}{space}{member}{extents};"
            words = member_document(default, rule, unquote(document))
            line = f"{declaration} /**< {words} */"
            if len(line) <= WIDTH:
                lines.append(line)
            else:
                lines.append(declaration)
                deeper = indent + "  "
                lines += textwrap.wrap(f"/**< {words} */", WIDTH, initial_indent=deeper,
                                       subsequent_indent=deeper + "     ", break_on_hyphens=False)
        else:
            raise TableError(f"{path.name}: unknown row {macro}")
    return lines + [f"}} {name};"]


def structs_text(root):
    lines = ["/* clang-format off */"]
    for table in TABLES:
        lines += [""] + struct_lines(root / "interface" / "params" / f"{table}_param.def")
    return "\n".join(lines + ["", "/* clang-format on */"]) + "\n"


def header_with_structs(header, structs):
    """The header's text with the structures between its markers, each marker on a comment line of its own."""
    lines = header.split("\n")
    begin = [i for i, line in enumerate(lines) if BEGIN in line]
    end = [i for i, line in enumerate(lines) if END in line]
    if len(begin) != 1 or len(end) != 1 or begin[0] > end[0]:
        raise TableError(f"the header must have one line with '{BEGIN}' and after it one with '{END}'")
    return "\n".join(lines[:begin[0] + 1] + [structs.rstrip("\n")] + lines[end[0]:])


def enumerations(header):
    """Name and enumerators of each, those for 'invalid' left out."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"//[^\n]*", "", header)
    for body, name in re.findall(r"typedef\s+enum\s*\w*\s*\{(.*?)\}\s*(\w+)\s*;", header, flags=re.S):
        names = [entry.split("=")[0].strip() for entry in body.split(",")]
        yield name, [entry for entry in names if entry and "INVALID" not in entry]


def enumerators_text(header, additions):
    """All enumerations of the header, with what the other one adds to them."""
    lines = [
        "// The enumerators of include/enum_quda.h, by which messages name values.",
        "// Written by utils/generate_param_headers.py; not edited by hand.",
    ]
    more = dict(enumerations(additions))
    for name, names in enumerations(header):
        names += more.get(name + "Ext", [])
        entries = textwrap.wrap(" ".join(f"PARAM_ENUMERATOR({entry})" for entry in names), WIDTH - 12,
                                break_long_words=False)
        lines.append(f"PARAM_ENUM({name},")
        lines += ["           " + entry for entry in entries]
        lines[-1] += ")"
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a file is out of date")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="top of the source tree")
    arguments = parser.parse_args()
    include = arguments.root / "include"
    wanted = {
        include / "quda.h": header_with_structs((include / "quda.h").read_text(), structs_text(arguments.root)),
        arguments.root / "interface" / "params" / "enumerators.def":
            enumerators_text((include / "enum_quda.h").read_text(), (include / "quda_ext.h").read_text()),
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if arguments.check:
            print(f"{path} is out of date: run utils/generate_param_headers.py", file=sys.stderr)
        else:
            path.write_text(wanted[path])
            print(f"wrote {path}")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (TableError, OSError) as error:
        sys.exit(f"generate_param_headers.py: {error}")
