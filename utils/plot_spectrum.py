#!/usr/bin/env python3
"""plot_spectrum.py FILE PICTURE.svg: draws the eigenvalues that eigensolve_test --json wrote, or those that a file of
eigenvectors tells (--eig-save-vec, vec_outfile): in the complex plane, where any is complex, one by one, and their
residuals, which a file of vectors does not have. Needs nothing but Python."""

import json
import math
import re
import struct
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, GAP = 760, 340, 78, 16, 34, 48, 84
COLOUR = "#08519c"


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


def ticks(low, high):
    """Round numbers of a scale."""
    step = 10 ** math.floor(math.log10((high - low) / 2))
    step *= next(f for f in (5, 2, 1, 0.5) if (high - low) / (step * f) >= 3)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def widened(numbers):
    """Their range, and a little around it."""
    low, high = min(numbers), max(numbers)
    pad = 0.05 * (high - low) or 0.05 * abs(high) or 1
    return low - pad, high + pad


class Panel:
    """Points in a frame; the scale of y is logarithmic or not."""

    def __init__(self, number, x, y, log=False):
        self.left = LEFT + number * (WIDTH - LEFT - RIGHT + GAP)
        self.x_range, self.log = x, log
        self.y_range = (math.log10(y[0]), math.log10(y[1])) if log else y
        self.out = [f'<rect x="{self.left}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}"'
                    ' stroke="black" fill="none"/>']

    def x(self, value):
        low, high = self.x_range
        return self.left + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)

    def y(self, value):
        low, high = self.y_range
        at = math.log10(value) if self.log else value
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (at - low) / (high - low)

    def line(self, x0, y0, x1, y1, style='stroke="black"'):
        self.out.append(f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" {style}/>')

    def text(self, x, y, words, more=""):
        words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>')

    def axes(self, name_x, name_y):
        below = HEIGHT - BOTTOM
        for value in ticks(*self.x_range):
            self.line(self.x(value), below, self.x(value), below + 5)
            self.text(self.x(value), below + 20, f"{value:.6g}", 'text-anchor="middle"')
        low, high = self.y_range
        marks = [10.0**e for e in range(math.ceil(low), math.floor(high) + 1)] if self.log else ticks(low, high)
        for value in marks:
            self.line(self.left - 5, self.y(value), self.left, self.y(value))
            self.text(self.left - 9, self.y(value) + 4, f"{value:.6g}", 'text-anchor="end"')
        self.text(self.left + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 10, name_x, 'text-anchor="middle"')
        self.text(self.left, TOP - 10, name_y)

    def points(self, points, kind):
        for x, y in points:
            self.out.append(f'<circle class="{kind}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.5"'
                            f' fill="{COLOUR}"/>')


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
    panels = list(panels_of(tolerance, values))
    width = panels[-1].left + WIDTH - LEFT
    head = Panel(0, (0, 1), (0, 1))
    head.out = []
    head.text(LEFT, TOP - 34, f"{len(values)} eigenvalues: {title}")
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -24 {width} {HEIGHT + 24}" font-family="sans-serif"'
           ' font-size="13">', f'<rect y="-24" width="{width}" height="{HEIGHT + 24}" fill="white"/>', *head.out]
    for panel in panels:
        out += panel.out
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join([*out, "</svg>"]) + "\n")


main()
