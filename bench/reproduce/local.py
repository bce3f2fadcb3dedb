"""Xu, Wang, Pei, Wang, Shi, Fu: Utility-based anonymization using local recoding, 2006."""
from runner import at_every, mean

METHODS = ["mondrian", "top-down", "bottom-up"]
KS = [2, 5, 10, 25, 50, 100]
# As section 5.1 has it: age and the level of education are numbers, two columns have trees, the others one root.
QUASI = "age,workclass,education-num,marital-status,occupation,race,sex,native-country"


def queries(runner, table, flags, *asked):
    report = runner.shoal("measure", runner.work / "release.csv", "--original", table, *flags, "--queries", 1000, "--seed", 1, *asked)
    return report["query_error"]


def adult(runner, values, charts):
    """Figures 6, 7 and 8, and the run times."""
    table = runner.table("adult/adult_train.csv")
    trees = runner.table("adult/hierarchies")
    flags = ["--quasi", QUASI, "--numeric", "age,education-num"]
    for name in ("workclass", "marital-status"):
        flags += ["--hierarchy", f"{name}={trees / f'adult_hierarchy_{name}.csv'}"]
    found = {measure: {method: {} for method in METHODS} for measure in ("ncp", "dm", "count", "sum", "seconds")}
    for method in METHODS:
        for k in KS:
            report = runner.anonymize(table, *flags, "--k", k, "--method", method)
            errors = queries(runner, table, [*flags, "--k", k], "--query-sum", "age")
            found["ncp"][method][k] = report["measures"]["ncp"]
            found["dm"][method][k] = report["measures"]["dm"]
            found["count"][method][k] = errors["count"]["mean"]
            found["sum"][method][k] = errors["sum"]["mean"]
            found["seconds"][method][k] = report["timings"]["processor_search"]
    for measure in ("ncp", "dm", "count", "sum"):
        for method in ("top-down", "bottom-up"):
            values[f"{measure} {method}"] = at_every({k: found[measure][method][k] - found[measure]["mondrian"][k] for k in KS},
                                                     lambda difference: difference < 0)
    values["gap"] = mean(found["ncp"]["mondrian"][k] - found["ncp"]["top-down"][k] for k in KS)
    average = {method: mean(found["seconds"][method].values()) for method in METHODS}
    values["top-down/mondrian"] = average["top-down"] / average["mondrian"]
    values["bottom-up/top-down"] = average["bottom-up"] / average["top-down"]
    values["seconds"] = {"value": average["bottom-up"], "text": ", ".join(f"{average[m]:.2f} s {m}" for m in METHODS)}
    for measure, title in (("ncp", "Fig. 6: certainty penalty (NCP)"), ("dm", "Fig. 7: discernability (DM)"),
                           ("count", "Fig. 8: mean error of COUNT queries"), ("sum", "Fig. 8: mean error of SUM queries")):
        charts.append({"title": title, "x": "k", "y": measure, "log": measure == "dm",
                       "lines": {method: list(found[measure][method].items()) for method in METHODS}})


def weights(runner, values, charts):
    """Figure 9: 10,000 rows, four columns of 1..16, k=10, weights 8, 4, 2, 1."""
    groups = ["A1", "A1,A2", "A1,A2,A3", "A1,A2,A3,A4"]
    lower = {}
    for kind in ("uniform", "gaussian"):
        table = runner.work / f"{kind}.csv"
        runner.run("synthetic", table, 10000, 4, kind, 1)
        lines = {}
        for method in ("top-down", "bottom-up"):
            for weighted in (False, True):
                flags = ["--quasi", groups[-1], "--numeric", groups[-1], "--k", 10]
                if weighted:
                    flags += ["--weight", "A1=8", "--weight", "A2=4", "--weight", "A3=2"]
                runner.anonymize(table, *flags, "--method", method)
                errors = [queries(runner, table, flags, "--query-columns", asked)["count"]["mean"] for asked in groups]
                lines[f"{method}{', weighted' if weighted else ''}"] = list(zip(groups, errors))
            plain, heavy = lines[method], lines[f"{method}, weighted"]
            for (asked, a), (_, b) in zip(plain, heavy):
                lower[f"{kind} {method} {asked.replace(',', ' ')}"] = b - a
        charts.append({"title": f"Fig. 9: mean error of COUNT queries, {kind}", "x": "columns asked", "y": "error", "lines": lines})
    named = {name: value for name, value in lower.items() if "A4" not in name}
    values["Fig. 9 weighted"] = at_every(named, lambda difference: difference < 0)
    values["Fig. 9 all"] = at_every({name: value for name, value in lower.items() if "A4" in name}, lambda difference: difference > 0)


def dimensions(runner, values, charts):
    """Figures 10 and 11: 10,000 rows, uniform, 2 to 10 columns, k=10."""
    ncp, dm = {method: [] for method in METHODS}, {method: [] for method in METHODS}
    for count in (2, 4, 6, 8, 10):
        table = runner.work / "dimensions.csv"
        runner.run("synthetic", table, 10000, count, "uniform", 1)
        names = ",".join(f"A{i}" for i in range(1, count + 1))
        for method in METHODS:
            measures = runner.anonymize(table, "--quasi", names, "--numeric", names, "--k", 10, "--method", method)["measures"]
            ncp[method].append((count, measures["ncp"]))
            dm[method].append((count, measures["dm"]))
    for name, found in (("Fig. 10", ncp), ("Fig. 11", dm)):
        for method in ("top-down", "bottom-up"):
            values[f"{name} {method}"] = at_every({f"{count} columns": own - theirs for (count, own), (_, theirs)
                                                   in zip(found[method], found["mondrian"])}, lambda difference: difference < 0)
    charts.append({"title": "Fig. 10: NCP by number of columns, k=10", "x": "columns", "y": "ncp", "lines": ncp})
    charts.append({"title": "Fig. 11: DM by number of columns, k=10", "x": "columns", "y": "dm", "lines": dm})


def growth(runner, values, charts):
    """Figure 12: uniform, 4 columns, k=10; processor seconds of the search, least of two runs."""
    seconds = {method: [] for method in METHODS}
    for rows in (20000, 40000, 60000, 80000, 100000):
        table = runner.work / "growth.csv"
        runner.run("synthetic", table, rows, 4, "uniform", 1)
        for method in METHODS:
            flags = ["--quasi", "A1,A2,A3,A4", "--numeric", "A1,A2,A3,A4", "--k", 10, "--method", method]
            seconds[method].append((rows, min(runner.search_seconds(table, *flags) for _ in range(2))))
    values["Fig. 12"] = seconds["top-down"][-1][1] / seconds["mondrian"][-1][1]
    charts.append({"title": "Fig. 12: seconds of the search by rows", "x": "rows", "y": "processor seconds", "numeric": True, "log": True,
                   "lines": seconds})


EXPERIMENTS = [adult, weights, dimensions, growth]
