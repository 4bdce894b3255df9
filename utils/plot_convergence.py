#!/usr/bin/env python3
"""plot_convergence.py PICTURE.svg LOG...: draws |r|/|b| over iterations, a line for each solve that a log tells of:
what a program with verbosity verbose prints ("CG:    12 iterations, <r,r> = 1e-3, |r|/|b| = 1e-4"). Where several
right-hand sides are solved together it is the largest. Needs nothing but Python."""

import math
import re
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 78, 190, 20, 48
COLOURS = ("#08519c", "#a63603", "#006d2c", "#54278f", "#636363", "#b10026")
LINE = re.compile(r"([A-Za-z][\w()-]*):\s+(\d+) iterations, <r,r> = \S+, \|r\|/\|b\| = (\S+)")


def solves_of(path):
    """[(method, [(iteration, residual)])]: a smaller iteration, or another method, begins the next solve."""
    solves = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            found = LINE.search(line)
            if not found:
                continue
            method, iteration, residual = found[1], int(found[2]), float(found[3])
            if not (math.isfinite(residual) and residual > 0):
                continue
            if not solves or solves[-1][0] != method or iteration <= solves[-1][1][-1][0]:
                solves.append((method, []))
            solves[-1][1].append((iteration, residual))
    return solves


def draw(solves):
    most = max(points[-1][0] for _, points in solves)
    logs = [math.log10(r) for _, points in solves for _, r in points]
    low, high = math.floor(min(logs)), max(math.ceil(max(logs)), math.floor(min(logs)) + 1)

    def x(iteration):
        return LEFT + (WIDTH - LEFT - RIGHT) * iteration / most

    def y(exponent):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - exponent) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             f'font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for exponent in range(low, high + 1, max(1, (high - low) // 8)):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(exponent):.2f}" y2="{y(exponent):.2f}" '
                     f'stroke="#ddd"/>'
                     f'<text x="{LEFT - 8}" y="{y(exponent) + 4:.2f}" text-anchor="end">1e{exponent}</text>')
    step = max(1, 10 ** math.floor(math.log10(most)) // 2)
    for iteration in range(0, most + 1, step):
        parts.append(f'<text x="{x(iteration):.2f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{iteration}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">iterations</text>')
    parts.append(f'<text x="16" y="{TOP + 12}">|r|/|b|</text>')
    for number, (label, points) in enumerate(solves):
        colour = COLOURS[number % len(COLOURS)]
        line = " ".join(f"{x(i):.2f},{y(math.log10(r)):.2f}" for i, r in points)
        parts.append(f'<polyline class="solve" points="{line}" fill="none" stroke="{colour}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 12}" y="{TOP + 14 + 18 * number}" fill="{colour}">{label}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    solves = []
    for path in sys.argv[2:]:
        for method, points in solves_of(path):
            solves.append((f"{method}, {points[-1][0]} iterations", points))
    if not solves:
        sys.exit(f"{', '.join(sys.argv[2:])}: no lines of iterations; --verbosity verbose prints them")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(draw(solves))


if __name__ == "__main__":
    main()
