"""Every model's value that `shoal measure` prints for a release, beside what pyCANON computes from the same file.

Usage: compare_pycanon.py PROGRAM INPUT. Prints a line per release and column; exit code 1 where a value differs.

Left out, because pyCANON 1.3.6 computes something else there (docs/models.md): recursive (c,l)-diversity, whose counts it
sorts upwards; enhanced beta-likeness, which it takes over all values at once; delta-disclosure where a group lacks a value,
which it skips; rows with missing quasi cells, which it drops. Its entropy l is a whole number, rounded down.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import pandas
from pycanon import anonymity

QUASI = ["age", "sex", "zip", "education"]
SENSITIVE = ["income", "hours", "occupation"]
METHODS = ["mondrian", "shoal", "kaca", "top-down", "incognito"]
FINDINGS = ["near-unique", "reveals", "order", "one-value", "tight", "formula", "types"]


def shoal(program, *arguments):
    run = subprocess.run([program, *arguments, "--quiet"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"shoal {' '.join(arguments)}: exit {run.returncode}\n{run.stderr}")


def measured(program, release, original, folder):
    """What `shoal measure` says about each sensitive column after recoding."""
    file = os.path.join(folder, "measures.json")
    shoal(program, "measure", release, "--original", original, "--quasi", ",".join(QUASI), "--sensitive",
          ",".join(SENSITIVE), "--numeric", "age", "--k", "1", "--json", file)
    with open(file) as text:
        document = json.load(text)
    return {column["column"]: column["after"] for column in document["sensitive"]}, document["risk"]


def different(ours, theirs):
    return ours is None or not math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12)


def compare(release, ours, column, is_number):
    """The names of the models that differ."""
    frame = pandas.read_csv(release, dtype={name: str for name in QUASI}, keep_default_na=False)
    if not is_number:
        frame[column] = frame[column].astype(str)
    asked = (frame, QUASI, [column])
    wrong = []
    if different(ours["distinct-l"], anonymity.l_diversity(*asked)):
        wrong.append("distinct-l")
    if different(ours["confidence"], anonymity.alpha_k_anonymity(*asked)[0]):
        wrong.append("confidence")
    if int(ours["entropy-l"] + 1e-9) != anonymity.entropy_l_diversity(*asked) and \
            int(ours["entropy-l"] - 1e-9) != anonymity.entropy_l_diversity(*asked):
        wrong.append("entropy-l")
    if different(ours["beta-likeness"], anonymity.basic_beta_likeness(*asked)):
        wrong.append("beta-likeness")
    ordered = next((value for name, value in ours.items() if name.startswith("t-closeness") and "ordered" in name), None)
    t = anonymity.t_closeness(*asked)
    if different(ordered if is_number else ours["t-closeness"], t):
        wrong.append("t-closeness")
    if ours["delta-disclosure"] is not None:  # no group lacks a value
        if different(ours["delta-disclosure"], anonymity.delta_disclosure(*asked) / math.log(2)):
            wrong.append("delta-disclosure")
    return wrong


def main():
    program, original = sys.argv[1:3]
    failed, compared = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        rows = pandas.read_csv(original, dtype=str, keep_default_na=False)
        for seed, method in enumerate(METHODS):
            part = os.path.join(folder, "table.csv")
            rows.sample(600, random_state=seed).to_csv(part, index=False)
            k = random.Random(seed).choice([3, 10, 60])
            release = os.path.join(folder, "release.csv")
            accept = [flag for code in FINDINGS for flag in ("--accept", code)]
            shoal(program, "anonymize", part, "-o", release, "--quasi", ",".join(QUASI), "--sensitive",
                  ",".join(SENSITIVE), "--numeric", "age", "--k", str(k), "--method", method, "--order", "input", *accept)
            ours, risk = measured(program, release, part, folder)
            frame = pandas.read_csv(release, dtype=str, keep_default_na=False)
            if anonymity.k_anonymity(frame, QUASI) != frame.groupby(QUASI).size().min():
                sys.exit("pyCANON counts groups in another way")
            for column in SENSITIVE:
                wrong = compare(release, ours[column], column, column == "hours")
                compared += 1
                failed += bool(wrong)
                print(f"{method} k={k} {column}: {'differs in ' + ', '.join(wrong) if wrong else 'the same'}")
    print(f"{compared} columns compared with pyCANON, {failed} differ")
    sys.exit(1 if failed or compared == 0 else 0)


if __name__ == "__main__":
    main()
