// The style sheet of the HTML report.
#pragma once

namespace shoal {

inline constexpr const char* kHtmlStyle = R"css(
:root{color-scheme:light dark;--page:#fbfbfa;--card:#fff;--ink:#1d2329;--soft:#5a646e;--line:#dfe3e7;--after:#1f6fb2;
--before:#a9b4bf;--good:#1b7a43;--good-back:#e6f4ea;--bad:#b3261e;--bad-back:#fbe9e7;--note:#8a5a00;--note-back:#fdf3dc;
--p0:#1f6fb2;--p1:#3a9a8f;--p2:#e0962e;--p3:#8e63b5;--p4:#c2556b;--p5:#6b7783}
@media (prefers-color-scheme:dark){:root{--page:#14171a;--card:#1c2125;--ink:#e6e9ec;--soft:#a2acb5;--line:#333a41;
--after:#5ba6e6;--before:#5e6974;--good:#6fd39a;--good-back:#173324;--bad:#ff9a90;--bad-back:#3b1a18;--note:#f0c46c;
--note-back:#362a10;--p0:#5ba6e6;--p1:#58c2b5;--p2:#eeb25c;--p3:#b792dc;--p4:#e58498;--p5:#97a3ae}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:860px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:24px;margin:0 0 2px}h2{font-size:17px;margin:0 0 10px}
p{margin:0 0 8px}.soft{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px 18px;margin:14px 0}
.verdict{font-weight:600;border-radius:8px;padding:12px 16px;margin:14px 0}
.verdict p{font-weight:400;margin:4px 0 0}
.good{background:var(--good-back);color:var(--good)}.bad{background:var(--bad-back);color:var(--bad)}
.note{background:var(--note-back);color:var(--note);border-radius:8px;padding:10px 16px;margin:14px 0}
.note ul{margin:4px 0 0;padding-left:20px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(125px,1fr));gap:10px;margin:14px 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.tile b{display:block;font-size:21px;font-weight:600}.tile span{color:var(--soft);font-size:13px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--soft);font-size:13px}
th,td{padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}.n{text-align:right}
td{max-width:260px;overflow-wrap:break-word}td.f{max-width:none}td.n{white-space:nowrap;padding-left:10px}
.mark{font-weight:600;white-space:nowrap}.mark.yes{color:var(--good)}.mark.no{color:var(--bad)}
svg{display:block;width:100%;min-width:520px;height:auto;margin:6px 0}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--ink)}
svg .tick{fill:var(--soft);font-size:11px}svg .grid{stroke:var(--line);stroke-width:1}
svg .after{fill:var(--after)}svg .before{fill:var(--before)}
.legend{list-style:none;padding:0;margin:6px 0;display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px}
.key{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px}
.key.after{background:var(--after)}.key.before{background:var(--before)}
.part0{fill:var(--p0);background:var(--p0)}.part1{fill:var(--p1);background:var(--p1)}
.part2{fill:var(--p2);background:var(--p2)}.part3{fill:var(--p3);background:var(--p3)}
.part4{fill:var(--p4);background:var(--p4)}.part5{fill:var(--p5);background:var(--p5)}
code{font:12.5px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
@media print{body{background:#fff}section,.tile{break-inside:avoid}}
)css";

}  // namespace shoal
