"""Fung, Wang, Yu: Anonymizing classification data for privacy preservation, 2007."""
import csv
import random

from runner import at_every, mean

ADULT = {
    "Top5": "age,education-num,marital-status,relationship,capital-gain",
    "Top7": "age,education-num,marital-status,relationship,capital-gain,sex,hours-per-week",
    "Top9": "age,education-num,marital-status,relationship,capital-gain,sex,hours-per-week,education,occupation",
}
CRX = {"Top5": "A9,A11,A10,A8,A15", "Top7": "A9,A11,A10,A8,A15,A7,A14", "Top9": "A9,A11,A10,A8,A15,A7,A14,A6,A5"}
GERMAN = {
    "Top5": "credit-amount,status,duration,credit-history,savings",
    "Top7": "credit-amount,status,duration,credit-history,savings,installment-rate,purpose",
    "Top9": "credit-amount,status,duration,credit-history,savings,installment-rate,purpose,debtors,property",
}
ALL14 = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
         "capital-loss,hours-per-week,native-country").split(",")
IYENGAR = "age,workclass,education,marital-status,occupation,race,sex,native-country"
KS = [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 300, 400, 500, 600, 700, 800, 900, 1000]


def joint(runner, train, test, quasi, ks, *more):
    """Errors under the paper's protocol: all rows are masked together, then split as the authors did."""
    return runner.evaluate(train, "--test", test, "--quasi", quasi, "--target", "class", "--k", ",".join(map(str, ks)),
                           "--methods", "tdr", "--protocol", "joint", "--reading", "values", *more)


def curves(result, learner, values, charts, where, largest):
    """A figure's chart, and the greatest AE - BE of each set up to k = largest."""
    lines = {}
    for name, (errors, baselines, _) in result.items():
        points = {k: error for (_, who, k), error in errors.items() if who == learner}
        lines[name] = sorted(points.items())
        values[f"{where} {name} BE"], values[f"{where} {name} UE"] = baselines[learner]
        values[f"{where} {name} worst"] = max(error for k, error in points.items() if k <= largest) - baselines[learner][0]
    lines["BE"] = [(k, values[f"{where} Top7 BE"]) for k, _ in lines["Top7"]]
    lines["UE of Top7"] = [(k, values[f"{where} Top7 UE"]) for k, _ in lines["Top7"]]
    charts.append({"title": f"{where}: error of {learner} by k", "x": "k", "y": "error, %", "lines": lines})


def adult(runner, values, charts):
    train, test = runner.table("adult/adult_train.csv"), runner.table("adult/adult_test.csv")
    trees = ["--hierarchies", runner.table("adult/hierarchies"), "--numeric", "age"]
    suppressed = {name: joint(runner, train, test, quasi, KS, "--learners", "c45") for name, quasi in ADULT.items()}
    curves(suppressed, "c45", values, charts, "Fig. 5", 1000)
    generalised = {name: joint(runner, train, test, quasi, KS, "--learners", "c45,nb", *trees) for name, quasi in ADULT.items()}
    curves(generalised, "c45", values, charts, "Fig. 6a", 600)
    curves(generalised, "nb", values, charts, "Fig. 6b", 1000)
    below = {f"{name} k={k}": error - values[f"Fig. 6b {name} BE"] for name in ("Top5", "Top7")
             for (_, who, k), error in generalised[name][0].items() if who == "nb"}
    values["Fig. 6b below BE"] = at_every(below, lambda value: value < 0)
    at500 = generalised["Top7"][0][("tdr", "c45", 500)] - generalised["Top7"][1]["c45"][0]
    values["Top7 k=500 AE-BE"] = at500


def intervals(runner, values, charts):
    """Figure 7 and the closer look at k = 500: what the recoding of Top7 shows."""
    recoding = runner.work / "recoding.json"
    flags = ["--quasi", ADULT["Top7"], "--target", "class", "--others", "plain", "--method", "tdr", "--recoding", recoding,
             "--accept", "reveals", "--accept", "near-unique"]
    runner.anonymize(runner.table("adult/adult.csv"), *flags, "--k", 60)
    shown = {}
    with open(runner.work / "release.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for name in ("education-num", "hours-per-week"):
                shown.setdefault(name, set()).add(row[name])
    borders = lambda name: sorted({float(end) for cell in shown[name] if cell[0] in "[(" for end in cell.strip("[]()").split(",")})
    values["Fig. 7 education-num"] = {"value": 13 in borders("education-num"), "text": " ".join(sorted(shown["education-num"]))}
    values["Fig. 7 hours-per-week"] = {"value": True, "text": " ".join(sorted(shown["hours-per-week"]))}
    report = runner.anonymize(runner.table("adult/adult.csv"), *flags, "--k", 500, "--hierarchies",
                              runner.table("adult/hierarchies"), "--numeric", "age")
    values["time of one release"] = report["timings"]["processor_total"]
    masked = {}
    with open(runner.work / "release.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for name in ADULT["Top7"].split(","):
                masked[name] = masked.get(name, True) and row[name] == "*"
    away = [name for name, all_masked in masked.items() if all_masked]
    values["Top7 k=500 masked"] = {"value": len(away), "text": f"{len(away)}: " + (", ".join(away) or "none")}


def small_tables(runner, values, charts):
    for where, folder, sets, largest in (("Fig. 9a CRX", "crx/crx", CRX, 300), ("Fig. 9b German", "german/german", GERMAN, 100)):
        ks = [20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 300, 400, 500, 600]
        result = {name: joint(runner, runner.table(folder + "_train.csv"), runner.table(folder + "_test.csv"), quasi, ks,
                              "--learners", "c45") for name, quasi in sets.items()}
        curves(result, "c45", values, charts, where, largest)


def random_requirements(count, draw):
    """As section 5.1 draws them: 3 to 7 sets of one length, 2 to 9, no set twice."""
    found = []
    for _ in range(count):
        sets, length = draw.randint(3, 7), draw.randint(2, 9)
        chosen = set()
        while len(chosen) < sets:
            chosen.add(tuple(sorted(draw.sample(ALL14, length))))
        found.append(sorted(chosen))
    return found


def several(runner, values, charts):
    """Figure 8: 30 random sets of requirements, and one over all their columns."""
    train, test = runner.table("adult/adult_train.csv"), runner.table("adult/adult_test.csv")
    points = []
    for sets in random_requirements(30, random.Random(1)):
        columns = ",".join(name for name in ALL14 if any(name in one for one in sets))
        flags = ["--test", test, "--target", "class", "--quasi", columns, "--methods", "tdr", "--learners", "c45",
                 "--protocol", "joint", "--reading", "values"]
        asked = [word for one in sets for word in ("--require", ",".join(one) + ":100")]
        apart = list(runner.evaluate(train, *flags, *asked)[0].values())[0]
        united = list(runner.evaluate(train, *flags, "--k", 100)[0].values())[0]
        points.append((apart, united))
    values["Fig. 8 lower"] = {"value": mean(a < b for a, b in points), "text": f"{sum(a < b for a, b in points)} of 30 "
                              f"({sum(a == b for a, b in points)} equal)"}
    values["Fig. 8 mean"] = mean(b - a for a, b in points)
    charts.append({"title": "Fig. 8: several requirements and their union, c45, k=100", "x": "error with several, %",
                   "y": "error with the union, %", "points": points, "diagonal": True})


def genetic(runner, values, charts):
    """Figure 10: tdr and Iyengar's genetic algorithm by LM and CM; 10 folds, only his eight columns."""
    table = runner.table("adult/adult_train.csv")
    others = ",".join(name for name in ALL14 if name not in IYENGAR.split(","))
    ks = [10, 50, 100, 250, 500]
    flags = ["--quasi", IYENGAR, "--identifier", others, "--target", "class", "--k", ",".join(map(str, ks)), "--learners",
             "c45", "--folds", 10, "--protocol", "train-only", "--reading", "values", "--hierarchies",
             runner.table("adult/hierarchies"), "--numeric", "age"]
    loss, _, _ = runner.evaluate(table, *flags, "--methods", "tdr,genetic", "--param", "genetic.objective=lm")
    by_class, _, _ = runner.evaluate(table, *flags, "--methods", "genetic", "--param", "objective=cm")
    line = lambda errors, method: [(k, errors[(method, "c45", k)]) for k in ks]
    lines = {"tdr": line(loss, "tdr"), "genetic, LM": line(loss, "genetic"), "genetic, CM": line(by_class, "genetic")}
    average = {name: mean(error for _, error in points) for name, points in lines.items()}
    values["Fig. 10 LM-tdr"] = average["genetic, LM"] - average["tdr"]
    values["Fig. 10 CM-tdr"] = average["genetic, CM"] - average["tdr"]
    charts.append({"title": "Fig. 10: tdr and the genetic algorithm, c45", "x": "k", "y": "error, %", "lines": lines})


def growth(runner, values, charts):
    """Figure 11: processor seconds of the search; all 14 columns (least of two runs), and five random sets of requirements (mean)."""
    adult_table = runner.table("adult/adult.csv")
    trees = ["--hierarchies", runner.table("adult/hierarchies"), "--numeric", "age"]
    flags = ["--quasi", ",".join(ALL14), "--target", "class", "--method", "tdr", *trees]
    one, many = [], []
    for rows in (200000, 600000, 1000000):
        table = runner.enlarged(adult_table, rows)
        one.append((rows, min(runner.search_seconds(table, *flags, "--k", 50) for _ in range(2))))
        seconds = []
        for sets in random_requirements(5, random.Random(1)):
            asked = [word for names in sets for word in ("--require", ",".join(names) + ":50")]
            seconds.append(runner.search_seconds(table, *flags, *asked))
        many.append((rows, mean(seconds)))
        table.unlink()
    values["Fig. 11 seconds"] = one[-1][1]
    values["Fig. 11 growth"] = one[-1][1] / one[0][1]
    values["Fig. 11 several/one"] = many[-1][1] / one[-1][1]
    charts.append({"title": "Fig. 11: tdr, seconds of the search by rows, k=50", "x": "rows", "y": "processor seconds", "numeric": True,
                   "lines": {"one requirement, 14 columns": one, "several requirements": many}})


EXPERIMENTS = [adult, intervals, small_tables, several, genetic, growth]
