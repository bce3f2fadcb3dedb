#!/usr/bin/env python3
"""The papers' claims, run again: writes docs/reproduction.md, docs/reproduction.html and the plots of both.

Usage: bench/reproduce/reproduce.py [NAME...]     NAME: tdr, kactus, kaca, local, heuristicmin, or one experiment of a
                                                  paper, as in tdr.growth; none: everything. `pages`: the pages alone
SHOAL_DATA: the folder with the tables (../shared/data if not set). The program and its benchmarks must be built
(`make reproduce` does all). Results lie in build/reproduce, one file an experiment; one that another build of the
program or other scripts made is not used.
"""
import hashlib
import importlib
import json
import os
import sys
from pathlib import Path

import pages
from runner import BUILD, ROOT, Missing, Runner, machine, program_hash, stopwatch

PAPERS = ["tdr", "kactus", "kaca", "local", "heuristicmin"]
HERE = Path(__file__).resolve().parent
RESULTS = BUILD / "reproduce"


def experiments():
    """{"tdr.adult": its function, ...}, in the order of the page."""
    found = {}
    for paper in PAPERS:
        for experiment in importlib.import_module(paper).EXPERIMENTS:
            found[f"{paper}.{experiment.__name__}"] = experiment
    return found


def key_of(paper):
    """What a result depends on besides the data: the program and the paper's experiments."""
    digest = hashlib.sha256(program_hash().encode())
    for name in (f"{paper}.py", "runner.py"):
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()[:16]


def run(name, experiment, data):
    """Runs and stores one; False when a command of the program failed (data that is missing is no failure)."""
    runner, seconds, failed = Runner(data), stopwatch(), False
    values, charts, skipped = {}, [], []
    try:
        experiment(runner, values, charts)
    except Missing as missing:
        skipped.append(f"{name}: {missing}")
    except RuntimeError as error:
        failed = True
        skipped.append(f"{name}: {error}")
    finally:
        runner.close()
    print(f"{name}: " + (f"{'failed' if failed else 'skipped'}, {skipped[0]}" if skipped else f"{seconds()} s, {runner.processor_seconds()} of the processor"), flush=True)
    result = {"key": key_of(name.split(".")[0]), "values": values, "charts": charts, "skipped": skipped,
              "commands": runner.commands, "seconds": seconds(), "processor": runner.processor_seconds(), "machine": machine()}
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(result))
    return not failed


def stored(paper, names):
    """The stored results of this very program for a paper's experiments, as one; None when there are none."""
    whole = {"values": {}, "charts": [], "skipped": [], "commands": [], "seconds": 0.0, "processor": 0.0, "machine": machine()}
    found = False
    for name in names:
        path = RESULTS / f"{name}.json"
        result = json.loads(path.read_text()) if path.exists() else None
        if result is None or result["key"] != key_of(paper):
            whole["skipped"].append(f"{name}: not run with this build of the program")
            continue
        found = True
        whole["values"].update(result["values"])
        for part in ("charts", "skipped", "commands"):
            whole[part] += result[part]
        whole["seconds"] += result["seconds"]
        whole["processor"] += result["processor"]
        whole["machine"] = result["machine"]
    return whole if found else None


def main():
    known = experiments()
    asked = sys.argv[1:] or PAPERS
    chosen = [name for name in known if name in asked or name.split(".")[0] in asked]
    unknown = [name for name in asked if name != "pages" and not any(name in (one, one.split(".")[0]) for one in known)]
    if unknown:
        sys.exit(f"no paper or experiment '{unknown[0]}'; there are {', '.join([*PAPERS, *known])}")
    for program in ("shoal", "enlarge", "synthetic"):
        if not (BUILD / program).exists():
            sys.exit(f"no build/{program}; `make reproduce` builds it")
    data = Path(os.environ.get("SHOAL_DATA", ROOT / ".." / "shared" / "data")).resolve()
    failed = [name for name in chosen if not run(name, known[name], data)]
    claims = json.loads((HERE / "claims.json").read_text())
    results = {paper: stored(paper, [name for name in known if name.startswith(paper + ".")]) for paper in PAPERS}
    print(pages.write(claims, results, ROOT / "docs"))
    if failed:
        sys.exit(f"a command failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
