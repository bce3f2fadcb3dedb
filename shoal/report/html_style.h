// The style sheet of the HTML page. No width is fixed, and text wraps anywhere: nothing can be cut off.
#pragma once

namespace shoal {

inline constexpr const char* kHtmlStyle = R"css(
:root{color-scheme:light dark;--page:#fbfbfa;--card:#fff;--ink:#1d2329;--soft:#5a646e;--line:#dfe3e7;--after:#1f6fb2;
--before:#a9b4bf;--rail:#eef1f3;--good:#1b7a43;--good-back:#e6f4ea;--bad:#b3261e;--bad-back:#fbe9e7;--note:#8a5a00;
--note-back:#fdf3dc;--p0:#1f6fb2;--p1:#3a9a8f;--p2:#e0962e;--p3:#8e63b5;--p4:#c2556b;--p5:#6b7783}
@media (prefers-color-scheme:dark){:root{--page:#14171a;--card:#1c2125;--ink:#e6e9ec;--soft:#a2acb5;--line:#333a41;
--after:#5ba6e6;--before:#5e6974;--rail:#262d33;--good:#6fd39a;--good-back:#173324;--bad:#ff9a90;--bad-back:#3b1a18;
--note:#f0c46c;--note-back:#362a10;--p0:#5ba6e6;--p1:#58c2b5;--p2:#eeb25c;--p3:#b792dc;--p4:#e58498;--p5:#97a3ae}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere}
main{max-width:900px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:24px;margin:0 0 2px}h2{font-size:17px;margin:0 0 10px}
p{margin:0 0 8px}.soft{color:var(--soft)}.audience{color:var(--soft);font-size:13px;margin:0 0 14px}
section{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px 18px;margin:14px 0}
.verdict{font-weight:600;border-radius:8px;padding:12px 16px;margin:14px 0;border:1px solid transparent}
.verdict p{font-weight:400;margin:4px 0 0}.plain{border-color:var(--line)}
.good{background:var(--good-back);color:var(--good)}.bad{background:var(--bad-back);color:var(--bad)}
.note{background:var(--note-back);color:var(--note);border-radius:8px;padding:10px 16px;margin:14px 0}
ul{margin:4px 0 0;padding-left:20px}dt{font-weight:600;margin-top:8px}dd{margin:0 0 4px 16px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(125px,1fr));gap:10px;margin:14px 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.tile b{display:block;font-size:21px;font-weight:600}.tile span{color:var(--soft);font-size:13px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;color:var(--soft);font-size:13px}
th,td{padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
th:last-child,td:last-child{padding-right:0}.rows td:first-child:not(.n){min-width:9.6em}
tr:last-child>*{border-bottom:0}.rows thead th{border-bottom:1px solid var(--line)}.n{text-align:right}
.facts th{font-size:inherit;color:inherit;font-weight:400}.short,.mark,th.n{overflow-wrap:normal}td.n{white-space:nowrap}
.facts td.w{text-align:right}.mark{font-weight:600}.mark.yes{color:var(--good)}.mark.no{color:var(--bad)}
.bars{display:grid;gap:9px;margin:8px 0 14px}
.bar{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,2.4fr);gap:2px 14px;align-items:center}
.bar .name{text-align:right;font-size:13px;line-height:1.3}
.tracks{display:grid;gap:3px}.track{display:grid;grid-template-columns:minmax(0,1fr) 66px;gap:8px;align-items:center}
.rail{display:block;background:var(--rail);border-radius:3px;height:14px}
.rail i{display:block;height:14px;min-width:2px;border-radius:3px}
.track b{font-weight:400;font-size:13px;line-height:1.2;overflow-wrap:normal}
.stack{display:flex;gap:2px;height:22px;margin:8px 0}.stack i{display:block;flex:0 1 0;min-width:1px;border-radius:2px}
.legend{list-style:none;padding:0;margin:6px 0;display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px}
.key{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px}
.before{background:var(--before)}.after{background:var(--after)}
.part0{background:var(--p0)}.part1{background:var(--p1)}.part2{background:var(--p2)}
.part3{background:var(--p3)}.part4{background:var(--p4)}.part5{background:var(--p5)}
.plot{display:grid;grid-template-columns:58px minmax(0,1fr);gap:4px 8px;margin:2px 0}
.field{position:relative;height:280px;border-left:1px solid var(--line);border-bottom:1px solid var(--line)}
.marks,.below{position:relative;font-size:12px;color:var(--soft);font-variant-numeric:tabular-nums}.below{height:20px}
.marks span{position:absolute;right:0;transform:translateY(50%);white-space:nowrap}
.below span{position:absolute;transform:translateX(-50%);white-space:nowrap}
.field .line{position:absolute;left:0;right:0;border-top:1px solid var(--line)}
.field .point{position:absolute;width:13px;height:13px;margin:0 0 -6px -6px;border:2px solid var(--card)}
.shape0{border-radius:50%}.shape1{border-radius:0}.shape2{border-radius:0;transform:rotate(45deg) scale(.85)}
.axis{font-size:13px;color:var(--soft);margin:6px 0 2px}.axis.right{text-align:right;margin:0}
.sign{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:38px 22px;margin-top:44px}
.sign.wide{grid-template-columns:minmax(0,1fr)}.sign+.sign{margin-top:38px}
.sign span{border-top:1px solid var(--ink);padding-top:3px;font-size:13px;color:var(--soft)}
summary{cursor:pointer}summary h2{display:inline}details[open] summary{margin-bottom:10px}
pre{font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;background:var(--rail);
border-radius:6px;padding:10px 12px;margin:6px 0 10px}h3{font-size:14px;margin:14px 0 4px}
code{font:12.5px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (min-width:641px){.n+:not(.n){padding-left:14px}.name-of-row{overflow-wrap:normal}}
@media (max-width:640px){main{padding:14px 10px 40px}section{padding:12px}
.bar{grid-template-columns:minmax(0,1fr)}.bar .name{text-align:left}
.cards thead{display:none}.cards,.cards tbody,.cards tr{display:block}
.cards tr{border-bottom:1px solid var(--line);padding:7px 0}.cards tr:last-child{border-bottom:0}
.cards td,.cards td.n{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:10px;border:0;padding:1px 0;
text-align:left}
.cards td::before{content:attr(data-label);color:var(--soft);font-size:13px;white-space:normal}
.cards td:first-child{display:block;font-weight:600}.cards td:first-child::before{content:none}
.cards td.n:first-child::before{content:attr(data-label) " "}
.facts tr{display:block;padding:5px 0;border-bottom:1px solid var(--line)}.facts tr:last-child{border-bottom:0}
.facts th,.facts td,.facts td.n,.facts td.w{display:block;border:0;padding:0;text-align:left}
.facts th{font-weight:600}}
@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#1d2329;--soft:#5a646e;--line:#dfe3e7;--after:#1f6fb2;
--before:#a9b4bf;--rail:#eef1f3;--good:#1b7a43;--good-back:#e6f4ea;--bad:#b3261e;--bad-back:#fbe9e7;--note:#8a5a00;
--note-back:#fdf3dc}
body{font-size:11px;line-height:1.35}main{max-width:none;padding:0}h1{font-size:19px}h2{font-size:14px;margin-bottom:5px}
h2,h3,thead,.legend,.axis,.soft+.bars{break-after:avoid}tr,.bar,.bars,.tile,.note,.verdict,li,.whole{break-inside:avoid}
section{padding:8px 12px;margin:8px 0}.verdict,.note{padding:6px 12px;margin:8px 0}p{margin-bottom:4px}
.tiles{grid-template-columns:repeat(6,minmax(0,1fr));gap:6px;margin:8px 0}.tile{padding:5px 8px}.tile b{font-size:15px}
.tile span,th,.bar .name,.track b,.legend,.sign span{font-size:10px}th,td{padding-top:2px;padding-bottom:2px}
.bars{gap:4px;margin:4px 0 8px}.rail,.rail i{height:9px}.sign{margin-top:30px;gap:30px 22px}.sign+.sign{margin-top:30px}
thead{display:table-header-group}.new-page{break-before:page}.plot{break-inside:avoid}
details::details-content{content-visibility:visible;display:block;height:auto}
.many thead{display:none}.many,.many tbody,.many tr{display:block}.many tr{border-bottom:1px solid var(--line);
padding:5px 0}.many td,.many td.n{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:10px;border:0;
padding:0;text-align:left}.many td::before{content:attr(data-label);color:var(--soft);white-space:normal}
.many td:first-child{display:block;font-weight:600}.many td:first-child::before{content:none}
.many td.n:first-child::before{content:attr(data-label) " "}}
)css";

}  // namespace shoal
