"""Kisilevich, Rokach, Elovici, Shapira: Efficient multidimensional suppression for k-anonymity, 2010."""
from runner import mean

EIGHT = "age,workclass,fnlwgt,occupation,sex,capital-gain,hours-per-week,native-country"
ELEVEN = EIGHT + ",education,education-num,marital-status"
FOURTEEN = ELEVEN + ",relationship,race,capital-loss"
SETS = {"14/14": FOURTEEN, "11/14": ELEVEN, "8/14": EIGHT}
KS = "50,100,250,500,750,1000"
LEARNERS = "c45,nb,logistic,part"
FURTHER = ["crx/crx", "german/german", "nursery/nursery", "car/car", "tic-tac-toe/tic-tac-toe", "waveform/waveform",
           "vote/vote", "breast-cancer-wisconsin/breast-cancer-wisconsin", "spambase/spambase"]


def compared(runner, methods, *more):
    """Every cell of Adult's three sets of quasi columns: (quasi set, the cell), kactus being the first method."""
    cells = []
    for name, quasi in SETS.items():
        _, _, whole = runner.evaluate(runner.table("adult/adult.csv"), "--quasi", quasi, "--target", "class", "--k", KS,
                                      "--learners", LEARNERS, "--methods", methods, "--reading", "values", *more)
        cells += [(name, cell) for cell in whole["results"]]
    return cells


def tell(cells, method, values, where):
    """Mean accuracy of kactus above `method`, and in how many sets the 5x2 F test says so, either way."""
    own = {(name, cell["learner"], cell["k"]): cell["anonymized"]["error"] for name, cell in cells if cell["method"] == "kactus"}
    theirs = [(name, cell) for name, cell in cells if cell["method"] == method]
    values[f"{where} {method} points"] = 100 * mean(cell["anonymized"]["error"] - own[(name, cell["learner"], cell["k"])]
                                                    for name, cell in theirs)
    told = [cell["above_first"]["points"] > 0 for _, cell in theirs if cell["against_first"]["p"] < 0.05]
    values[f"{where} {method} better"] = {"value": sum(told) / len(theirs), "text": f"{sum(told)} of {len(theirs)}"}
    values[f"{where} {method} worse"] = {"value": len(told) - sum(told), "text": f"{len(told) - sum(told)} of {len(theirs)}"}


def by_k(cells, title):
    lines = {}
    for _, cell in cells:
        if cell["method"] != "kadet":
            lines.setdefault(cell["method"], {}).setdefault(cell["k"], []).append(100 * cell["anonymized"]["error"])
    return {"title": title, "x": "k", "y": "mean error, %",
            "lines": {method: [(k, mean(errors)) for k, errors in sorted(points.items())] for method, points in lines.items()}}


def with_trees(runner, values, charts):
    """Tables 3 and 5."""
    cells = compared(runner, "kactus,tds,tdr,mondrian,kadet", "--hierarchies", runner.table("adult/hierarchies"), "--numeric", "age")
    for method in ("tds", "tdr", "kadet"):
        tell(cells, method, values, "Table 3")
    tell(cells, "mondrian", values, "Table 5")
    charts.append(by_k(cells, "Tables 3 and 5: mean over learners and quasi sets"))


def by_suppression(runner, values, charts):
    """Table 4: nobody has trees, so that values are suppressed or kept (numbers: tds and tdr grow intervals)."""
    cells = compared(runner, "kactus,tds,tdr")
    for method in ("tds", "tdr"):
        tell(cells, method, values, "Table 4")
    charts.append(by_k(cells, "Table 4, without trees: mean over learners and quasi sets"))


def further_sets(runner, values, charts):
    """Table 2: kactus on nine more sets, all columns quasi."""
    ks = [10, 25, 50, 100]
    means, raw, changes = {k: [] for k in ks}, [], {}
    for name in FURTHER:
        table = runner.table(name + ".csv")
        with open(table, encoding="utf-8") as file:
            header = file.readline().strip().split(",")
        errors, baselines, _ = runner.evaluate(table, "--quasi", ",".join(header[:-1]), "--target", header[-1], "--missing", "?",
                                               "--k", ",".join(map(str, ks)), "--learners", LEARNERS, "--methods", "kactus",
                                               "--reading", "values")
        for learner, (be, _) in baselines.items():
            raw.append(be)
            for k in ks:
                means[k].append(errors[("kactus", learner, k)])
            changes[(name, learner)] = mean(errors[("kactus", learner, k)] for k in ks) - be
    line = [(1, mean(raw))] + [(k, mean(means[k])) for k in ks]
    rises = all(a <= b for (_, a), (_, b) in zip(line, line[1:]))
    values["Table 2 rises"] = {"value": rises, "text": ", ".join(f"k={k}: {error:.2f} %" for k, error in line)}
    values["Table 2 crx logistic"] = changes[("crx/crx", "logistic")]
    values["Table 2 crx c45"] = changes[("crx/crx", "c45")]
    charts.append({"title": "Table 2: kactus on nine sets, mean over sets and learners (k=1: raw)", "x": "k", "y": "mean error, %",
                   "lines": {"kactus": line}})


def growth(runner, values, charts):
    """Table 6: k=150, 7 quasi columns; processor seconds of the search, least of two."""
    quasi = "age,education-num,marital-status,relationship,capital-gain,sex,hours-per-week"
    line = []
    for times in (1, 5, 15, 30):
        table = runner.enlarged(runner.table("adult/adult.csv"), 45222 * times)
        line.append((45222 * times, min(runner.search_seconds(table, "--quasi", quasi, "--target", "class", "--method",
                                                              "kactus", "--k", 150) for _ in range(2))))
        table.unlink()
    values["Table 6 seconds"] = line[-1][1]
    values["Table 6 growth"] = (line[-1][1] / line[1][1]) / (line[-1][0] / line[1][0])
    charts.append({"title": "Table 6: kactus, seconds of the search by rows, k=150", "x": "rows", "y": "processor seconds", "numeric": True,
                   "lines": {"kactus": line}})


EXPERIMENTS = [with_trees, by_suppression, further_sets, growth]
