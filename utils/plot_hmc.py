#!/usr/bin/env python3
"""plot_hmc.py FILE PICTURE.svg: draws what hmc_test --json wrote: the plaquette of each trajectory, dH, how large each
force is, and iterations a solve. Needs nothing but Python."""

import json
import math
import sys

from svg_panels import COLOURS, TOP, Panel, widened, write


def legend(panel, names):
    for i, name in enumerate(names):
        panel.text(panel.left + 12, TOP + 18 + 16 * i, name, f'fill="{COLOURS[i % len(COLOURS)]}"')


def history(number, trajectories, mean):
    """Plaquettes, of rejected trajectories those of before."""
    places = range(1, len(trajectories) + 1)
    values = [t["plaquette"] for t in trajectories]
    panel = Panel(number, widened(places), widened([*values, mean]))
    panel.axes("trajectory", "plaquette; line: mean after the warm-up")
    panel.points(zip(places, values), "plaquette")
    panel.line(panel.x(1), panel.y(mean), panel.x(len(values)), panel.y(mean), f'stroke="{COLOURS[1]}"')
    return panel


def energies(number, trajectories):
    places = range(1, len(trajectories) + 1)
    values = [t["dH"] for t in trajectories]
    panel = Panel(number, widened(places), widened([*values, 0]))
    measured = [t["dH"] for t in trajectories if not t["warm-up"]]
    mean = sum(math.exp(-v) for v in measured) / len(measured) if measured else 1
    panel.axes("trajectory", f"dH; red: rejected; <exp(-dH)> = {mean:.4f}")
    panel.line(panel.x(1), panel.y(0), panel.x(len(values)), panel.y(0), 'stroke="gray"')
    for accepted, kind, colour in ((True, "dH", COLOURS[0]), (False, "rejected", COLOURS[1])):
        panel.points([(n, t["dH"]) for n, t in zip(places, trajectories) if t["accepted"] == accepted], kind, colour)
    return panel


def series(number, trajectories, of, title, kind):
    """A logarithmic panel of what of(trajectory) names, a colour each."""
    names = list(of(trajectories[0]))
    values = {name: [(n, of(t)[name]) for n, t in enumerate(trajectories, 1) if of(t).get(name, 0) > 0]
              for name in names}
    shown = [v for one in values.values() for _, v in one]
    if not shown:
        return None
    panel = Panel(number, widened(range(1, len(trajectories) + 1)), (min(shown) / 2, max(shown) * 8), log=True)
    panel.axes("trajectory", title)
    for i, name in enumerate(names):
        panel.points(values[name], kind, COLOURS[i % len(COLOURS)])
    legend(panel, names)
    return panel


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    trajectories = run["trajectories"]
    if not trajectories:
        sys.exit(f"{sys.argv[1]}: no trajectories")
    panels = [
        history(0, trajectories, run["plaquette"]["mean"] or trajectories[-1]["plaquette"]),
        energies(1, trajectories),
        series(2, trajectories, lambda t: t["forces"], "size of forces: root of the mean of |F|^2 of a link", "force"),
        series(3, trajectories,
               lambda t: {name: one["iterations"] / max(1, one["solves"]) for name, one in t["iterations"].items()},
               "iterations of a solve", "iterations")]
    lattice = " x ".join(map(str, run["run"]["lattice"]))
    seconds = sum(t["seconds"] for t in trajectories) / len(trajectories)
    write(sys.argv[2], f"{run['title']}, {lattice}, {len(trajectories)} trajectories of {seconds:.3g} s, "
          f"{run['accepted']} accepted", [panel for panel in panels if panel])


main()
