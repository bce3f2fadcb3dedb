"""Li, Wong, Fu, Pei: Achieving k-anonymity by clustering in attribute hierarchical structures, 2006."""
from runner import mean

COLUMNS = "age,workclass,education,marital-status,occupation,race,sex,native-country,class".split(",")  # its Table 2, in order


def figure2(runner, values, charts):
    """Distortion ratio and time by number of quasi columns; k = 2 and 10; both kinds of weights."""
    table, trees = runner.table("adult/adult.csv"), runner.table("adult/hierarchies")
    for weights, beta in (("uniform", 0), ("height", 1)):
        ratios, all_seconds, rising = [], {"kaca": [], "incognito": []}, True
        for k in (2, 10):
            distortion, seconds = {"kaca": [], "incognito": []}, {"kaca": [], "incognito": []}
            for count in range(1, 10):
                flags = ["--quasi", ",".join(COLUMNS[:count]), "--hierarchies", trees, "--k", k]
                if beta:
                    flags += ["--distortion-beta", beta]
                for method, param in (("kaca", f"weights={weights}"), ("incognito", "measure=distortion")):
                    report = runner.anonymize(table, *flags, "--method", method, "--param", param)
                    distortion[method].append((count, report["measures"]["distortion_ratio"]))
                    seconds[method].append((count, report["timings"]["processor_search"]))
                    all_seconds[method].append(report["timings"]["processor_search"])
                ratios.append((distortion["kaca"][-1][1], distortion["incognito"][-1][1]))
            rising = rising and all(a <= b for (_, a), (_, b) in zip(distortion["kaca"], distortion["kaca"][1:]))
            charts.append({"title": f"Fig. 2: distortion ratio, k={k}, {weights} weights", "x": "quasi columns",
                           "y": "distortion ratio", "lines": distortion})
            if weights == "uniform":
                charts.append({"title": f"Fig. 2: seconds of the search, k={k}, {weights} weights", "x": "quasi columns", "y": "processor seconds",
                               "lines": seconds})
        values[f"{weights} times"] = mean(b for _, b in ratios) / mean(a for a, _ in ratios)
        values[f"{weights} lower"] = {"value": mean(a < b for a, b in ratios), "text": f"{sum(a < b for a, b in ratios)} of {len(ratios)}"}
        values[f"{weights} rising"] = {"value": rising, "text": "at k = 2 and 10" if rising else "not throughout"}
        values[f"{weights} seconds"] = mean(all_seconds["kaca"]) / mean(all_seconds["incognito"])
        half = len(ratios) // 2
        values[f"{weights} k"] = mean(a for a, _ in ratios[half:]) / mean(a for a, _ in ratios[:half])


def example(runner, values, charts):
    """The six rows of its Table 1."""
    table, flags = runner.case("cases/kaca/kaca1.yaml")
    measures = runner.anonymize(table, *flags)["measures"]
    values["example rate"] = 100 * measures["modification_rate"]
    values["example distortion"] = measures["distortion"]


EXPERIMENTS = [example, figure2]
