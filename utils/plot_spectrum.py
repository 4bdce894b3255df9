#!/usr/bin/env python3
"""plot_spectrum.py FILE PICTURE.svg: draws the eigenvalues that eigensolve_test --json wrote, or those that a file of
eigenvectors tells (--eig-save-vec, vec_outfile): in the complex plane, where any is complex, one by one, and their
residuals, which a file of vectors does not have. Needs nothing but Python."""

import json
import math
import re
import struct
import sys

from svg_panels import Panel, widened, write


def records_of_lime(data):
    """(type, bytes) of each record."""
    at = 0
    while at + 144 <= len(data):
        magic, _, _, length = struct.unpack_from(">IHHQ", data, at)
        if magic != 0x456789AB or at + 144 + length > len(data):
            sys.exit(f"damaged at byte {at}: no LIME record, or one that is cut off")
        yield data[at + 16:at + 144].split(b"\0")[0].decode("ascii"), data[at + 144:at + 144 + length]
        at += 144 + (length + 7) // 8 * 8


def unescaped(text):
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def read(path):
    """Title, tolerance or None, [(re, im, residual or None)]."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"\x45\x67\x89\xab":
        run = json.loads(data)
        title = f"{run['title']}, {' x '.join(map(str, run['lattice']))}"
        return title, run["tolerance"], [(v["re"], v["im"], v.get("residual")) for v in run["eigenvalues"]]
    for kind, content in records_of_lime(data):
        if kind != "libquda-eigenvectors":
            continue
        text = content.decode("utf-8").rstrip("\0")
        lattice, matrix = (re.search(f"<{tag}>(.*?)</{tag}>", text)[1] for tag in ("lattice", "matrix"))
        values = [tuple(map(float, v.split())) for v in re.findall("<eigenvalue>(.*?)</eigenvalue>", text)]
        return f"{unescaped(matrix)}, {lattice.replace(' ', ' x ')}", None, [(*v, None) for v in values]
    return sys.exit(f"{path}: no record 'libquda-eigenvectors', which says what eigenvalues belong to its vectors")


def panels_of(tolerance, values):
    numbers = range(len(values))
    is_complex = any(abs(im) > 1e-12 * max(abs(re), 1e-300) for re, im, _ in values)
    if is_complex:
        plane = Panel(0, widened([re for re, _, _ in values]), widened([im for _, im, _ in values]))
        plane.axes("real part", "imaginary part")
        plane.points([(re, im) for re, im, _ in values], "value")
        yield plane
    sizes = [math.hypot(re, im) if is_complex else re for re, im, _ in values]
    ladder = Panel(1 if is_complex else 0, widened(numbers), widened(sizes))
    ladder.axes("number", "modulus" if is_complex else "eigenvalue")
    ladder.points(zip(numbers, sizes), "step")
    yield ladder
    found = [(i, max(rest, 1e-18)) for i, (_, _, rest) in enumerate(values) if rest is not None]
    if not found:
        return
    wanted = [tolerance * size for size in map(abs, sizes) if tolerance and size > 0]
    shown = [rest for _, rest in found] + wanted
    last = Panel(2 if is_complex else 1, widened(numbers), (min(shown) / 3, max(shown) * 3), log=True)
    last.axes("number", "residual |A v - \u03bb v|; line: what was asked for")
    last.points(found, "residual")
    for i, size in enumerate(map(abs, sizes)):
        if tolerance and size > 0:
            last.line(last.x(i - 0.5), last.y(tolerance * size), last.x(i + 0.5), last.y(tolerance * size),
                      'stroke="#cb181d"')
    yield last


def main():
    title, tolerance, values = read(sys.argv[1])
    if not values:
        sys.exit(f"{sys.argv[1]}: no eigenvalues")
    write(sys.argv[2], f"{len(values)} eigenvalues: {title}", list(panels_of(tolerance, values)))


main()
