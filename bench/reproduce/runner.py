"""Runs the program for one paper's experiments and keeps what was run."""
import hashlib
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SHOAL_BUILD", ROOT / "build"))  # where the programs are
THREADS = 2
SEED = 1


class Missing(Exception):
    """Something that an experiment needs is not there; says what."""


class Runner:
    """One paper's runs: commands as typed, with DATA and WORK for the two folders."""

    def __init__(self, data):
        self.data = Path(data)
        self.work = Path(tempfile.mkdtemp(prefix="shoal-reproduce-"))
        self.commands = []
        self.before = children_seconds()

    def processor_seconds(self):
        """Of all commands so far: user and system time of all their threads."""
        return round(children_seconds() - self.before, 1)

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def table(self, name):
        path = self.data / name
        if not path.exists():
            raise Missing(f"no {name} in the data folder")
        return path

    def run(self, program, *arguments):
        """Runs build/PROGRAM; what it prints is of no use here. Raises with its own words when it fails."""
        words = [str(word) for word in arguments]
        shown = " ".join(f"'{word}'" if set(word) & set(" *?;()[]") else word for word in words)
        self.commands.append(f"{program} {shown}".replace(str(self.data), "DATA").replace(str(self.work), "WORK"))
        done = subprocess.run([BUILD / program, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self.commands[-1]}\n  ended with code {done.returncode}: {done.stderr.strip()}")

    def shoal(self, command, *arguments):
        """The JSON report of a command of the program."""
        report = self.work / "report.json"
        self.run("shoal", command, *arguments, "--threads", THREADS, "--json", report, "--quiet")
        return json.loads(report.read_text())

    def anonymize(self, table, *arguments, release="release.csv"):
        return self.shoal("anonymize", table, "-o", self.work / release, "--seed", SEED, *arguments)

    def search_seconds(self, table, *arguments):
        """Processor seconds that the search for one release takes: others on the machine change little about them."""
        return self.anonymize(table, *arguments)["timings"]["processor_search"]

    def evaluate(self, table, *arguments):
        """(errors, baselines, whole): errors[method, learner, k] and baselines[learner] = (BE, UE), in percent."""
        whole = self.shoal("evaluate", table, "--seed", SEED, *arguments)["evaluations"][0]
        errors = {(cell["method"], cell["learner"], cell["k"]): 100 * cell["anonymized"]["error"]
                  for cell in whole["results"]}
        baselines = {line["learner"]: (100 * line["raw"]["error"], 100 * line["without_quasi"]["error"])
                     for line in whole["baselines"]}
        return errors, baselines, whole

    def enlarged(self, table, rows):
        """The table enlarged as section 5.3 of the TDR paper says (bench/enlarge.cpp), seed 1."""
        path = self.work / f"enlarged_{rows}.csv"
        if not path.exists():
            self.run("enlarge", table, path, rows, SEED)
        return path

    def case(self, name):
        """A worked example (cases/README.md) as files: the table (each row as often as its count says), trees, the job."""
        parts = blocks((ROOT / name).read_text())
        folder = self.work / name.replace("/", "_").removesuffix(".yaml")
        folder.mkdir(exist_ok=True)
        lines = parts["table"].strip().split("\n")
        counted = lines[0].endswith(",#")
        rows = [lines[0][:-2] if counted else lines[0]]
        for line in lines[1:]:
            cells, count = line.rsplit(",", 1) if counted else (line, 1)
            rows += [cells] * int(count)
        (folder / "table.csv").write_text("\n".join(rows) + "\n")
        trees = []
        for column, tree in blocks(parts.get("hierarchies", "")).items():
            (folder / f"{column}.txt").write_text(tree)
            trees += ["--hierarchy", f"{column}={folder / column}.txt"]
        (folder / "job.yaml").write_text(parts["job"])
        return folder / "table.csv", ["--job", folder / "job.yaml", *trees]


def blocks(text):
    """Top-level keys of a YAML text and what stands below each, unindented; enough for the files of cases/."""
    found, key = {}, None
    for line in text.split("\n"):
        if line and not line[0].isspace():
            key, rest = line.split(":", 1)
            found[key] = "" if rest.strip() in ("", "|", ">") else rest.strip() + "\n"
        elif key is not None and line.strip():
            found[key] += line[2:] + "\n"
    return found


def program_hash():
    return hashlib.sha256((BUILD / "shoal").read_bytes()).hexdigest()[:16]


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def machine():
    return {"cores": os.cpu_count()}


def stopwatch():
    start = time.monotonic()
    return lambda: round(time.monotonic() - start, 1)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def at_every(pairs, holds):
    """For claims "at every k": pairs is {k: ...}; how many keep it, as a value with words for the page."""
    kept = [k for k, value in pairs.items() if holds(value)]
    lost = [str(k) for k in pairs if k not in kept]
    return {"value": len(kept) / len(pairs), "text": f"{len(kept)} of {len(pairs)}" + (f" (not {', '.join(lost)})" if lost else "")}
