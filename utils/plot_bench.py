#!/usr/bin/env python3
"""plot_bench.py [--output FOLDER/STEM] RESULT.json...: pictures of what quda_bench --json wrote.

STEM_roofline_PREC.png: each kernel a named point under the machine's limits, measured in the same run;
STEM_sweep_PREC.png: time a site against the lattice, where there are several lattices; STEM_threads_PREC.png and
STEM_ranks_PREC.png: speed of all together against threads and ranks, where there are several numbers of them. STEM.html
has the same pictures, points named by the mouse, and a table; it needs no network. Without
--output the files lie beside the first result. Needs matplotlib."""

import argparse
import html
import io
import json
import math
import pathlib
import re

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
import matplotlib.pyplot as plt  # pylint: disable=wrong-import-position

LIBRARY, REFERENCE = "tab:blue", "0.6"
SHOWN = ["kernel", "variant", "prec", "recon", "nrhs", "dims", "threads", "ranks", "tuning", "seconds", "spread",
         "gflops", "gbytes_per_s", "bound", "fraction", "checksum_ok", "features"]


def load(paths):
    """Runs, each with its machine, limits and results; rows know their run and their number."""
    runs = []
    for path in paths:
        content = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        runs += content.get("runs", [content])
    rows = []
    for run in runs:
        for row in run["results"]:
            row["run"] = run
            row.setdefault("ranks", 1)
            row["number"] = len(rows)
            row["sites"] = math.prod(row["dims"])
            rows.append(row)
    return runs, rows


def title_of(run):
    machine = run["machine"]
    tuning = f", {machine['tuning']}" if machine.get("tuning") else ""
    return f"{machine['device']}, {machine['target']}, {machine['threads']} thread(s){tuning}, {machine['date'][:10]}"


def short(row):
    """kernel, and what else tells points apart."""
    return row["kernel"] + ("" if row["recon"] == 18 else f" {row['recon']}") + \
        ("" if row["nrhs"] == 1 else f" x{row['nrhs']}") + (" plain" if row["variant"] == "reference" else "")


def place_labels(axes, points):
    """Names beside points, where there is room; else further away with a line."""
    figure = axes.figure
    figure.canvas.draw()
    taken = [axes.transData.transform((x, y)) for x, y, _ in points]
    boxes = [(x - 4, y - 4, x + 4, y + 4) for x, y in taken]
    inside = axes.get_window_extent()
    for (x, y, text), (px, py) in sorted(zip(points, taken), key=lambda p: (p[1][1], p[1][0])):
        width, height = 5.0 * len(text) * figure.dpi / 100, 10 * figure.dpi / 100
        best = None
        for distance in (0, 10, 20, 32, 46, 62, 80):
            for angle in range(0, 360, 30):
                cx = px + (8 + distance + width / 2) * math.cos(math.radians(angle))
                cy = py + (8 + distance) * math.sin(math.radians(angle))
                box = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
                if box[0] < inside.x0 or box[1] < inside.y0 or box[2] > inside.x1 or box[3] > inside.y1:
                    continue
                if any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in boxes):
                    continue
                best = (cx, cy, box, distance)
                break
            if best:
                break
        if not best:
            continue  # its name is in the page
        boxes.append(best[2])
        axes.annotate(text, (x, y), xytext=axes.transData.inverted().transform(best[:2]), fontsize=6.5, ha="center",
                      va="center", arrowprops={"arrowstyle": "-", "lw": 0.4, "color": "0.5"} if best[3] else None)


def roofline(run, prec, rows):
    limits = run["limits"]
    caches = [one["cache"] for one in run.get("cache_limits", []) if "cache" in one]
    peak = limits.get("fma_double" if prec == "double" else "fma_single")
    roofs = [(limits.get("memory"), "memory"), (max(caches, default=None), "last cache")]
    computing = [row for row in rows if row["flops"] > 0]
    moving = sorted((row for row in rows if row["flops"] == 0 and row["read"] + row["written"] > 0),
                    key=lambda row: row["gbytes_per_s"])
    figure, (axes, bars) = plt.subplots(1, 2, figsize=(16, 9), dpi=90, width_ratios=[4.6, 1])
    intensity = {row["number"]: row["flops"] / (row["read"] + row["written"] or 1) for row in computing}
    low = min(intensity.values(), default=0.1) / 2.2
    high = max(list(intensity.values()) + [20]) * 1.6
    for bandwidth, name in roofs:
        if bandwidth:
            end = min(high, peak / bandwidth) if peak else high
            axes.plot([low, end], [low * bandwidth, end * bandwidth], color="0.3", lw=1)
            axes.annotate(f"{name} {bandwidth:.0f} GB/s", (low, low * bandwidth), xytext=(4, 5), fontsize=8,
                          textcoords="offset points", rotation=0, color="0.3")
    if peak:
        axes.axhline(peak, color="0.3", lw=1)
        axes.annotate(f"multiply-adds {peak:.0f} GFLOP/s", (high, peak), xytext=(-4, 4), ha="right", fontsize=8,
                      textcoords="offset points", color="0.3")
    named = []
    for row in computing:
        x, y = intensity[row["number"]], row["gflops"]
        plain = row["variant"] == "reference"
        axes.plot([x], [y], "s" if row["recon"] == 12 else "o", ms=5, color=REFERENCE if plain else LIBRARY,
                  gid=f"point-{row['number']}")
        if not plain:
            named.append((x, y, short(row)))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(low, high)
    axes.set_xlabel("flops a byte that must cross (circles: whole links or none, squares: reconstruct 12, grey: plain)")
    axes.set_ylabel("GFLOP/s")
    axes.set_title(f"{prec} precision: {title_of(run)}", fontsize=9)
    for at, row in enumerate(moving):
        plain = row["variant"] == "reference"
        bars.barh(at, row["gbytes_per_s"], color=REFERENCE if plain else LIBRARY)[0].set_gid(f"point-{row['number']}")
    bars.set_yticks(range(len(moving)), [short(row) for row in moving], fontsize=7)
    bars.set_xlabel("GB/s")
    bars.set_title("without counted arithmetic", fontsize=9)
    figure.tight_layout()
    place_labels(axes, named)
    return figure


def curves(rows, prec, along, title, cost):
    """A line a kernel along a number of each row."""
    lines = {}
    for row in rows:
        others = [row[key] for key in ("kernel", "variant", "recon", "nrhs", "tuning")]
        others += [row[key] for key in ("sites", "threads", "ranks") if key != along]
        lines.setdefault(tuple(others), []).append(row)
    lines = {key: sorted(line, key=lambda row: row[along]) for key, line in lines.items()
             if len({row[along] for row in line}) > 1 and line[0]["seconds"] > 0}
    if not lines:
        return None
    figure, axes = plt.subplots(figsize=(11, 6.5), dpi=100)
    styles = ["-", "--", ":", "-."]
    for number, line in enumerate(lines.values()):
        x, y = [row[along] for row in line], [cost(row, line[0]) for row in line]
        colour = f"C{number % 10}"
        axes.plot(x, y, styles[number // 10 % 4], lw=1, color=colour)
        for row, a, b in zip(line, x, y):
            axes.plot([a], [b], "o", ms=3.5, color=colour, gid=f"point-{row['number']}")
    ends = [(line[-1][along], cost(line[-1], line[0]), short(line[-1])) for line in lines.values()]
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({row[along] for line in lines.values() for row in line})
    names = {row[along]: "x".join(map(str, row["dims"])) if along == "sites" else row[along]
             for line in lines.values() for row in line}
    axes.set_xticks(ticks, [re.sub(r"^(\d+)x\1x\1x\1$", r"$\1^4$", str(names[tick])) for tick in ticks])
    axes.set_xlim(ticks[0] / 1.2, ticks[-1] * (ticks[-1] / ticks[0]) ** 0.15)
    axes.minorticks_off()
    axes.set_ylabel(title)
    axes.set_xlabel("lattice" if along == "sites" else along)
    axes.set_title(f"{prec} precision: {title_of(rows[0]['run'])}", fontsize=9)
    figure.tight_layout()
    place_labels(axes, ends)
    return figure


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>quda_bench</title><style>
body { font: 14px sans-serif; margin: 1em } svg { max-width: 100%; height: auto; display: block }
table { border-collapse: collapse; font-size: 12px } td, th { padding: 2px 6px; text-align: right }
th { cursor: pointer; background: #eee } tr:nth-child(even) { background: #f7f7f7 } .on { outline: 2px solid #d60 }
#name { position: fixed; display: none; background: #fffbe6; border: 1px solid #888; padding: 4px 8px;
  pointer-events: none; white-space: pre; font-size: 12px } [id^="point-"] { cursor: pointer }
</style></head><body><h1>quda_bench</h1>
<p>Point at a point for what it is; click it for its row in the table. A click on a heading sorts.</p>
@pictures@
<table id="table"><thead><tr>@heads@</tr></thead><tbody>
@rows@
</tbody></table><div id="name"></div><script>
const texts = @texts@, box = document.getElementById("name");
for (const point of document.querySelectorAll('[id^="point-"]')) {
  const number = point.id.slice(6);
  point.addEventListener("mousemove", e => { box.textContent = texts[number]; box.style.display = "block";
    box.style.left = Math.min(e.clientX + 12, innerWidth - box.offsetWidth - 8) + "px";
    box.style.top = Math.min(e.clientY + 12, innerHeight - box.offsetHeight - 8) + "px"; });
  point.addEventListener("mouseleave", () => box.style.display = "none");
  point.addEventListener("click", () => { const row = document.getElementById("row-" + number);
    for (const other of document.querySelectorAll(".on")) other.classList.remove("on");
    row.classList.add("on"); row.scrollIntoView({block: "center"}); });
}
document.querySelectorAll("th").forEach((head, at) => head.addEventListener("click", () => {
  const body = document.querySelector("tbody"), up = head.dataset.up = head.dataset.up === "1" ? "0" : "1";
  const value = row => { const text = row.cells[at].textContent, n = parseFloat(text); return isNaN(n) ? text : n; };
  [...body.rows].sort((a, b) => (value(a) < value(b) ? -1 : 1) * (up === "1" ? 1 : -1))
    .forEach(row => body.appendChild(row)); }));
</script></body></html>
"""


def cell(row, key):
    value = row.get(key, "")
    if key == "dims":
        return "x".join(map(str, value))
    if key == "seconds":
        return f"{1e6 * value:.2f} us"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def write_page(path, figures, rows):
    pictures = []
    for number, (name, figure) in enumerate(figures):
        content = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": str(number)}):
            figure.savefig(content, format="svg", metadata={"Date": None})
        svg = content.getvalue()
        pictures.append(f"<h2>{html.escape(name)}</h2>\n" + svg[svg.index("<svg"):])
    texts = [f"{short(row)}\n" + "\n".join(f"{key}: {cell(row, key)}" for key in SHOWN[1:]) for row in rows]
    table = "\n".join(f'<tr id="row-{row["number"]}">' + "".join(f"<td>{html.escape(cell(row, key))}</td>"
                                                                for key in SHOWN) + "</tr>" for row in rows)
    parts = {"pictures": "\n".join(pictures), "heads": "".join(f"<th>{key}</th>" for key in SHOWN), "rows": table,
             "texts": json.dumps(texts).replace("</", "<\\/")}
    path.write_text(re.sub("@(pictures|heads|rows|texts)@", lambda found: parts[found[1]], PAGE), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="RESULT.json")
    parser.add_argument("--output", type=pathlib.Path, help="folder and beginning of the files' names")
    options = parser.parse_args()
    stem = options.output or pathlib.Path(options.results[0]).with_suffix("")
    runs, rows = load(options.results)
    figures = []
    precisions = [prec for prec in ("double", "single", "half") if any(row["prec"] == prec for row in rows)]
    sweeps = [len({(row["kernel"], *row["dims"]) for row in run["results"]}) >
              len({row["kernel"] for row in run["results"]}) for run in runs]
    for prec in precisions:
        here = [row for row in rows if row["prec"] == prec]
        for number, run in enumerate(runs):
            of_run = [row for row in here if row["run"] is run]
            largest = {}
            for row in of_run:
                largest[row["kernel"]] = max(largest.get(row["kernel"], 0), row["sites"])
            of_run = [row for row in of_run if row["sites"] == largest[row["kernel"]]]
            if of_run and (all(sweeps) or not sweeps[number]):
                figures.append((f"roofline_{prec}" + (f"_{number + 1}" if number > 0 else ""),
                                roofline(run, prec, of_run)))
        of_sweeps = [row for row in here if sweeps[runs.index(row["run"])]]
        swept = curves(of_sweeps, prec, "sites", "ns a site", lambda row, first: 1e9 * row["seconds"] / row["sites"])
        threads = curves(here, prec, "threads", "speed over that of the fewest threads",
                         lambda row, first: first["seconds"] / row["seconds"])
        ranks = curves(here, prec, "ranks", "speed of all ranks over that of the fewest",
                       lambda row, first: first["seconds"] / row["seconds"] * row["ranks"] / first["ranks"])
        figures += [(f"{name}_{prec}", one)
                    for name, one in (("sweep", swept), ("threads", threads), ("ranks", ranks)) if one]
    for name, figure in figures:
        path = stem.with_name(f"{stem.name}_{name}.png")
        figure.savefig(path)
        print(path)
    page = stem.with_name(stem.name + ".html")
    write_page(page, figures, rows)
    print(page)


if __name__ == "__main__":
    main()
