#!/usr/bin/env python3
"""plot_demo.py RESULTS.json PICTURE.png: draws what build/bin/demo --json wrote: the history of the plaquette (where
there was a heat bath), energy and topological charge under stout smearing, the pion's correlator and effective mass."""

import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # pylint: disable=wrong-import-position


def draw_history(axes, plaquette):
    history, warmup = plaquette["history"], plaquette["warmup"]
    axes.plot(range(1, len(history) + 1), history, linewidth=0.8, color="tab:blue")
    axes.axvspan(0, warmup, color="0.92")
    known = plaquette.get("known")
    if known:
        axes.axhline(known["mean"], color="tab:red", linewidth=1,
                     label=f"{known['mean']}(19), $12^4$, other programs")
    axes.axhline(plaquette["mean"], color="black", linewidth=1, linestyle="--",
                 label=f"{plaquette['mean']:.5f} $\\pm$ {plaquette['error']:.5f}, this run")
    axes.set_ylim(plaquette["mean"] - 0.02, plaquette["mean"] + 0.02)
    axes.set_xlim(0, len(history))
    axes.set_xlabel("sweep (grey: warm-up)")
    axes.set_ylabel("plaquette, Re tr / 3")
    axes.set_title(f"heat bath, $\\beta$ = {plaquette['beta']:g}")
    axes.legend(fontsize=8, loc="upper right")


def draw_smearing(energy, charge, smearing):
    t = [row["t"] for row in smearing]
    energy.plot(t, [row["t"] ** 2 * row["energy"] for row in smearing], color="tab:blue")
    energy.axhline(0.3, color="0.6", linewidth=1, linestyle=":", label="0.3, the mean's value at $t_0$ (large box)")
    energy.legend(fontsize=8, loc="lower right")
    energy.set_ylabel("$t^2 E$")
    energy.set_title("stout smearing: energy")
    charge.plot(t, [row["charge"] for row in smearing], color="tab:blue")
    charge.set_ylabel("Q")
    charge.set_title("stout smearing: topological charge")
    charge.grid(axis="y", linewidth=0.5)
    most = max(1.0, *(abs(row["charge"]) for row in smearing))
    charge.set_ylim(-most - 0.5, most + 0.5)
    charge.yaxis.get_major_locator().set_params(integer=True)
    for axes in (energy, charge):
        axes.set_xlim(0, t[-1])
        axes.set_xlabel("t = $\\rho$ x steps (lattice units)")


def draw_pion(axes, propagator):
    correlator, mass = propagator["pion"]["correlator"], propagator["pion"]["effective_mass"]
    axes.semilogy(range(len(correlator)), correlator, "o", markersize=4, color="tab:blue", label="C(t), left")
    right = axes.twinx()
    right.plot(range(1, len(mass) + 1), [float("nan") if m is None else m for m in mass], "s", markersize=4,
               color="tab:red", label="effective mass, right")
    right.set_ylim(bottom=0)
    handles = [one.get_legend_handles_labels() for one in (axes, right)]
    axes.legend(handles[0][0] + handles[1][0], handles[0][1] + handles[1][1], fontsize=8, loc="upper center")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("t (lattice units)")
    axes.set_title(f"pion, $\\kappa$ = {propagator['kappa']:g}")


def main():
    results = json.load(open(sys.argv[1], encoding="utf-8"))
    has_history = "history" in results["plaquette"]
    panels = 4 if has_history else 3
    figure, axes = plt.subplots(1, panels, figsize=(4 * panels, 3.4), dpi=90)
    if has_history:
        draw_history(axes[0], results["plaquette"])
    draw_smearing(axes[-3], axes[-2], results["smearing"])
    draw_pion(axes[-1], results["propagator"])
    figure.suptitle(" x ".join(str(n) for n in results["lattice"]) + f", {results['links']}", fontsize=9)
    figure.tight_layout()
    figure.savefig(sys.argv[2])
    print(f"Picture: {sys.argv[2]}")


main()
