"""Arca, Hewett: HeuristicMin (AI4P 2020 and its journal version)."""


def accuracy(runner, case, method):
    """Naive Bayes on the release, 10 folds: all rows are anonymized, then split, every released text a category."""
    table, flags = runner.case(case)
    numbers = ["--categorical", "age" if "hm3" in case else "hrs"]
    _, _, whole = runner.evaluate(table, *flags, *numbers, "--methods", method, "--learners", "nb", "--folds", 10,
                                  "--protocol", "joint", "--reading", "values")
    return 100 - 100 * whole["results"][0]["anonymized"]["error"]


def sizes(runner, values, charts):
    """The worked examples: rows kept, states generated, precision."""
    for case in ("heuristicmin/hm1", "heuristicmin/hm2", "heuristicmin/hm3", "allmin/hm1", "mingen/hm1_alike", "tds/tdr1",
                 "tds/hm3", "bug/hm3", "optimal-cut/hm2"):
        table, flags = runner.case(f"cases/{case}.yaml")
        report = runner.anonymize(table, *flags)
        values[case + " rows"] = report["measures"]["rows"]
        values[case + " prec"] = report["measures"]["prec"]
        values[case + " generated"] = report["search"]["generated"]


def learning(runner, values, charts):
    """Cases 1 to 3: accuracy of naive Bayes after each method. For tds in case 3 the intervals are the values of age."""
    for name, case, methods in (("Case 1", "bench/reproduce/case1.yaml", ("heuristicmin", "tds")),
                                ("Case 2", "cases/heuristicmin/hm2.yaml", ("heuristicmin", "tds")),
                                ("Case 3", "cases/heuristicmin/hm3.yaml", ("heuristicmin", "bug")),
                                ("Case 3", "cases/tds/hm3.yaml", ("tds",))):
        for method in methods:
            values[f"{name} {method}"] = accuracy(runner, case, method)


EXPERIMENTS = [sizes, learning]
