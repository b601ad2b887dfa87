// The list of cases: filtered, sorted, and only as much of it in the page as somebody looks at.

const AT_ONCE = 200; // rows
const PASSED = 0; // the first verdict
const known = JSON.parse(embedded("known"));
const list = document.getElementById("list");
const search = document.getElementById("search");
const more = document.getElementById("more");
const cases = readCases();
const view = { only: cases.some(isFailure) ? "failures" : "all", sort: "", down: false, found: [], drawn: 0 };
let details = null;

function readCases() {
  let failures = 0;
  return embedded("rows").split("\n").filter(Boolean).map((line, at) => {
    const [folder, name, verdict, seconds, words, cpu, memory, exit, printed] = JSON.parse(line);
    const one = { at, folder: known.folders[folder], name, verdict, seconds, words, cpu, memory, exit, printed };
    one.path = one.folder ? one.folder + "/" + name : name;
    one.text = (one.path + " " + known.verdicts[verdict] + " " + words).toLowerCase();
    one.detail = verdict === PASSED ? -1 : failures++;
    return one;
  });
}

function isFailure(one) {
  return !known.fine.includes(one.verdict);
}

function detailOf(one) {
  if (one.detail < 0) return {};
  details = details || embedded("details").split("\n").filter(Boolean);
  return JSON.parse(details[one.detail]);
}

// --- which cases, and in which order -----------------------------------------------------------

const CHOICES = [
  ["all", "All", () => true],
  ["failures", "Failures", isFailure],
  ...known.verdicts.map((verdict, at) => [verdict, verdict, (one) => one.verdict === at]).slice(1),
];

function drawChips() {
  const chips = document.getElementById("chips");
  for (const [key, label, fits] of CHOICES) {
    const number = cases.filter(fits).length;
    if (!number && key !== "all" && key !== "failures") continue;
    const about = known.meaning[known.verdicts.indexOf(key)] || "";
    const chip = make("button", { className: "chip", title: about }, label + " ", make("b", {}, number.toLocaleString("en")));
    chip.dataset.only = key;
    chip.addEventListener("click", () => { view.only = key; update(); });
    chips.append(chip);
  }
}

const ORDERS = {
  case: (one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0),
  verdict: (one, other) => one.verdict - other.verdict,
  time: (one, other) => (one.seconds ?? -1) - (other.seconds ?? -1),
};

for (const button of document.querySelectorAll("[data-sort]")) {
  button.addEventListener("click", () => {
    const key = button.dataset.sort;
    view.down = view.sort === key ? !view.down : key === "time"; // the slowest are of interest
    view.sort = key;
    update();
  });
}

function update() {
  const [, , fits] = CHOICES.find(([key]) => key === view.only);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  view.found = cases.filter((one) => fits(one) && words.every((word) => one.text.includes(word)));
  if (view.sort) {
    const sign = view.down ? -1 : 1;
    view.found.sort((one, other) => sign * ORDERS[view.sort](one, other) || one.at - other.at);
  }
  for (const chip of document.querySelectorAll("[data-only]"))
    chip.setAttribute("aria-pressed", String(chip.dataset.only === view.only));
  for (const button of document.querySelectorAll("[data-sort]")) {
    const order = view.sort === button.dataset.sort ? (view.down ? "descending" : "ascending") : "none";
    button.parentElement.setAttribute("aria-sort", order);
  }
  list.replaceChildren();
  view.drawn = 0;
  draw();
}

function draw() {
  const next = view.found.slice(view.drawn, view.drawn + AT_ONCE);
  list.append(...next.map(rowOf));
  view.drawn += next.length;
  const left = view.found.length - view.drawn;
  more.hidden = left === 0;
  more.textContent = "Show " + Math.min(left, AT_ONCE) + " more of " + left.toLocaleString("en");
  const number = count(view.found.length, "case", "cases");
  document.getElementById("shown").textContent =
    view.found.length === cases.length ? number : number + " of " + cases.length.toLocaleString("en");
}

// --- one case ----------------------------------------------------------------------------------

function rowOf(one) {
  const folder = one.folder ? [make("span", { className: "folder" }, one.folder + "/")] : [];
  const button = make("button", { "aria-expanded": "false" }, ...folder, make("span", { className: "name" }, one.name));
  if (one.words && one.words !== known.verdicts[one.verdict]) {
    const start = known.verdicts[one.verdict] + ": ";
    const words = one.words.startsWith(start) ? one.words.slice(start.length) : one.words;
    button.append(make("span", { className: "words" }, visible(words)));
  }
  const row = make("tr", { className: "case " + (isFailure(one) ? "failed" : one.verdict === PASSED ? "passed" : "known") },
    make("td", {}, button),
    make("td", { className: "verdict", title: known.meaning[one.verdict] }, known.verdicts[one.verdict]),
    make("td", { className: "number" }, time(one.seconds)));
  row.one = one;
  button.addEventListener("click", () => fold(row));
  return row;
}

function isOpen(row) {
  return row.nextElementSibling?.classList.contains("detail") ?? false;
}

function fold(row) {
  const wasOpen = isOpen(row);
  row.querySelector("button").setAttribute("aria-expanded", String(!wasOpen));
  if (wasOpen) row.nextElementSibling.remove();
  else row.after(make("tr", { className: "detail" }, make("td", { colSpan: 3 }, ...sectionsOf(row.one))));
}

function sectionsOf(one) {
  const detail = detailOf(one);
  const found = [factsOf(one, detail)];
  if (detail.differences) found.push(section("What differs", listOf(detail.differences)));
  else if (detail.detail) found.push(section("What happened", listOf([detail.detail])));
  const pictures = one.detail >= 0 ? picturesOf(detail) : null;
  if (pictures) found.push(section("In pictures", pictures));
  if (detail.explanation) found.push(section("By the rules", listOf(detail.explanation)));
  if (one.detail >= 0) {
    const texts = [sidesOf(detail), section(["Input ", fileOf(detail.input)], contentOf(detail.input))];
    if (detail.smallest && isCut(detail)) texts.unshift(smallestOf(detail));
    if (detail.twin) texts.push(section("The twin", block(detail.twin)));
    if (pictures) found.push(make("details", { className: "texts" }, make("summary", {}, "As JSON"), ...texts));
    else found.push(...texts);
  }
  if (detail.stderr) found.push(section("Standard error", block(detail.stderr)));
  if (detail.reproduce) found.push(section("See it again", againOf(detail.reproduce)));
  return found;
}

/** The pictures of a wrong answer: of the input, or of its twin if that was answered. */
function picturesOf(detail) {
  if (!detail.differences || detail.expected.text === undefined) return null;
  return Pictures.ofCase(detail.twin || detail.input.text || "", detail.expected.text, detail.stdout ?? "");
}

/** Whether the two answers are not there as a whole, so that their smallest part tells something of its own. */
function isCut(detail) {
  return [detail.expected.text, detail.stdout].some((text) => !text || text.endsWith("…") || laidOut(text).length > MOST_LINES);
}

function section(title, ...content) {
  return make("section", {}, make("h3", {}, ...[title].flat()), ...content);
}

function listOf(lines) {
  return make("ul", {}, ...lines.map((line) => make("li", {}, visible(line))));
}

function factsOf(one, detail) {
  const facts = [];
  if (detail.program) facts.push("program " + detail.program);
  if (one.seconds !== null) facts.push("took " + time(one.seconds));
  if (one.cpu !== null) facts.push(time(one.cpu) + " of processor time");
  if (one.memory) facts.push(bytes(one.memory) + " of memory");
  if (one.printed !== null) facts.push(bytes(one.printed) + " printed");
  if (one.exit !== null) facts.push(one.exit < 0 ? "signal " + -one.exit : "exit status " + one.exit);
  return make("p", { className: "facts" }, visible(facts.join(" · ")) || "it was not run");
}

function fileOf(content) {
  const note = content.problem ? content.file + " (" + content.problem + ")" : content.file;
  return make("span", { className: "file" }, visible(note));
}

function contentOf(content) {
  return content.text?.trim() ? block(content.text) : nothing(content.text === undefined ? "not there" : "nothing");
}

function nothing(word) {
  return make("pre", { className: "code quiet" }, "(" + word + ")");
}

function smallestOf(detail) {
  const [where, expected, printed] = detail.smallest;
  const [left, right] = compared(expected, printed, known.exact);
  return section("The smallest part that differs" + (where ? ": " + visible(where) : ""),
    make("div", { className: "sides smallest" },
      make("div", {}, make("h3", {}, "expected"), left), make("div", {}, make("h3", {}, "printed"), right)));
}

function sidesOf(detail) {
  const printed = detail.stdout ?? "";
  let sides = [contentOf(detail.expected), printed.trim() ? block(printed) : nothing("nothing")];
  if (detail.differences && detail.expected.text !== undefined) sides = compared(detail.expected.text, printed, known.exact);
  return make("section", { className: "sides" },
    make("div", { className: "expected" }, make("h3", {}, "Expected ", fileOf(detail.expected)), sides[0]),
    make("div", { className: "printed" }, make("h3", {}, detail.twin ? "Printed for the twin" : "Printed"), sides[1]));
}

function againOf(line) {
  const button = make("button", { className: "chip no-print" }, "Copy");
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(line).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Not allowed"; });
  });
  return make("div", { className: "again" }, block(line), button);
}

// --- printed, and linked to --------------------------------------------------------------------

let unfolded = [];
addEventListener("beforeprint", () => {
  document.querySelector(".folders").open = true;
  unfolded = [...list.querySelectorAll(".failed")].filter((row) => !isOpen(row));
  unfolded.forEach(fold);
});
addEventListener("afterprint", () => {
  unfolded.filter(isOpen).forEach(fold);
  unfolded = [];
});

function showLinked() {
  let path = location.hash.slice(1);
  try { path = decodeURIComponent(path); } catch { /* as it is */ }
  const one = cases.find((other) => path && other.path === path);
  if (!one) return;
  view.only = "all";
  search.value = one.path;
  update();
  const row = [...list.querySelectorAll(".case")].find((other) => other.one === one);
  if (row && !isOpen(row)) fold(row);
}

more.addEventListener("click", draw);
search.addEventListener("input", update);
addEventListener("hashchange", showLinked);
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== search) {
    event.preventDefault();
    search.focus();
  }
});
drawChips();
update();
showLinked();
