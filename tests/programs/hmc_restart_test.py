"""A run of hybrid Monte Carlo that is killed goes on as if it had not been.

hmc_restart_test.py PROGRAM TRAJECTORIES OPTIONS [LAUNCHER...]: LAUNCHER, followed by a number of ranks, starts PROGRAM
on them; without it one process is all. Runs on one process, is killed, goes on on two, is killed again and goes on on
one: trajectories, links and checkpoint are those of a run left alone, bit for bit; how long they took is not compared.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

PROGRAM, TRAJECTORIES, OPTIONS, LAUNCHER = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(), sys.argv[4:]
RUNS = ("whole", "parts")
COMMON = ["--beta", "5.6", "--integrator", "omelyan2", "--trajectories", str(TRAJECTORIES - 2),
          "--warmup-trajectories", "2", "--heatbath-warmup-steps", "20", "--seed", "11", "--verify", "false",
          "--tune", "false", "--verbosity", "silent", *OPTIONS]


def command(ranks, checkpoint):
    grid = ["--dim", "4", "4", "4", str(8 // ranks), "--gridsize", "1", "1", "1", str(ranks)]
    start = [*LAUNCHER, str(ranks)] if ranks > 1 else []
    return [*start, PROGRAM, *grid, *COMMON, "--checkpoint", str(checkpoint)]


def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *children(int(child))]
    return found


def run(ranks, checkpoint, kill_after=None):
    """The lines of the trajectories that were done; killed after so many, when it has done a few more."""
    lines = []
    with subprocess.Popen(command(ranks, checkpoint), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as process:
        output = ""
        for line in process.stdout:
            output += line
            words = line.split()
            if len(words) > 4 and words[1] == "dH" and line.endswith("\n"):
                lines.append(re.sub(r"  [0-9.e-]+ s$", "", line.rstrip()))
                if len(lines) == kill_after:
                    # one process may have a daemon of MPI for a child
                    for pid in children(process.pid) if ranks > 1 else [process.pid]:
                        try:
                            os.kill(pid, signal.SIGKILL)
                        except ProcessLookupError:
                            pass
    if (process.returncode == 0) != (kill_after is None):
        sys.exit(f"exit status {process.returncode} of {process.args}:\n{output}")
    return lines


def data_of(file):
    """The links of an ILDG file, which has its date elsewhere."""
    everything = pathlib.Path(file).read_bytes()
    begin = everything.index(b"ildg-binary-data") + 128
    return everything[begin:begin + 4**3 * 8 * 576]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    whole = run(1, folder / RUNS[0])
    if len(whole) != TRAJECTORIES:
        sys.exit(f"{len(whole)} trajectories of {TRAJECTORIES}")

    other = 2 if LAUNCHER else 1
    done = []
    for ranks, kill_after in ((1, 5), (other, 2), (1, None)):
        lines = run(ranks, folder / RUNS[1], kill_after)
        # what was done after the last checkpoint is done again
        print(f"on {ranks}: trajectories {lines[0].split()[0]} to {lines[-1].split()[0]}")
        first = int(lines[0].split()[0]) - 1
        if lines != whole[first:first + len(lines)]:
            sys.exit("other trajectories:\n" + "\n".join(lines))
        done += [int(line.split()[0]) for line in lines]
    if set(done) != set(range(1, TRAJECTORIES + 1)):
        sys.exit(f"trajectories done: {done}")

    end = [json.loads((folder / f"{run}.json").read_text()) for run in ("whole", "parts")]
    links = [data_of(one.pop("links")) for one in end]
    for record in end[0]["records"] + end[1]["records"]:
        record.pop("seconds")
    if end[0] != end[1] or links[0] != links[1]:
        sys.exit("the last checkpoints differ")
    left = sorted(path.name for path in folder.iterdir() if path.suffix != ".part")  # of a file half written
    if len(left) != 4:
        sys.exit(f"files left behind: {left}")
    print(f"same checkpoint, {len(links[0])} bytes of links")
