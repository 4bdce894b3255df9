#!/usr/bin/env python3
"""compare_bench.py [--least RATIO] BEFORE.json AFTER.json: what quda_bench --json wrote of two builds, or of one at two
times: speed after over speed before, kernel by kernel, and its noise. Exit status 1 where a kernel is slower by more
than its noise and 5 % (--least 0.95), or its checksum differs, 2 where there is nothing to compare.

Times are what the process had of its processors, so that other programs, which take turns with it, do not count; on a
GPU those of the clock. What else runs only ever slows a sample down: a pass counts with its fastest tenth, a run with
its fastest pass. How far the next one lies behind (of many passes, the first quarter) is the noise; at least the
scatter of all kernels' ratios is, which is what a run as a whole adds: of kernels that nobody changed one is as likely
faster as slower. So measure both with many passes (--passes 10) and many kernels, one right after the other (a machine
shared with others changes within a quarter of an hour, by 10 % for some kernels and nothing for the rest), and with
one tune cache (QUDA_RESOURCE_PATH): launches that each run tunes for itself differ by more than builds do, and so do
processes, by where their memory lies: --tunings tuned tuned tuned tuned tuned makes five, whose passes count together.
No kernel is slower whose fastest pass is one of the passes before: some have two speeds. Plain versions, which are
measured once, are shown and not judged. A machine that is slower in one run than in the other is taken out: a kernel
is slower where its time says so, and its time in units of the limit that binds it and was measured beside it, where
that is as precise, else its time beside that of the other kernels."""

import argparse
import json
import math
import statistics
import sys

SURE, LIKELY = 3.3, 2.5  # standard deviations of noise that one, and all, of a kernel's ratios must exceed


def rows_of(path):
    """The results by what they are of; passes of several processes together."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    rows = {}
    for run in content.get("runs", [content]):
        for row in run["results"]:
            key = (row["kernel"], row["variant"], row["prec"], row["recon"], row["nrhs"], tuple(row["dims"]),
                   row["threads"], row.get("ranks", 1), row["tuning"])
            if key in rows:
                rows[key]["passes"] += row["passes"]
            else:
                rows[key] = row
    return rows


def name(key):
    kernel, variant, prec, recon, nrhs, dims, threads, ranks, tuning = key
    threads = f"{ranks}x{threads}" if ranks > 1 else threads
    return f"{kernel}/{variant}/{prec}/{recon}/{nrhs} {'x'.join(map(str, dims))} {threads} {tuning}".rstrip()


def fast(samples):
    """The mean of the fastest tenth, two at least."""
    best = sorted(samples)[:max(2, len(samples) // 10)]
    return statistics.fmean(best)


def best(row):
    """Log of seconds of the fastest pass, how far the next one lies behind, log of the binding limit; log of seconds
    that nine passes of ten keep below."""
    passes = row["passes"]
    seconds = sorted(fast([t * share for t, share in zip(one["seconds"], one["share"])]) for one in passes)
    limit = statistics.median(one["fma"] if row["bound"] == "fma" else one["bandwidth"] for one in passes)
    if not (seconds[0] > 0 and limit > 0):
        return None
    next_one = seconds[min(max(1, len(seconds) // 4), len(seconds) - 1)]
    most = seconds[len(seconds) * 9 // 10]
    return math.log(seconds[0]), math.log(next_one / seconds[0]), math.log(limit), math.log(most)


def spread(values):
    """A standard deviation that a few wild values leave alone."""
    middle = statistics.median(values)
    return 1.4826 * statistics.median(abs(v - middle) for v in values)


class Ratios:
    """Of all kernels: log of the time's ratio, of that in units of the limit, and noise."""

    def __init__(self, before, after):
        found = {key: (best(row), best(after[key])) for key, row in before.items() if key in after}
        self.own = {key: math.hypot(a[1], b[1]) for key, (a, b) in found.items() if a and b}
        self.raw = {key: found[key][1][0] - found[key][0][0] for key in self.own}
        self.relative = {key: self.raw[key] + found[key][1][2] - found[key][0][2] for key in self.own}
        self.beyond = {key: found[key][1][0] - found[key][0][3] for key in self.own}
        self.bound = {key: before[key]["bound"] for key in self.own}
        self.middle = statistics.median(self.raw.values()) if self.raw else 0

    def noise(self, logs, key):
        """Of kernels that the same limit binds, four at least."""
        alike = [log for other, log in logs.items()
                 if self.bound[other] == self.bound[key] and (other[1] == "reference") == (key[1] == "reference")]
        return max(self.own[key], spread(alike if len(alike) > 3 else logs.values()))

    def slower(self, key, least):
        """Whether all that is precise enough says so, and one of it beyond doubt."""
        if key[1] == "reference":
            return False
        raw, relative = self.noise(self.raw, key), self.noise(self.relative, key)
        said = [(self.raw[key], raw)]
        said += [(self.relative[key], relative) if relative < 2 * raw else (self.raw[key] - self.middle, raw)]
        return self.beyond[key] > 0 and any(log > SURE * noise for log, noise in said) and \
            all(log > max(LIKELY * noise, -math.log(least)) for log, noise in said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--least", type=float, default=0.95, help="ratio of speeds that is no slowdown [0.95]")
    options = parser.parse_args()
    before, after = rows_of(options.before), rows_of(options.after)
    ratios = Ratios(before, after)
    if not ratios.own:
        print("compare_bench.py: the two share no case with samples", file=sys.stderr)
        sys.exit(2)
    slower, wrong = [], []
    print(f"{'speed after / speed before':58s} {'ratio':>6s} {'noise':>6s} {'of limit':>8s} {'noise':>6s}")
    for key in sorted(ratios.own):
        bad = ratios.slower(key, options.least)
        a, b = before[key]["checksum"], after[key]["checksum"]
        tolerance = before[key]["tolerance"] * max(a["size"], b["size"])
        differs = a["count"] != b["count"] or not abs(a["value"] - b["value"]) <= tolerance
        slower += [key] if bad else []
        wrong += [key] if differs else []
        print(f"{name(key):58s} {math.exp(-ratios.raw[key]):6.3f} {ratios.noise(ratios.raw, key):6.3f} "
              f"{math.exp(-ratios.relative[key]):8.3f} {ratios.noise(ratios.relative, key):6.3f}"
              f"{'  SLOWER' if bad else ''}{'  OTHER CHECKSUM' if differs else ''}")
    for title, keys in (("before", before.keys() - after.keys()), ("after", after.keys() - before.keys())):
        for key in sorted(keys):
            print(f"only {title}: {name(key)}")
    print(f"{len(ratios.own)} cases, {len(slower)} slower by more than their noise, {len(wrong)} with other checksums; "
          f"all together {math.exp(-ratios.middle):.3f}")
    sys.exit(1 if slower or wrong else 0)


if __name__ == "__main__":
    main()
