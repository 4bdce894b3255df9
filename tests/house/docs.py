#!/usr/bin/env python3
"""docs.py ROOT [DOXYGEN DOXYFILE]: no dead link in the pages: relative links of every Markdown file, and files that
they name in backquotes; the kernel guide's examples stand in the sources that they name. With Doxygen: its pages are
made without a warning, and every local link of theirs leads somewhere. Prints that Doxygen is absent where it is."""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

# folders of the sources: a name in backquotes that begins with one of them is a path
FOLDERS = ("cmake", "docs", "include", "interface", "lib", "tests", "utils")

# guides whose examples stand in the sources
GUIDES = ("lib/kernels/README.md", "docs/write-an-operator.md", "docs/write-a-solver.md")

# pages written by hand
OURS = ("index.html", "building.html", "conventions.html", "differences.html", "hosts.html", "performance.html",
        "programs.html", "status.html", "write-a-solver.html", "write-an-operator.html")


def markdown_faults(root):
    faults = []
    pages = [page for page in root.rglob("*.md") if not page.relative_to(root).parts[0].startswith((".git", "build"))]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        named = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
        # the table of rooms names what may come, and has a test of its own
        inside = [name for name in re.findall(r"`([\w./-]+)`", text) if page != root / "lib/README.md" and
                  name.split("/")[0] in FOLDERS and "/" in name and "..." not in name]
        faults += [f"{page.relative_to(root)}: {name}" for name in named if not (page.parent / name).exists()]
        faults += [f"{page.relative_to(root)}: {name}" for name in inside if not (root / name).exists()]
    print(f"{len(pages)} pages of Markdown")
    return faults


def guide_faults(root, page):
    """The guide's examples are compiled: where "From `path`" comes before them in their section, lines of C++ are those
    of that file, one after the other but for what `...` or an empty line stands for."""
    faults, source, name, after, shown = [], [], None, [], 0
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        named = re.search(r"\bFrom\s+`([\w./-]+)`", " ".join(lines[number:number + 2]))
        if named and "From" in line:
            name = named.group(1)
            source = [one.strip() for one in (root / name).read_text(encoding="utf-8").splitlines()]
        elif line.startswith("#"):
            name = None
        code = line.strip()
        if not name or not line.startswith("    ") or code == "...":
            after = []
            continue
        shown += 1
        after = [i + 1 for i, one in enumerate(source) if one == code and (not after or i in after)]
        if not after:
            faults.append(f"{page}:{number + 1}: not the next line of {name}: {code}")
    print(f"{page}: {shown} lines of examples")
    return faults


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


def html_faults(folder):
    pages = {str(page.relative_to(folder)): Page(page.read_text(encoding="utf-8")) for page in folder.rglob("*.html")}
    faults = []
    for name, page in sorted(pages.items()):
        where = (folder / name).parent
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = urllib.parse.unquote(url.path) or pathlib.Path(name).name
            if not (where / target).exists():
                faults.append(f"{name}: {link}")
            # in its own indices Doxygen names members of unnamed unions, to which it gives no place
            elif name in OURS and url.fragment and url.fragment not in pages[target].anchors:
                faults.append(f"{name}: {link}: no such place on the page")
    for name in (*OURS, "quda_8h.html", "quda__ext_8h.html"):
        if name not in pages:
            faults.append(f"{name} was not made")
    print(f"{len(pages)} pages of Doxygen")
    return faults


def main():
    root = pathlib.Path(sys.argv[1])
    faults = markdown_faults(root)
    for page in GUIDES:
        faults += guide_faults(root, page)
    if len(sys.argv) > 3:
        with tempfile.TemporaryDirectory() as folder:
            settings = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8") + f'\nOUTPUT_DIRECTORY = "{folder}"\n'
            done = subprocess.run([sys.argv[2], "-"], input=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, check=False)
            if done.returncode or "warning:" in done.stdout:
                faults += done.stdout.splitlines() or [f"doxygen: status {done.returncode}"]
            faults += html_faults(pathlib.Path(folder) / "html")
    else:
        print("doxygen is absent: its pages are not made")
    for fault in faults:
        print("WRONG", fault)
    sys.exit(1 if faults else 0)


main()
