#!/usr/bin/env python3
"""compare_bench.py [--least RATIO] BEFORE.json AFTER.json: what quda_bench --json wrote of two builds, or of one at two
times: speed after over speed before, kernel by kernel, and its noise. Exit status 1 where a kernel is slower by more
than its noise and 5 % (--least 0.95), or its checksum differs, 2 where there is nothing to compare.

Times are what the process had of its processors, so that other programs, which take turns with it, do not count; on a
GPU those of the clock. A pass over a kernel counts with its fastest tenth, since what else runs only ever slows a
sample down. The ratio is that of the passes' medians. Its noise is made of the scatter of the passes of both runs, and
of the scatter of all kernels' ratios, which is what a run as a whole adds: of kernels that nobody changed one is as
likely faster as slower. A machine that is faster in one run than in the other is taken out by the limits that were
measured beside each pass: the ratio is also made with times in units of the limit that binds the kernel, and a kernel
is slower where both say so."""

import argparse
import json
import math
import statistics
import sys

SURE = 4.5  # standard deviations of a ratio's noise that a slowdown must exceed


def rows_of(path):
    """The results by what they are of."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    rows = {}
    for run in content.get("runs", [content]):
        for row in run["results"]:
            key = (row["kernel"], row["variant"], row["prec"], row["recon"], row["nrhs"], tuple(row["dims"]),
                   row["threads"], row["tuning"])
            rows[key] = row
    return rows


def name(key):
    kernel, variant, prec, recon, nrhs, dims, threads, tuning = key
    return f"{kernel}/{variant}/{prec}/{recon}/{nrhs} {'x'.join(map(str, dims))} {threads} {tuning}".rstrip()


def fast(samples):
    """The mean of the fastest tenth, two at least."""
    best = sorted(samples)[:max(2, len(samples) // 10)]
    return statistics.fmean(best)


def logs(row):
    """Of each pass: log of seconds, and of seconds in units of the binding limit."""
    raw, relative = [], []
    for one in row["passes"]:
        seconds = fast([t * share for t, share in zip(one["seconds"], one["share"])])
        limit = one["fma"] if row["bound"] == "fma" else one["bandwidth"]
        if seconds > 0 and limit > 0:
            raw.append(math.log(seconds))
            relative.append(math.log(seconds * limit))
    return raw, relative


def spread(values):
    """A standard deviation that a few wild values leave alone."""
    middle = statistics.median(values)
    return 1.4826 * statistics.median(abs(v - middle) for v in values)


def compared(before, after):
    """For both kinds of logs: (log of the time's ratio, its noise from the passes)."""
    result = []
    for a, b in zip(logs(before), logs(after)):
        if not a or not b:
            return None
        # of a median of n: the deviation times 1.25 / sqrt(n)
        noise = [1.25 * spread(x) / math.sqrt(len(x)) for x in (a, b)]
        result.append((statistics.median(b) - statistics.median(a), math.hypot(*noise)))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--least", type=float, default=0.95, help="ratio of speeds that is no slowdown [0.95]")
    options = parser.parse_args()
    before, after = rows_of(options.before), rows_of(options.after)
    shared = [key for key in before if key in after]
    found = {key: both for key in shared if (both := compared(before[key], after[key]))}
    if not found:
        print("compare_bench.py: the two share no case with samples", file=sys.stderr)
        sys.exit(2)
    common = [spread([both[kind][0] for both in found.values()]) for kind in range(2)]
    slower, wrong = [], []
    print(f"{'speed after / speed before':58s} {'ratio':>6s} {'noise':>6s} {'of limit':>8s} {'noise':>6s}")
    for key, both in sorted(found.items()):
        noise = [math.hypot(own, shared_noise) for (_, own), shared_noise in zip(both, common)]
        bad = all(log > max(SURE * sigma, -math.log(options.least)) for (log, _), sigma in zip(both, noise))
        a, b = before[key]["checksum"], after[key]["checksum"]
        tolerance = before[key]["tolerance"] * max(a["size"], b["size"])
        differs = a["count"] != b["count"] or not abs(a["value"] - b["value"]) <= tolerance
        slower += [key] if bad else []
        wrong += [key] if differs else []
        print(f"{name(key):58s} {math.exp(-both[0][0]):6.3f} {noise[0]:6.3f} {math.exp(-both[1][0]):8.3f} "
              f"{noise[1]:6.3f}{'  SLOWER' if bad else ''}{'  OTHER CHECKSUM' if differs else ''}")
    for title, keys in (("before", before.keys() - after.keys()), ("after", after.keys() - before.keys())):
        for key in sorted(keys):
            print(f"only {title}: {name(key)}")
    print(f"{len(found)} cases, {len(slower)} slower by more than their noise, {len(wrong)} with other checksums; "
          f"noise of the runs {common[0]:.3f}, of limits {common[1]:.3f}")
    sys.exit(1 if slower or wrong else 0)


if __name__ == "__main__":
    main()
