#!/usr/bin/env python3
"""kernels.py FOLDER: the lists that processes put there with PTX_KERNELS (tests/ptx/run_time.h), as one. Of each kernel
launches, lane instructions and seconds, the dearest first; then the kernels of which no process launched any, and last
"M of N kernels ran: launches, lane instructions, seconds, lane instructions a second"."""

import collections
import pathlib
import re
import sys


def short(title):
    """Body and the types of its argument: "Plaquette, double, 18" of cuda_sum_kernel<2, Plaquette<...>, ...>."""
    text = re.sub(r"\b(?:quda|cuda|test|blas|anonymous)::|\(anonymous namespace\)::", "", title)
    found = re.match(r"cuda_\w*kernel<(?:\d+, )?(\w+)(?:<\w*Arg)?<", text)
    if not found:
        return text
    depth, end = 1, found.end()
    while end < len(text) and depth:
        depth += {"<": 1, ">": -1}.get(text[end], 0)
        end += 1
    return f"{found[1]}, {text[found.end() : end - 1].strip()}"


def main():
    sums = collections.defaultdict(lambda: [0, 0, 0.0])
    titles = {}
    for file in pathlib.Path(sys.argv[1]).glob("*.tsv"):
        for line in file.read_text().splitlines():
            launches, lanes, seconds, symbol, title = line.split("\t")
            titles[symbol] = short(title)
            for k, number in enumerate((int(launches), int(lanes), float(seconds))):
                sums[symbol][k] += number
    ran = sorted((s for s in sums if sums[s][0]), key=lambda s: -sums[s][2])
    print("# launches, lane instructions, seconds, kernel")
    for symbol in ran:
        print("{}\t{:.3g}\t{:.2f}\t".format(*sums[symbol]) + titles[symbol])
    for title in sorted(titles[s] for s in sums if not sums[s][0]):
        print(f"not launched: {title}")
    launches, lanes, seconds = (sum(sums[s][k] for s in ran) for k in range(3))
    rate = lanes / (seconds or 1)
    print(f"{len(ran)} of {len(sums)} kernels ran: {launches} launches, {lanes:.3g} lane instructions, "
          f"{seconds:.0f} s, {rate:.3g} a second")


main()
