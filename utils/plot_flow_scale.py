#!/usr/bin/env python3
"""plot_flow_scale.py RESULTS.json PICTURE.svg: draws what build/bin/flow_scale_test --json wrote, the mean of t^2 E
along the Wilson flow with its error, and t0, where it is 0.3. Needs nothing but Python."""

import json
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 64, 16, 32, 48
REFERENCE = 0.3


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        results = json.load(file)
    points = results["t2E"]
    most_t, most_y = points[-1]["t"], 1.05 * points[-1]["value"]

    def x(t):
        return LEFT + (WIDTH - LEFT - RIGHT) * t / most_t

    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most_y

    def line(x0, y0, x1, y1, style):
        return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" {style}/>'

    def text(at_x, at_y, words, more=""):
        return f'<text x="{at_x:.1f}" y="{at_y:.1f}" {more}>{words}</text>'

    grey, frame = 'stroke="#999" stroke-dasharray="4 3"', 'stroke="black" fill="none"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
           ' font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" {frame}/>']
    for i in range(int(2 * most_t) + 1):
        out += [line(x(i / 2), y(0), x(i / 2), y(0) + 5, 'stroke="black"'),
                text(x(i / 2), y(0) + 20, f"{i / 2:g}", 'text-anchor="middle"')]
    for i in range(int(most_y / 0.1) + 1):
        out += [line(LEFT - 5, y(i / 10), LEFT, y(i / 10), 'stroke="black"'),
                text(LEFT - 9, y(i / 10) + 4, f"{i / 10:g}", 'text-anchor="end"')]
    upper = [f"{x(p['t']):.1f},{y(p['value'] + p['error']):.1f}" for p in points]
    lower = [f"{x(p['t']):.1f},{y(p['value'] - p['error']):.1f}" for p in reversed(points)]
    middle = [f"{x(p['t']):.1f},{y(p['value']):.1f}" for p in points]
    out += [f'<polygon points="{" ".join(upper + lower)}" fill="#9ecae1"/>',
            f'<polyline points="{" ".join(middle)}" fill="none" stroke="#08519c" stroke-width="1.5"/>']
    t0, error = results["t0"]["value"], results["t0"]["error"]
    out += [line(LEFT, y(REFERENCE), x(t0), y(REFERENCE), grey), line(x(t0), y(REFERENCE), x(t0), y(0), grey),
            text(x(t0) - 8, y(0.12), f"t&#8320;/a&#178; = {t0:.3f} &#177; {error:.3f}", 'text-anchor="end"'),
            text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "t / a&#178;", 'text-anchor="middle"'),
            text(LEFT, TOP - 12, "t&#178; E(t), Wilson flow, &#946; = "
                 f"{results['beta']:g}, {' '.join(map(str, results['lattice']))}, "
                 f"{len(results['configurations'])} configurations"),
            "</svg>"]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


main()
