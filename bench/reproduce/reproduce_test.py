"""What the pages rest on: rules, worked examples as files, plots that can be drawn, pages that say what was not run."""
import json
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import charts
import pages
import verdicts
from runner import ROOT, at_every, blocks

HERE = Path(__file__).resolve().parent
CLAIMS = json.loads((HERE / "claims.json").read_text())


class Rules(unittest.TestCase):
    def test_each_kind_says_yes_and_no(self):
        for rule, same, other in (
                ({"is": "within", "of": 14.7, "by": 0.3}, 15.0, 15.01), ({"is": "below", "limit": 2}, 1.99, 2),
                ({"is": "at most", "limit": 2}, 2, 2.01), ({"is": "above", "limit": 0}, 0.1, 0), ({"is": "at least", "limit": 0}, 0, -0.1),
                ({"is": "equal", "to": 4}, 4, 5), ({"is": "true"}, True, False), ({"is": "everywhere"}, 1.0, 0.99)):
            self.assertEqual(verdicts.judge(rule, same), verdicts.SAME, rule)
            self.assertEqual(verdicts.judge(rule, other), verdicts.DIFFERENT, rule)
            self.assertTrue(verdicts.in_words(rule))
        direction = {"is": "within", "of": 3.5, "by": 1, "direction": "above", "limit": 0}
        self.assertEqual([verdicts.judge(direction, value) for value in (4.4, 9, -1)],
                         [verdicts.SAME, verdicts.DIRECTION, verdicts.DIFFERENT])
        self.assertEqual(verdicts.judge({"is": "shown"}, 5), verdicts.SHOWN)

    def test_every_claim_has_a_rule_that_can_be_judged(self):
        for part in CLAIMS.values():
            for claim in part["claims"]:
                self.assertTrue(verdicts.in_words(claim["rule"]), claim)
                verdicts.judge(claim["rule"], 1)
                self.assertTrue(claim["value"] or claim["why"], claim)

    def test_at_every(self):
        self.assertEqual(at_every({2: -1, 5: 1}, lambda value: value < 0), {"value": 0.5, "text": "1 of 2 (not 5)"})


class Examples(unittest.TestCase):
    def test_blocks(self):
        self.assertEqual(blocks("a: x\nb: |\n  1\n    2\nc:\n  d: {e: f}\n"), {"a": "x\n", "b": "1\n  2\n", "c": "d: {e: f}\n"})

    def test_the_cases_that_are_run_can_be_read(self):
        for name in ("cases/heuristicmin/hm2.yaml", "cases/kaca/kaca1.yaml", "bench/reproduce/case1.yaml"):
            parts = blocks((ROOT / name).read_text())
            self.assertIn("\n", parts["table"])
            self.assertIn("columns:", parts["job"])


class Plots(unittest.TestCase):
    def test_they_are_xml_and_hold_every_point(self):
        lines = {"a": [(1, 2.0), (2, 3.5)], "b & <c>": [(1, 0.5)]}
        for chart in ({"lines": lines}, {"lines": lines, "log": True}, {"lines": lines, "numeric": True},
                      {"lines": {"flat": [(1, 2.0), (2, 2.0)]}}, {"points": [(1.0, 2.0), (2.0, 1.0), (3, 3)], "diagonal": True}):
            drawn = xml.fromstring(charts.svg({"title": "t < u", "x": "k", "y": "e", **chart}))
            circles = [node for node in drawn.iter() if node.tag.endswith("circle")]
            self.assertEqual(len(circles), 3 if "b & <c>" in chart.get("lines", {}) or "points" in chart else 2)
            for node in circles:
                self.assertTrue(0 <= float(node.get("cx")) <= charts.WIDTH and 0 <= float(node.get("cy")) <= charts.HEIGHT)

    def test_steps_hold_what_they_are_for(self):
        for low, high in ((0, 1), (14.69, 21.53), (-3, 4), (5, 5), (0, 0), (1e-6, 2e-6)):
            ticks = charts.steps(low, high)
            self.assertTrue(ticks[0] <= low and ticks[-1] >= high and 2 <= len(ticks) <= 12, (low, high, ticks))


class Pages(unittest.TestCase):
    def test_what_was_not_run_says_so_and_the_rest_is_judged(self):
        result = {"values": {"Fig. 5 Top7 BE": 14.69}, "charts": [{"title": "Fig. 5", "x": "k", "y": "e", "lines": {"a": [(1, 2.0)]}}],
                  "skipped": ["tdr.growth: no adult"], "commands": ["shoal evaluate <x>"], "seconds": 60, "processor": 90, "machine": {"cores": 2}}
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "reproduction").mkdir()
            (folder / "reproduction" / "old.svg").write_text("x")
            words = pages.write(CLAIMS, {paper: result if paper == "tdr" else None for paper in CLAIMS}, folder)
            self.assertIn("tdr: 1 same", words)
            markdown, html = (folder / "reproduction.md").read_text(), (folder / "reproduction.html").read_text()
            self.assertEqual([path.name for path in (folder / "reproduction").iterdir()], ["tdr-fig-5.svg"])
            self.assertIn("reproduction/tdr-fig-5.svg", markdown)
            self.assertIn("| Adult, C4.5 on raw rows | 5.1.1 | BE 14.7 % | 14.69 % | same if within 0.3 of 14.7 | **same** |", markdown)
            self.assertIn("not run with this build", markdown)
            self.assertIn("tdr.growth: no adult", html)
            self.assertIn("shoal evaluate &lt;x&gt;", html)


if __name__ == "__main__":
    unittest.main()
