#!/usr/bin/env python3
"""Prints types of the engine that have one name and two definitions, and fails where there are any.

Compilers see one file at a time and linkers keep one of two functions of the same name, so that two types `shoal::X` in files that
never meet can end in a crash without a warning. Types in an unnamed namespace, in a source alone or inside another type are free.
"""
import collections
import re
import subprocess
import sys

DEFINITION = re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct|enum class|enum|union)\s+(\w+)(?!\w*::)\b[^;]*\{")


def shared_types(path):
    """The types that a file defines at the top level of a named namespace, with that namespace."""
    namespaces = []
    for line in open(path, encoding="utf-8"):
        if opened := re.match(r"^(?:inline )?namespace\s*([\w:]*)\s*\{", line):
            namespaces.append(opened.group(1).replace("SHOAL_THIS_FILE", ""))  # of each test's own (CONTRIBUTING.md)
        elif line.startswith("}  // namespace") and namespaces:
            namespaces.pop()
        elif (found := DEFINITION.match(line)) and "" not in namespaces and f"{found.group(1)}::" not in line:
            yield "::".join([*namespaces, found.group(1)])


places = collections.defaultdict(set)
files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "shoal/*.h", "shoal/*.cpp", "cli/*.h",
                        "cli/*.cpp", "python/*.h", "python/*.cpp", "testing/*.h"], text=True, capture_output=True, check=True)
for file in files.stdout.split():
    for name in shared_types(file):
        places[name].add(file)
twice = {name: where for name, where in places.items() if len(where) > 1}
for name, where in sorted(twice.items()):
    print(f"{name} is defined in {' and '.join(sorted(where))}: rename one of them")
if not places:
    print("no types were found: is this the project's folder?")
sys.exit(bool(twice) or not places)
