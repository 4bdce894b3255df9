#!/usr/bin/env python3
"""readme.py ROOT BUILD CMAKE: README.md and the pages of docs/ that it sends to are true. Its C program is
tests/examples/plaquette.c; its commands run, in a folder that has the sources and this build, but for those that
install or build everything, whose presets and scripts must exist; programs and environment variables that it names
exist, and none of the library's variables is missing."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# commands that are not run here, and what must be true of them
BIG = {
    r"utils/(demo|test)\.sh": lambda root, command: script(root, command),
    r"cmake --preset (\S+) && cmake --build --preset \1": lambda root, command: preset(root, command.split()[-1]),
    r"ctest --preset \S+": lambda root, command: preset(root, command.split()[-1]),
    r"cmake --install build --prefix PREFIX": lambda root, command: True,  # done before the commands are run
}
# variables of the scripts, of OpenMP and of host codes
OTHERS = {"QUDA_BUILD_DIR", "QUDA_CMAKE_ARGS", "QUDA_PATH", "OMP_NUM_THREADS"}

PAGES = ("README.md", "docs/building.md", "docs/programs.md", "docs/performance.md")

faults = []


def check(what, true, output=""):
    print("ok" if true else f"{output}\nWRONG", what, flush=True)
    if not true:
        faults.append(what)


def script(root, command):
    return subprocess.run(["sh", "-n", root / command], check=False).returncode == 0


def preset(root, name):
    presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
    return all(any(one["name"] == name for one in presets[kind])
               for kind in ("configurePresets", "buildPresets", "testPresets"))


def commands_of(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            command = re.sub(r"\s+#.*", "", line).strip()
            if command:
                yield command


def run_commands(text, root, build, cmake):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QUDA_")}
    environment["PATH"] = f"{pathlib.Path(cmake).parent}:{environment['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        for entry in root.iterdir():
            if entry.name not in (".git", "build", "utils"):
                (here / entry.name).symlink_to(entry)
        shutil.copytree(root / "utils", here / "utils")
        (here / "build").symlink_to(build)
        done = subprocess.run([cmake, "--install", str(build), "--prefix", str(here / "PREFIX")], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check("installation", done.returncode == 0, done.stdout)
        environment["PKG_CONFIG_PATH"] = str(here / "PREFIX/lib/pkgconfig")
        for command in commands_of(text):
            big = [right for pattern, right in BIG.items() if re.fullmatch(pattern, command)]
            if big:
                check(command, big[0](root, command))
                continue
            missing = [tool for tool in ("mpirun", "pkg-config", "doxygen")
                       if tool in command.replace("target docs", "doxygen") and not shutil.which(tool)]
            if missing:
                print(f"not run, {missing[0]} is absent: {command}")
                continue
            words = command
            if command.startswith("utils/new_kernel.py"):
                words = f"{command} --root {copy_of(root, here)}"
            words = words.replace("mpirun ", "mpirun --oversubscribe --bind-to none --allow-run-as-root ")
            done = subprocess.run(["sh", "-c", words], cwd=here, env=environment, stdout=subprocess.PIPE, check=False,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
            check(command, done.returncode == 0, done.stdout)


def copy_of(root, here):
    """A folder in which a script may write."""
    shutil.copytree(root / "lib", here / "copy/lib")
    return here / "copy"


def check_names(text, root, build):
    lines = ["plaquette.c" in text and text.count("```c\n") == 1]
    example = re.search(r"^```c\n(.*?)^```", text, re.M | re.S)
    lines.append(example and example.group(1) == (root / "tests/examples/plaquette.c").read_text(encoding="utf-8"))
    check("the program is tests/examples/plaquette.c", all(lines))
    for name in sorted(set(re.findall(r"`build/bin/(\w+)`", text)) | set(re.findall(r"`(\w+_test)`", text))):
        done = subprocess.run([build / "bin" / name, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False, text=True)
        options = re.split(r"^  (?=--)", done.stdout, flags=re.M)[1:]
        silent = [one for one in options if not re.search(r"\[.+\]", one)]
        check(f"{name} --help names all defaults", done.returncode == 0 and options and not silent,
              "".join(silent) or done.stdout)
    for name in re.findall(r"`(\w+)`", re.search(r"^Presets: (.*?)\.", text, re.M | re.S).group(1)):
        check(f"preset {name}", preset(root, name))
    for name in sorted(set(re.findall(r"ctest -L (\w+)", text)) | set(re.findall(r"`-L (\w+)`", text))):
        done = subprocess.run(["ctest", "--test-dir", build, "-N", "-L", f"^{name}$"], stdout=subprocess.PIPE,
                              check=False, text=True)
        check(f"label {name}", re.search(r"Total Tests: [1-9]", done.stdout))


def check_environment(text, root):
    sources = "".join(path.read_text(encoding="utf-8") for folder in ("lib", "interface", "utils")
                      for path in sorted((root / folder).rglob("*"))
                      if path.suffix in (".cpp", ".h", ".sh") and path.is_file())
    # the library composes the names of the pools' switches
    read = set(re.findall(r'env_\w+\("(QUDA_\w+)"', sources)) | set(re.findall(r'getenv\("(\w+)"', sources))
    read |= {f"QUDA_ENABLE_{name}_MEMORY_POOL" for name in ("DEVICE", "PINNED", "MANAGED")}
    table = text[text.index("## Environment"):]
    named = set(re.findall(r"`((?:QUDA|OMP)_[A-Z_]+)`", table[:table.index("\n# ", 3)]))
    check(f"variables that are read and not named: {sorted(read - named) or 'none'}", not read - named)
    check(f"variables that are named and not read: {sorted(named - read - OTHERS) or 'none'}",
          not named - read - OTHERS)


def main():
    root, build, cmake = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    text = "".join((root / page).read_text(encoding="utf-8") for page in PAGES)
    check_names(text, root, build)
    check_environment(text, root)
    run_commands(text, root, build, cmake)
    sys.exit(f"{len(faults)} faults" if faults else 0)


main()
