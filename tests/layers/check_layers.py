#!/usr/bin/env python3
"""Checks the house's own rules on the real files: check_layers.py ROOT

  layers    quoted includes go only where tests/layers/layers.txt lets them, and exist
  private   a header below a module's top, or whose opening comment says "Private to this folder", belongs to that
            module; sqlite3, Beast and ImGui headers appear in .cpp files and private headers only
  paths     no tracked file names a path of one machine
  hosts     no tracked file names a package registry
  cmake     every .cpp is named in a CMakeLists.txt of its folder or one above
  coroutine the rules of docs/decisions/0006, which coroutines.py spells out

Prints one line a finding, `file:line: rule: what`, and ends with 1 when there is any.
"""

import os
import re
import subprocess
import sys

import coroutines

TABLE = "tests/layers/layers.txt"
SKIP_FOLDERS = {"build", "out", "node_modules", ".git"}
FREE = ("tests", "bench")  # may include anything
QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
ANY_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
PRIVATE_ONLY = re.compile(r"^(sqlite3(ext)?\.h|boost/beast(/|\.hpp)|imgui|backends/imgui)")
# Written so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![A-Za-z0-9_.~])/(?:work|root|farm|home|Users)" + r"/[A-Za-z0-9_]")
REGISTRY = re.compile(
    r"registry\." + r"(?:npmjs|yarnpkg|npmmirror)\.|(?:deb|security)\." + r"debian\.org|pypi\." + r"org|pythonhosted\." + r"org"
    r"|proxy\.golang\." + r"org|static\.crates\." + r"io"
)
TEXT_LIMIT = 4 << 20
SAYS_PRIVATE = "Private to this folder"


def listed_files(root):
    """Tracked and new files, without what git ignores; every file where there is no repository."""
    if os.path.exists(os.path.join(root, ".git")):
        out = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True,
        ).stdout.decode()
        return sorted(f for f in set(out.split("\0")) if f and os.path.isfile(os.path.join(root, f)))
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [d for d in folders if d not in SKIP_FOLDERS]
        found += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(found)


def read_table(root):
    """{module: set of modules it may include}"""
    table = {}
    with open(os.path.join(root, TABLE), encoding="utf-8") as lines:
        for line in lines:
            line = line.split("#")[0].strip()
            if line:
                module, _, allowed = line.partition(":")
                table[module.strip()] = set(allowed.split())
    for module, allowed in table.items():
        for other in allowed - table.keys():
            raise SystemExit(f"{TABLE}: {module} may include {other}, which has no line of its own")
    return table


def module_of(path, table):
    """The module with the longest folder name that holds `path`, or None."""
    folder = os.path.dirname(path)
    while folder:
        if folder in table:
            return folder
        folder = os.path.dirname(folder)
    return None


def read_lines(root, path):
    with open(os.path.join(root, path), "rb") as f:
        data = f.read(TEXT_LIMIT)
    return [] if b"\0" in data else data.decode("utf-8", "replace").split("\n")


def opening_comment(lines):
    text = []
    for line in lines[1:]:
        if not line.startswith("//"):
            break
        text.append(line[2:].strip())
    return " ".join(text)


def is_private(path, lines, own):
    return path.endswith(".hpp") and (os.path.dirname(path) != own or SAYS_PRIVATE in opening_comment(lines))


def check_includes(root, path, lines, table, files):
    own = module_of(path, table)
    free = path.split("/")[0] in FREE
    private_header = own is not None and is_private(path, lines, own)
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        any_match = ANY_INCLUDE.match(line)
        if any_match and path.endswith(".hpp") and not private_header and not free and PRIVATE_ONLY.match(any_match[1]):
            yield f"{where}: private: {any_match[1]} in a public header; include it in a .cpp or a header of an inner folder"
        match = QUOTED.match(line)
        if not match:
            continue
        target = match[1]
        if target not in files:
            if not target.endswith("/embedded.hpp"):  # made by browx_embed()
                yield f"{where}: layers: \"{target}\" is no file of this tree; includes are relative to its root"
            continue
        if free:
            continue
        other = module_of(target, table)
        if other is None:
            yield f"{where}: layers: {target} belongs to no module of {TABLE}"
        elif other != own:
            if other not in table[own]:
                yield f"{where}: layers: {own} may not include {other} ({target})"
            elif is_private(target, read_lines(root, target), other):
                yield f"{where}: private: {target} is {other}'s own"


def check_text(path, lines):
    for number, line in enumerate(lines, 1):
        if match := MACHINE_PATH.search(line):
            yield f"{path}:{number}: paths: {match[0]}… is a path of one machine"
        if match := REGISTRY.search(line):
            yield f"{path}:{number}: hosts: {match[0]} names a package registry"


def words_of(cmake):
    """The words of a CMakeLists.txt, `${x}` filled in for each item of `foreach(x …)`."""
    text = re.sub(r"#.*", "", cmake)
    words = set(re.split(r"[\s()\"]+", text))
    for name, items in re.findall(r"foreach\(\s*(\w+)\s+([^)]*)\)", text):
        mark = "${" + name + "}"
        words |= {word.replace(mark, item) for word in words if mark in word for item in items.split()}
    return words


def check_cmake(root, path):
    folder = os.path.dirname(path)
    while True:
        lists = os.path.join(root, folder, "CMakeLists.txt")
        if os.path.exists(lists):
            with open(lists, encoding="utf-8") as f:
                words = words_of(f.read())
            if os.path.relpath(path, folder or ".") in words:
                return
        if not folder:
            yield f"{path}:1: cmake: named in no CMakeLists.txt of its folder or above"
            return
        folder = os.path.dirname(folder)


def check(root):
    table = read_table(root)
    files = listed_files(root)
    known = set(files)
    for path in files:
        lines = read_lines(root, path)
        yield from check_text(path, lines)
        if not path.endswith((".cpp", ".hpp")):
            continue
        if module_of(path, table) is None and path.split("/")[0] not in FREE:
            yield f"{path}:1: layers: belongs to no module of {TABLE}"
            continue
        yield from check_includes(root, path, lines, table, known)
        if path.endswith(".cpp"):
            yield from check_cmake(root, path)
        for number, rule, what in coroutines.check("\n".join(lines)):
            yield f"{path}:{number}: coroutine: {what} ({rule})"


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    findings = list(check(sys.argv[1]))
    print("\n".join(findings) if findings else "the layers hold")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
