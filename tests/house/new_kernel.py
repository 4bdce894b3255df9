#!/usr/bin/env python3
"""new_kernel.py ROOT [--build CMAKE]: utils/new_kernel.py in a copy of the tree. Are its files written where the build
looks, formatted, within the rooms; are bad names and names in use refused, with nothing written. With --build: does
what it writes build, and do its tests and its benchmark's check pass, as written; and with the changes that section 7
of the kernel guide makes."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

FILES = ["lib/kernels/{t}/{n}.launch.cpp", "lib/kernels/{t}/{n}_call.h", "lib/ops/{t}/{n}.h", "lib/ops/{t}/{n}.cpp",
         "tests/reference/{t}/{n}.h", "tests/{t}/{n}_test.cpp", "tests/{t}/{n}_mpi_test.cpp",
         "tests/bench/{n}_kernel.cpp"]


def run(command, good=True, **options):
    print("$", *command, flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if good != (done.returncode == 0):
        sys.exit(f"{done.stdout}status {done.returncode}")
    return done.stdout


def all_files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def check(what, true, output=""):
    print("ok" if true else f"{output}WRONG", what, flush=True)
    if not true:
        sys.exit(1)


def write(tree):
    """Generates in an old topic and in a new one."""
    script = [sys.executable, "-B", str(tree / "utils/new_kernel.py")]
    before, made = all_files(tree), set()
    for topic, name in (("gauge", "straight_links"), ("trial", "a_rather_long_name_of_a_kernel"), ("trial", "brief")):
        run([*script, topic, name])
        new = all_files(tree) - before
        check(f"files of {topic} {name}", new == {path.format(t=topic, n=name) for path in FILES})
        before |= new
        made |= new
    refused = (("gauge", "plaquette", "exists"), ("gauge", "CamelCase", "snake_case"), ("../x", "name", "snake_case"),
               ("gauge", "short", "word of C++"), ("trial", "storage", "struct Storage"))
    for topic, name, word in refused:
        check(f"{topic} {name} is refused", word in run([*script, topic, name], good=False))
    check("nothing is written when refused", all_files(tree) == before)
    house = tree / "tests/house"
    formatter = shutil.which("clang-format-14") or shutil.which("clang-format")
    for script in (["rooms.py", "--root", str(tree)], ["sources.py", str(tree), *([formatter] if formatter else [])]):
        output = subprocess.run([sys.executable, "-B", str(house / script[0]), *script[1:]], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, check=False).stdout
        check(f"{script[0]} has nothing against them", "files" in output and not any(f in output for f in made), output)


def rectangle(tree):
    """Section 7 of the guide, its examples word for word, on a kernel of the new topic."""
    guide = (tree / "lib/kernels/README.md").read_text(encoding="utf-8")
    section = re.search(r"^## 7\. .*?(?=^## 8\.)", guide, re.M | re.S).group(0)
    plain, term = [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n)+", section, re.M)]
    run([sys.executable, "-B", str(tree / "utils/new_kernel.py"), "trial", "mean_rectangle"])

    def change(path, *changes):
        text = (tree / path).read_text(encoding="utf-8")
        for old, new in changes:
            check(f"{path}: {old.splitlines()[0]}", len(re.findall(old, text, re.S)) == 1, text)
            text = re.sub(old, lambda _, new=new: new, text, flags=re.S)
        (tree / path).write_text(text, encoding="utf-8")

    change("tests/reference/trial/mean_rectangle.h",
           (r"for \(int mu = 0; mu < 4; mu\+\+\)\s+sum \+= .*?;\n",
            "for (int mu = 0; mu < 4; mu++)\nfor (int nu = 0; nu < 4; nu++) {\nif (nu == mu) continue;\n" +
            plain + "}\n"),
           (r"\(12\.0 \*", "(36.0 *"))
    change("lib/kernels/trial/mean_rectangle.launch.cpp",
           (r"QUDA_DEVICE real term\(.*?\n  }\n", term),
           (r"sum\[0\] = term\(x, 0\);.*?;\n", "sum[0] = real(0.0);\nfor (int mu = 0; mu < 4; mu++)\n"
            "for (int nu = 0; nu < 4; nu++)\nif (nu != mu) sum[0] = sum[0] + term(x, mu, nu);\n"),
           ('#include "device/instances.h"', '#include "device/displacement.h"\n#include "device/instances.h"'))
    change("lib/ops/trial/mean_rectangle.cpp", (r"\(12\.0 \*", "(36.0 *"))


def build(tree, cmake):
    """The new topic alone, with every target."""
    rectangle(tree)
    folder = tree / "build"
    run([cmake, "-G", "Ninja", "-S", str(tree), "-B", str(folder), "-DQUDA_CUDA=OFF", "-DQUDA_STRICT=ON"])
    mpi = "trial_mpi_test.2" in run(["ctest", "--test-dir", str(folder), "-N"])
    targets = ["trial_test", "quda_bench", *(["trial_mpi_test"] if mpi else [])]
    run([cmake, "--build", str(folder), "--target", *targets],
        env={**os.environ, "CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"})
    print(run(["ctest", "--test-dir", str(folder), "-R", "^trial_", "--output-on-failure"]))
    for precision in ("double", "single"):
        print(run([str(folder / "bin/quda_bench"), "--filter", "a_rather_long", "--dim", "4", "4", "4", "8", "--time",
                   "0", "--prec", precision]))


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "libquda"
        tree.mkdir()
        for entry in root.iterdir():
            if entry.is_dir() and not entry.name.startswith((".git", "build", ".cache")):
                shutil.copytree(entry, tree / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
            elif entry.is_file():
                shutil.copy(entry, tree)
        write(tree)
        if "--build" in sys.argv:
            build(tree, sys.argv[sys.argv.index("--build") + 1])


main()
