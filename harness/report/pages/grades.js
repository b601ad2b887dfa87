// The page is drawn from the data in its script elements, and each part only when it is looked at.
// Everything that a team has written goes in as text, never as markup.
const parsed = new Map();
function data(id) {
  if (!parsed.has(id)) {
    const element = document.getElementById(id);
    parsed.set(id, element ? JSON.parse(element.textContent) : null);
  }
  return parsed.get(id);
}
const D = data("data");
const app = document.getElementById("app");
const PASS = "a", UNKNOWN = "-", MISSING = "could not start", WITHHELD = "withheld";

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
const number = (value) => String(Math.round(value * 100) / 100);
const verdictOf = (letter) => letter === UNKNOWN ? "not run" : D.verdicts[letter.charCodeAt(0) - 97];
const link = (to, ...text) => h("a", { href: "#" + new URLSearchParams(to) }, ...text);
const value = (text) => text === undefined ? "(not kept in this page)" : laidOut(text).join("\n");
const isUnsteady = (team, at) => (team.u || []).includes(at);

// --- a table that can be sorted and filtered --------------------------------------------------

function table(columns, rows, options = {}) {
  // columns: {name, value(row), cell(row), text}. Rows are drawn in portions as one scrolls.
  let sort = options.sort ?? -1, down = options.down ?? false, word = "", keep = null;
  const body = h("tbody"), head = h("tr"), count = h("span", { class: "quiet" });
  const scroll = h("div", { class: "scroll" }, h("table", {}, h("thead", {}, head), body));
  let shown = [], drawn = 0;
  function more(portion = options.portion || 200) {
    const part = document.createDocumentFragment();
    for (const row of shown.slice(drawn, drawn + portion)) {
      part.append(h("tr", {}, columns.map((column) => {
        const found = column.cell(row);
        const cell = found instanceof HTMLTableCellElement ? found : h("td", {}, found);
        if (column.text) cell.classList.add("text");
        return cell;
      })));
    }
    drawn += portion;
    body.append(part);
  }
  function draw() {
    shown = rows.filter((row) => (!keep || keep(row)) && (!word || options.words(row).toLowerCase().includes(word)));
    if (sort >= 0) {
      const value = columns[sort].value;
      shown = shown.slice().sort((one, other) => {
        const a = value(one), b = value(other);
        const order = typeof a === "string" ? a.localeCompare(b) : a - b;
        return down ? -order : order;
      });
    }
    head.replaceChildren(...columns.map((column, at) => h("th",
      { class: column.text ? "text" : null, title: column.title, "aria-sort": at === sort ? (down ? "descending" : "ascending") : null },
      column.value ? h("button", { onclick: () => { down = at === sort ? !down : !column.text; sort = at; draw(); } }, column.name) : column.name)));
    count.textContent = shown.length + " of " + rows.length;
    body.replaceChildren();
    drawn = 0;
    more();
  }
  scroll.drawAll = () => more(shown.length);
  scroll.addEventListener("scroll", () => {
    if (drawn < shown.length && scroll.scrollTop + scroll.clientHeight > scroll.scrollHeight - 600) more();
  });
  const search = h("input", { type: "search", placeholder: "filter", "aria-label": "filter", oninput: (event) => { word = event.target.value.toLowerCase(); draw(); } });
  const tools = h("div", { class: "tools" }, search, options.tools ? options.tools((test) => { keep = test; draw(); }) : null, count);
  draw();
  return [tools, scroll];
}

// --- the matrix --------------------------------------------------------------------------------

function share(part, to) {
  const percent = part[1] ? 100 * part[0] / part[1] : (part[3] ? 100 * part[2] / part[3] : 0);
  const text = number(part[0]) + (part[3] ? " (" + part[2] + "/" + part[3] + ")" : "");
  const cell = h("td", { class: "share" }, to ? link(to, text) : text);
  cell.style.setProperty("--p", percent + "%");
  return cell;
}

function matrix(keep) {
  const rows = D.teams.map((team, at) => ({ team, at })).filter((row) => !keep || keep.has(row.at));
  const columns = [
    { name: "team", text: true, value: (row) => row.team.n, cell: (row) => [link({ team: row.at }, row.team.n)] },
    ...(D.alone ? [] : [{ name: "rank", value: (row) => row.team.r, cell: (row) => String(row.team.r) }]),
    { name: "total of " + number(D.most), value: (row) => row.team.t, cell: (row) => share([row.team.t, D.most, 0, 0]) },
    ...(D.factor ? [{ name: "factor", value: (row) => row.team.f, cell: (row) => row.team.f === 1 ? "" : "× " + number(row.team.f) }] : []),
    ...D.parts.map((part, at) => ({
      name: part.name + (part.hidden && D.staff ? " (hidden)" : ""),
      value: (row) => row.team.parts[at][0] + row.team.parts[at][2] / 1e6,
      cell: (row) => share(row.team.parts[at], part.suite === null || row.team.p ? null : { team: row.at, suite: part.suite }),
    })),
    ...D.brought.map((one, at) => ({
      name: "cases of " + one.name, value: (row) => passedOf(row.team, one.cases),
      cell: (row) => share([passedOf(row.team, one.cases), one.cases.length, 0, 0], row.team.p ? null : { team: row.at, by: at }),
    })),
    ...(D.alone ? [] : [{ name: "time", value: (row) => timeOf(row.team), cell: (row) => row.team.p ? "" : time(timeOf(row.team)) }]),
    ...(changed() ? [{ name: "since " + data("overview").since, value: (row) => row.team.d ? row.team.d[0] : 0, cell: (row) => changeOf(row.team) }] : []),
    { name: "", text: true, cell: (row) => h("span", { class: "bad" }, remarks(row.team)) },
  ];
  return table(columns, rows, { sort: D.alone ? 0 : 1, words: (row) => row.team.n + " " + row.team.p });
}
const timeOf = (team) => team.ms.reduce((sum, ms) => sum + ms, 0) / 1000;
const changed = () => !D.alone && data("overview").change;
function changeOf(team) {
  if (!team.d) return "new";
  const [points, better, worse] = team.d, moves = [better && better + " better", worse && worse + " worse"].filter(Boolean).join(", ");
  const kind = points > 0 ? "good" : points < 0 ? "bad" : "quiet";
  return h("span", { class: kind, title: moves ? "cases: " + moves : null }, points ? (points > 0 ? "+" : "−") + number(Math.abs(points)) : moves ? "±0" : "");
}
const passedOf = (team, cases) => cases.filter((at) => team.v[at] === PASS).length;
function remarks(team) {
  const missing = [...team.v].filter((one) => verdictOf(one) === MISSING).length;
  return team.p || [
    ...(missing ? [missing + " " + MISSING] : []),
    ...(team.l ? [team.l + " not run: its time was over"] : []),
    ...(team.u ? [team.u.length + " unsteady"] : []),
  ].join(", ");
}

// --- the cases of a team -----------------------------------------------------------------------

function verdictCell(team, at) {
  const letter = team.v[at] || UNKNOWN;
  const kind = isUnsteady(team, at) ? "odd" : letter === PASS ? "good" : verdictOf(letter) === WITHHELD ? "quiet" : "bad";
  return h("span", { class: kind }, verdictOf(letter) + (kind === "odd" ? " (unsteady)" : ""));
}

const range = (first, last) => Array.from({ length: last - first }, (_, at) => first + at);

function casesOf(number_, name, rows) {
  const team = D.teams[number_];
  const out = [h("h2", {}, link({ team: number_ }, team.n), name ? " · " + name : "")];
  if (team.f !== 1) out.push(h("p", {}, "All points are multiplied by " + number(team.f) + "."));
  if (team.note) out.push(h("p", {}, team.note));
  if (team.p) {
    out.push(h("p", { class: "bad" }, team.p));
    const build = (data("t" + number_) || {}).build;
    if (build) out.push(h("pre", {}, build));
    return out;
  }
  const columns = [
    { name: "case", text: true, value: (at) => D.cases[at], cell: (at) => link({ team: number_, case: at }, D.cases[at]) },
    { name: "suite", text: true, value: (at) => suiteOf(at).name, cell: (at) => suiteOf(at).name },
    { name: "verdict", text: true, value: (at) => verdictOf(team.v[at]), cell: (at) => verdictCell(team, at) },
    { name: "ms", value: (at) => team.ms[at] || 0, cell: (at) => String(team.ms[at] ?? "") },
    ...(D.alone ? [] : [{ name: "passed by", value: passedBy, cell: (at) => link({ case: at }, passedBy(at) + " of " + able(at)) }]),
  ];
  for (const cause of (data("t" + number_) || {}).why || []) {
    const here = cause.c.filter((at) => rows.includes(at));
    if (!here.length) continue;
    out.push(h("details", { class: "cause" }, h("summary", {}, h("b", {}, cause.h), " (" + cause.e + ")", cause.l.map((line) => h("p", {}, line)),
      h("p", { class: "quiet" }, "the smallest: ", link({ team: number_, case: here[0] }, D.cases[here[0]]))),
    h("ul", {}, here.map((at) => h("li", {}, link({ team: number_, case: at }, suiteOf(at).name + " · " + D.cases[at]))))));
  }
  const failures = (set) => h("label", {}, h("input", { type: "checkbox", onchange: (event) => set(event.target.checked ? (at) => team.v[at] !== PASS && verdictOf(team.v[at]) !== WITHHELD : null) }), " failures only");
  return [...out, ...table(columns, rows, { words: (at) => D.cases[at] + " " + verdictOf(team.v[at]), tools: failures })];
}
const suiteOf = (at) => D.suites.find((suite) => suite.first <= at && at < suite.last);
// A team that has no such program says nothing of a case.
const tries = (team, at) => !team.p && ![MISSING, WITHHELD].includes(verdictOf(team.v[at]));
const counts = new Map();
function countsOf(at) {
  if (!counts.has(at)) {
    const trying = D.teams.filter((team) => tries(team, at));
    counts.set(at, [trying.filter((team) => team.v[at] === PASS).length, trying.length]);
  }
  return counts.get(at);
}
const passedBy = (at) => countsOf(at)[0];
const able = (at) => countsOf(at)[1];

// --- one case of a team ------------------------------------------------------------------------

function detailOf(number_, at) {
  let detail = (data("t" + number_) || {})[at];
  if (typeof detail === "number") detail = (data("t" + detail) || {})[at];
  return detail;
}

function oneCase(number_, at) {
  const team = D.teams[number_], given = data("c" + at) || {}, detail = detailOf(number_, at);
  const out = [h("h2", {}, link({ team: number_ }, team.n), " · ", link({ team: number_, suite: D.suites.indexOf(suiteOf(at)) }, suiteOf(at).name), " · ", D.alone ? D.cases[at] : link({ case: at }, D.cases[at])),
    h("p", {}, verdictCell(team, at), team.ms[at] == null ? "" : ", " + team.ms[at] + " ms", ...(D.alone ? [] : ["; ", link({ case: at }, "passed by " + passedBy(at) + " of " + able(at))]))];
  if (detail) {
    if (detail.w) out.push(h("p", {}, detail.w));
    if (detail.x) out.push(h("p", {}, "exit status " + detail.x));
    if (detail.d) out.push(h("ul", {}, detail.d.map((line) => h("li", {}, line))));
  } else if (team.v[at] !== PASS && team.v[at] !== UNKNOWN) out.push(h("p", { class: "quiet" }, "More about it is in results.jsonl: this page would be too large."));
  const input = detail && (detail.t || detail.i) || given.i, differs = detail && detail.d && given.o !== undefined;
  const pictures = differs && input ? Pictures.ofCase(input, given.o, detail.o || "") : null;
  if (pictures) out.push(pictures);
  const isCut = differs && [given.o, detail.o || "…"].some((text) => text.endsWith("…"));
  const [right, wrong] = differs ? compared(given.o, detail.o || "nothing", false) : [h("pre", {}, value(given.o)),
    h("pre", {}, team.v[at] === PASS ? "what is expected" : detail ? value(detail.o || "nothing") : "")];
  const told = suiteOf(at).told, isTold = told === "everything" || told === "own output";
  const texts = [h("div", { class: "sides" },
    isTold ? h("div", {}, "input", h("pre", {}, value(detail && detail.i || given.i))) : null,
    told === "everything" ? h("div", {}, "expected output", right) : null,
    isTold ? h("div", {}, detail && detail.t ? "printed for the twin" : "printed", wrong) : null)];
  if (detail && detail.s && isCut) texts.unshift(h("p", {}, "The smallest part that differs: " + detail.s[0]), h("div", { class: "sides" },
    h("div", {}, "expected", h("pre", {}, detail.s[1])), h("div", {}, "printed", h("pre", {}, detail.s[2]))));
  if (suiteOf(at).kind !== "cases") {
    if (detail && detail.c) out.push("what was said up to then", h("pre", {}, detail.c));
    if (detail && detail.o) out.push("standard output", h("pre", {}, detail.o));
  } else if (pictures) out.push(h("details", { class: "texts" }, h("summary", {}, "As JSON"), texts));
  else out.push(...texts);
  if (detail && detail.t) out.push("the twin, which was given as well", h("pre", {}, value(detail.t)));
  if (detail && detail.e) out.push("standard error", h("pre", {}, detail.e));
  if (detail && detail.r) out.push("see it again", h("pre", {}, detail.r));
  return out;
}

// --- one case on all teams, and all cases ------------------------------------------------------

function caseOnAll(at) {
  const rows = D.teams.map((team, number_) => ({ team, number_ }));
  const columns = [
    { name: "team", text: true, value: (row) => row.team.n, cell: (row) => link({ team: row.number_, case: at }, row.team.n) },
    { name: "verdict", text: true, value: (row) => (row.team.v[at] === PASS ? "2" : tries(row.team, at) ? "0" : "1") + verdictOf(row.team.v[at] || UNKNOWN), cell: (row) => verdictCell(row.team, at) },
    { name: "ms", value: (row) => row.team.ms[at] || 0, cell: (row) => String(row.team.ms[at] ?? "") },
    { name: "how it differs", text: true, cell: (row) => { const detail = row.team.p ? null : detailOf(row.number_, at); return detail ? (detail.d || [detail.w || ""])[0] : ""; } },
  ];
  const given = data("c" + at) || {};
  return [h("h2", {}, suiteOf(at).name + " · " + D.cases[at]),
    ...table(columns, rows, { sort: 1, words: (row) => row.team.n + " " + verdictOf(row.team.v[at] || UNKNOWN) }),
    h("div", { class: "sides" }, h("div", {}, "input", h("pre", {}, value(given.i))), h("div", {}, "expected output", h("pre", {}, value(given.o))))];
}

// --- the class as a whole ----------------------------------------------------------------------

function overview(name, bar) {
  const O = data("overview"), chosen = (chart) => ({ linked: true, chosen: chart === name ? bar : -1 });
  const open = ({ team, rule }) => { location.hash = new URLSearchParams({ team, rule }); };
  const map = () => h("figure", { class: "sheet" }, h("figcaption", {}, h("b", {}, "Teams by rules"), link({ rules: "" }, "as a table")),
    Overview.heatMap(O, D.teams.map((team) => team.n), open));
  return h("details", { class: "overview", open: "" }, h("summary", {}, "The class"), h("div", { class: O.change ? "charts four" : "charts" },
    Overview.chart("marks", O.marks, chosen("marks")),
    O.change ? Overview.chart("change", O.change, { ...chosen("change"), title: "Change since " + O.since, subtitle: O.new ? O.new + " new" : "" }) : null,
    Overview.chart("cases", O.cases, chosen("cases")), Overview.chart("time", O.time, chosen("time"))),
  O.rules.length ? h("div", { class: "charts of-rules" }, Overview.leastUnderstood(O.rules, true, D.teams.length > 20 ? 16 : 8), map()) : null);
}

/** The bar of a chart that is asked for, as [chart, number, bar]. */
function chosenBar(at, charts) {
  const barOf = (chart) => at.get(chart) ? (data("overview")[chart] || [])[Number(at.get(chart))] : undefined;
  const name = charts.find(barOf);
  return name ? [name, Number(at.get(name)), barOf(name)] : null;
}

function onlySome([name, at, bar], all) {
  return h("p", { class: "some" }, Overview.barWords(name, bar, at === data("overview")[name].length - 1) + " · ", h("a", { href: all }, "all"));
}

function rulesOfAll(sort) {
  const O = data("overview"), rows = D.teams.map((team, at) => ({ team, at }));
  const shareOf = ([failed, of]) => of ? failed / of : -1;
  const rules = [
    { name: "section", text: true, value: ([at]) => at, cell: ([, rule]) => rule[0] + " " + rule[1] },
    { name: "answers that fail", value: ([, rule]) => rule[2] / rule[3], cell: ([, rule]) => Overview.percent(rule[2] / rule[3]) + " (" + rule[2] + "/" + rule[3] + ")" },
    { name: "teams that misread it", value: ([, rule]) => rule[4], cell: ([, rule]) => String(rule[4]) },
  ];
  const columns = [
    { name: "team", text: true, value: (row) => row.team.n, cell: (row) => [link({ team: row.at }, row.team.n)] },
    ...O.rules.map(([section, title], rule) => ({
      name: section, title: section + " " + title, value: (row) => shareOf(Overview.cellOf(O, row.at, rule)),
      cell: (row) => {
        const [failed, of, misread] = Overview.cellOf(O, row.at, rule);
        return h("td", { class: "heat h" + Overview.level(failed, of), title: Overview.cellWords(O, row.at, row.team.n, rule) },
          of ? link({ team: row.at, rule }, (misread ? "●" : "") + failed) : "");
      },
    })),
  ];
  return [h("h2", {}, "Which rules are understood"),
    h("p", { class: "quiet" }, "A failure that a misreading explains counts against the section that is misread; any other one against every section that its case rests on."),
    ...table(rules, O.rules.map((rule, at) => [at, rule]), { sort: 1, down: true, words: ([, rule]) => rule[0] + " " + rule[1] }),
    h("h2", {}, "Teams by rules"),
    h("p", { class: "quiet" }, "The number of cases that fail, of those that rest on the section; ● stands where the team misreads it."),
    ...table(columns, rows, { sort: sort === null ? -1 : sort + 1, down: true, portion: 60, words: (row) => row.team.n })];
}

const restingOn = (rule) => range(0, D.cases.length).filter((at) => data("overview").on[at].includes(rule));

function separating() {
  // Cases that exactly the same teams fail say the same of them.
  const groups = new Map();
  for (let at = 0; at < D.cases.length; at++) {
    const failing = D.teams.map((team, number_) => team.v[at] === PASS || !tries(team, at) ? -1 : number_).filter((one) => one >= 0);
    const key = able(at) + ": " + failing.join();
    if (!groups.has(key)) groups.set(key, { failing, able: able(at), cases: [] });
    groups.get(key).cases.push(at);
  }
  const uneven = (group) => Math.abs(group.able / 2 - group.failing.length);
  const found = [...groups.values()].filter((group) => group.failing.length && group.failing.length < group.able)
    .sort((a, b) => uneven(a) - uneven(b) || b.cases.length - a.cases.length);
  const some = (items, most) => items.slice(0, most).flatMap((item, at) => [at ? ", " : "", item]).concat(items.length > most ? [" and " + (items.length - most) + " more"] : []);
  const columns = [
    { name: "failed by", value: (group) => group.failing.length, cell: (group) => group.failing.length + " of " + group.able },
    { name: "these teams", text: true, cell: (group) => h("td", {}, some(group.failing.map((one) => D.teams[one].n), 8)) },
    { name: "cases", value: (group) => group.cases.length, cell: (group) => String(group.cases.length) },
    { name: "which", text: true, cell: (group) => h("td", {}, some(group.cases.map((at) => { const a = link({ case: at }, D.cases[at]); a.style.display = "inline"; return a; }), 6)) },
  ];
  return [h("h2", {}, "Which cases separate the teams"),
    h("p", { class: "quiet" }, "Cases that the same teams fail stand together; first those that divide the teams most evenly."),
    ...table(columns, found, { words: (group) => group.cases.map((at) => D.cases[at]).join(" ") + group.failing.map((one) => D.teams[one].n).join(" ") }),
    h("h2", {}, "All cases"), ...allCases(range(0, D.cases.length))];
}

function allCases(cases) {
  const each = [
    { name: "case", text: true, value: (at) => D.cases[at], cell: (at) => link({ case: at }, D.cases[at]) },
    { name: "suite", text: true, value: (at) => suiteOf(at).name, cell: (at) => suiteOf(at).name },
    { name: "passed by", value: passedBy, cell: (at) => passedBy(at) + " of " + able(at) },
  ];
  return table(each, cases, { sort: 2, words: (at) => D.cases[at] + " " + suiteOf(at).name });
}

function draw() {
  const at = new URLSearchParams(location.hash.slice(1));
  const get = (name) => at.has(name) ? Number(at.get(name)) : null;
  const team = get("team"), suite = D.suites[get("suite") ?? -1], by = D.brought[get("by") ?? -1], one = get("case");
  const rule = D.alone ? null : get("rule"), bar = D.alone ? null : chosenBar(at, ["marks", "time", "change", "cases"]);
  let parts, here = "", focus = null;
  if (team !== null && D.teams[team] && one !== null && one < D.cases.length) parts = oneCase(team, one);
  else if (team !== null && D.teams[team] && by) parts = casesOf(team, "cases of " + by.name, by.cases);
  else if (team !== null && D.teams[team] && suite) parts = casesOf(team, suite.name, range(suite.first, suite.last));
  else if (team !== null && D.teams[team] && rule !== null && data("overview").rules[rule]) parts = casesOf(team, "cases that rest on rule " + data("overview").rules[rule].slice(0, 2).join(" "), restingOn(rule));
  else if (team !== null && D.teams[team]) parts = casesOf(team, "", range(0, D.cases.length));
  else if (D.alone) { parts = [...matrix(), ...casesOf(0, "", range(0, D.cases.length))]; here = "matrix"; }
  else if (one !== null && one < D.cases.length) parts = caseOnAll(one);
  else if (bar && bar[0] === "cases") { parts = [onlySome(bar, "#cases"), ...allCases(bar[2][2])]; here = "cases"; }
  else if (at.has("cases")) { parts = separating(); here = "cases"; }
  else if (at.has("rules")) {
    const sort = at.get("rules") && data("overview").rules[get("rules")] ? get("rules") : null;
    parts = rulesOfAll(sort);
    here = "rules";
    if (sort !== null) focus = parts.findLast((part) => part.tagName === "H2");
  }
  else {
    focus = bar && onlySome(bar, "#");
    parts = [overview(...(bar || [])), focus, ...matrix(bar && new Set(bar[2][2]))];
    here = "matrix";
  }
  app.replaceChildren(h("nav", {},
    h("a", { href: "#", "aria-current": here === "matrix" ? "page" : null }, D.alone ? "Results" : "Teams"),
    ...(D.alone ? [] : [["cases", "Cases"], ["rules", "Rules"]].map(([to, name]) => h("a", { href: "#" + to, "aria-current": here === to ? "page" : null }, name)))),
  ...parts.flat().filter(Boolean));
  if (focus) focus.scrollIntoView();
  else window.scrollTo(0, 0);
}
window.addEventListener("hashchange", draw);
window.addEventListener("beforeprint", () => { for (const one of app.querySelectorAll(".scroll")) one.drawAll(); });
draw();
