"""docs/reproduction.md, docs/reproduction.html and the plots, from the claims and the results."""
import os
from collections import Counter
from html import escape

from charts import svg
from verdicts import DIFFERENT, DIRECTION, NOT_RUN, SAME, SHOWN, in_words, judge

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:78rem;margin:0 auto;padding:1rem;color:#1d232a}
h1{font-size:1.7rem}h2{margin-top:2.5rem;border-top:2px solid #1b5e8c;padding-top:.6rem;font-size:1.3rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{border-bottom:1px solid #d5dbe1;padding:.35rem .5rem;text-align:left;vertical-align:top}th{background:#eef3f7}
.claims{min-width:64rem}.claims td:nth-child(1){min-width:15rem}.claims td:nth-child(2){white-space:nowrap}.claims td:nth-child(5){color:#5a6470;min-width:10rem}
.mark{white-space:nowrap;font-weight:600}.same{color:#1f6d2f}.direction{color:#7a5a00}.not{color:#a32020}.quiet{color:#5a6470}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:1rem;margin-top:1rem}
.plots svg{width:100%;height:auto;border:1px solid #d5dbe1}pre{overflow-x:auto;background:#f5f7f9;padding:.6rem;font-size:.8rem}
@media print{details{display:none}.plots{grid-template-columns:1fr 1fr}}
"""
CLASSES = {SAME: "same", DIRECTION: "direction", DIFFERENT: "not", SHOWN: "quiet", NOT_RUN: "quiet"}
INTRO = ("Every claim of the five papers that Shoal's methods come from, run again: the paper's number, ours, and whether they are "
         "the same by a rule that was written down before anything ran (bench/reproduce/claims.json). `make reproduce` makes this "
         "page, `make reproduce PAPER=tdr` one paper's part of it. Nothing was tuned to a result; claims that are not met say so.")
WORDS = {SAME: "the rule is kept", DIRECTION: "the claim holds, the number is another",
         DIFFERENT: "the rule is not kept", SHOWN: "no rule: a time of then, or no number in the paper", NOT_RUN: "why is said"}


def number(value, unit):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) or abs(value) >= 1000:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.2f}"
    return f"{text} {unit}" if unit in ("%", "s", "points", "times") else text


def line_of(claim, result):
    """(claim, where, paper's, ours, rule, verdict, why)"""
    why = claim["why"]
    verdict, ours = NOT_RUN, "-"
    if claim["value"] is None:
        pass  # its own words say why
    elif result is None:
        why = "not run with this build of the program"
    elif claim["value"] in result["values"]:
        found = result["values"][claim["value"]]
        value, words = (found["value"], found["text"]) if isinstance(found, dict) else (found, None)
        if words and (len(words) > 90 or words.startswith("0 of ")):
            words = words.split(" (")[0]  # of many points, or all of them, only how many
        verdict, ours = judge(claim["rule"], value), words or number(value, claim["unit"])
        if verdict == SAME and not claim.get("always"):
            why = ""
    else:
        why = "its experiment was not run or did not end (named above)" if result["skipped"] else "no result"
    return [claim["claim"], claim["where"], claim["paper"], ours, in_words(claim["rule"]), verdict, why]


def file_name(paper, chart):
    kept = "".join(c if c.isalnum() else "-" for c in chart["title"].split(", c45")[0].lower())
    return f"{paper}-{'-'.join(part for part in kept.split('-') if part)[:60]}.svg"


def run_words(result):
    """What one paper, or all of them together, took."""
    return (f"{len(result['commands'])} commands, {result['processor'] / 60:.1f} minutes of processor time: "
            f"{result['processor'] / 60 / result['machine']['cores']:.1f} minutes of {result['machine']['cores']} cores that do nothing else.")


HEADINGS = ["claim", "where", "the paper", "ours", "rule", "verdict", "why"]


def markdown_part(paper, part, lines, result):
    text = [f"## {part['title']}", "", *[f"- {setting}" for setting in part["settings"]], ""]
    if result:
        text += [run_words(result), ""]
        text += [f"**Skipped**: {words}" for words in result["skipped"]] + ([""] if result["skipped"] else [])
    text += ["| " + " | ".join(HEADINGS) + " |", "|" + "---|" * len(HEADINGS)]
    text += ["| " + " | ".join(cell.replace("|", "\\|").replace("*", "\\*") if i != 5 else f"**{cell}**" for i, cell in enumerate(line)) + " |" for line in lines]
    text.append("")
    for chart in result["charts"] if result else []:
        text += [f"![{chart['title']}](reproduction/{file_name(paper, chart)})", ""]
    return text


def with_code(text):
    """Escaped, what stands in backticks as code."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


def html_part(part, lines, result):
    text = [f"<h2>{escape(part['title'])}</h2><ul>", *[f"<li>{with_code(setting)}</li>" for setting in part["settings"]], "</ul>"]
    if result:
        text.append(f"<p class=quiet>{escape(run_words(result))}</p>")
        text += [f"<p><b>Skipped</b>: {escape(words)}</p>" for words in result["skipped"]]
    text.append("<div class=scroll><table class=claims><tr>" + "".join(f"<th>{heading}</th>" for heading in HEADINGS) + "</tr>")
    for line in lines:
        cells = "".join(f'<td class="mark {CLASSES[cell]}">{cell}</td>' if i == 5 else f"<td>{escape(cell)}</td>" for i, cell in enumerate(line))
        text.append(f"<tr>{cells}</tr>")
    text.append("</table></div>")
    if result:
        text.append('<div class="plots">' + "".join(svg(chart) for chart in result["charts"]) + "</div>")
        commands = escape("\n".join(result["commands"]))
        text.append(f"<details><summary>All {len(result['commands'])} commands</summary><pre>{commands}</pre></details>")
    return text


def together(results):
    """All results as one, for run_words(); None when there are none."""
    found = [result for result in results.values() if result]
    return found and {"commands": [command for result in found for command in result["commands"]],
                      "processor": sum(result["processor"] for result in found), "machine": found[0]["machine"]}


def summary(all_lines):
    rows = []
    for paper, lines in all_lines.items():
        counts = Counter(line[5] for line in lines)
        rows.append([paper] + [str(counts[verdict]) for verdict in WORDS])
    counts = Counter(line[5] for lines in all_lines.values() for line in lines)
    return rows + [["all"] + [str(counts[verdict]) for verdict in WORDS]]


def replace(path, text):
    beside = path.with_suffix(path.suffix + ".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def write(claims, results, folder):
    """Writes both pages; returns words for the terminal."""
    all_lines = {paper: [line_of(claim, results[paper]) for claim in part["claims"]] for paper, part in claims.items()}
    table = summary(all_lines)
    headings = ["paper", *WORDS]
    plots = folder / "reproduction"
    plots.mkdir(exist_ok=True)
    kept = set()
    markdown = ["# The papers, run again", "", INTRO, "", "| " + " | ".join(headings) + " |", "|" + "---|" * len(headings),
                *["| " + " | ".join(row) + " |" for row in table], "",
                *[f"- **{verdict}**: {words}" for verdict, words in WORDS.items()], ""]
    whole = together(results)
    if whole:
        markdown += ["All papers: " + run_words(whole), ""]
    html = ["<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'>"
            f"<title>The papers, run again</title><style>{STYLE}</style><h1>The papers, run again</h1>"
            f"<p>{with_code(INTRO)}</p>",
            "<div class=scroll><table><tr>" + "".join(f"<th>{heading}</th>" for heading in headings) + "</tr>",
            *["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in table], "</table></div><ul>",
            *[f'<li><span class="mark {CLASSES[verdict]}">{verdict}</span>: {words}</li>' for verdict, words in WORDS.items()], "</ul>"]
    if whole:
        html.append(f"<p>All papers: {escape(run_words(whole))}</p>")
    for paper, part in claims.items():
        result = results[paper]
        for chart in result["charts"] if result else []:
            kept.add(file_name(paper, chart))
            replace(plots / file_name(paper, chart), svg(chart))
        markdown += markdown_part(paper, part, all_lines[paper], result)
        html += html_part(part, all_lines[paper], result)
    for old in plots.glob("*.svg"):
        if old.name not in kept:
            old.unlink()
    replace(folder / "reproduction.md", "\n".join(markdown).rstrip() + "\n")
    replace(folder / "reproduction.html", "\n".join(html) + "\n</html>\n")
    words = [f"{row[0]}: " + ", ".join(f"{count} {verdict}" for count, verdict in zip(row[1:], WORDS) if count != "0") for row in table]
    return "\n".join([*words, f"written: {folder / 'reproduction.md'} and reproduction.html"])
