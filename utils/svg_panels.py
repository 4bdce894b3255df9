"""Points and lines in frames beside each other, as SVG: what the plots of this folder share."""

import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, GAP = 760, 340, 78, 16, 34, 48, 84
COLOURS = ("#08519c", "#cb181d", "#238b45", "#6a51a3", "#d94801", "#525252")
COLOUR = COLOURS[0]


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

    def points(self, points, kind, colour=COLOUR):
        for x, y in points:
            self.out.append(f'<circle class="{kind}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.5"'
                            f' fill="{colour}"/>')


def write(path, title, panels):
    """A picture of panels, its title above them."""
    width = panels[-1].left + WIDTH - LEFT
    head = Panel(0, (0, 1), (0, 1))
    head.out = []
    head.text(LEFT, TOP - 34, title)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -24 {width} {HEIGHT + 24}" font-family="sans-serif"'
           ' font-size="13">', f'<rect y="-24" width="{width}" height="{HEIGHT + 24}" fill="white"/>', *head.out]
    for panel in panels:
        out += panel.out
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*out, "</svg>"]) + "\n")
