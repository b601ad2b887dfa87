"use strict";
// What every page needs. Text only ever becomes text: nothing here makes HTML of a string.

/** An element with these properties, and these children: elements, or strings. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** The data that the page carries in a script element. */
function embedded(id) {
  return document.getElementById(id).textContent;
}

/** The text with everything visible that would do something instead of being seen. */
function visible(text) {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (one) => {
    const code = one.codePointAt(0);
    return code < 0x100 ? "\\x" + code.toString(16).padStart(2, "0") : "\\u{" + code.toString(16) + "}";
  });
}

function count(number, one, many) {
  return number.toLocaleString("en") + " " + (number === 1 ? one : many);
}

function time(seconds) {
  if (seconds === null || seconds === undefined) return "";
  return seconds < 1 ? (seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0) + " ms" : seconds.toFixed(2) + " s";
}

function bytes(number) {
  if (number < 1000) return count(number, "byte", "bytes");
  return number < 1e6 ? (number / 1e3).toFixed(1) + " kB" : (number / 1e6).toFixed(1) + " MB";
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+|"/gs;
const WIDTH = 84;

/** Whether the text is JSON, or begins like it and was cut. */
function isJSON(text) {
  if (text.endsWith("…")) return /^\s*[[{]/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON laid out for reading, as lines: what fits on a line stays on it. Other text as it is. */
function laidOut(text) {
  if (!isJSON(text)) return visible(text.replace(/\n+$/, "")).split("\n");
  const tokens = text.match(TOKEN) || [];
  const flat = flatLengths(tokens);
  let out = "", depth = 0, whole = -1;
  tokens.forEach((token, at) => {
    const opens = token === "[" || token === "{";
    out += token;
    if (whole >= at) {
      if (whole === at) whole = -1;
    } else if (opens && flat[at] && depth + flat[at].length <= WIDTH) {
      whole = flat[at].end;
    } else if (opens) {
      depth += 1;
    } else if (token === "]" || token === "}") {
      depth -= 1;
    } else if (token === ",") {
      out += "\n" + " ".repeat(Math.min(depth, 40));
    }
  });
  return visible(out).split("\n");
}

/** For every token that opens something: where that ends, and how long it is on one line. */
function flatLengths(tokens) {
  const found = [], open = [];
  let length = 0;
  tokens.forEach((token, at) => {
    if (token === "[" || token === "{") open.push([at, length]);
    length += token.length;
    if ((token === "]" || token === "}") && open.length) {
      const [from, before] = open.pop();
      found[from] = { end: at, length: length - before };
    }
  });
  return found;
}

/** What of a line counts where answers are compared by meaning: not the order of traits, nor labels. */
function meaningOf(line) {
  return line
    .replace(/\["traits",\[([^\]]*)\]/g, (_, traits) => '["traits",[' + traits.split(",").sort().join(",") + "]")
    .replace(/\["(?:population|body)",(\d+),(\d+)\]/g, "[$1,$2]")
    .trim()
    .replace(/,$/, "");
}

const MOST_COMPARED = 400; // lines on either side
const MOST_LINES = 1000; // that are elements of their own

/** Which lines of two texts have no counterpart, as pairs [left index or -1, right index or -1]. */
function aligned(left, right, key) {
  const a = left.map(key), b = right.map(key);
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const rows = a.length - start - end, columns = b.length - start - end;
  const pairs = [];
  for (let at = 0; at < start; at += 1) pairs.push([at, at]);
  if (rows > MOST_COMPARED || columns > MOST_COMPARED) {
    for (let at = 0; at < rows; at += 1) pairs.push([start + at, -1]);
    for (let at = 0; at < columns; at += 1) pairs.push([-1, start + at]);
  } else {
    const best = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
    for (let i = rows - 1; i >= 0; i -= 1)
      for (let j = columns - 1; j >= 0; j -= 1)
        best[i][j] = a[start + i] === b[start + j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    let i = 0, j = 0;
    while (i < rows || j < columns) {
      if (i < rows && j < columns && a[start + i] === b[start + j]) pairs.push([start + i++, start + j++]);
      else if (i < rows && (j >= columns || best[i + 1][j] >= best[i][j + 1])) pairs.push([start + i++, -1]);
      else pairs.push([-1, start + j++]);
    }
  }
  for (let at = end; at > 0; at -= 1) pairs.push([a.length - at, b.length - at]);
  return pairs;
}

/** Two texts as two blocks of lines, in which what differs is marked. */
function compared(expected, printed, exact) {
  const left = laidOut(expected), right = laidOut(printed);
  const pairs = aligned(left, right, exact ? (line) => line : meaningOf);
  const missing = new Map(), wrong = new Map(); // lines that differ, with the line that stands for them
  for (let at = 0; at < pairs.length; at += 1) {
    const gone = [], come = [];
    for (; at < pairs.length && pairs[at].includes(-1); at += 1)
      (pairs[at][1] === -1 ? gone : come).push(Math.max(...pairs[at]));
    gone.forEach((line, nth) => missing.set(line, right[come[nth]]));
    come.forEach((line, nth) => wrong.set(line, left[gone[nth]]));
  }
  return [linesOf(left, missing, "missing", exact), linesOf(right, wrong, "wrong", exact)];
}

function linesOf(lines, differing, kind, exact) {
  if (lines.length > MOST_LINES) return make("pre", { className: "code" }, lines.join("\n"));
  return make("pre", { className: "code" }, ...lines.map((line, at) => {
    if (!differing.has(at)) return make("span", { className: "line" }, line);
    return make("span", { className: "line " + kind }, ...marked(line, differing.get(at), exact));
  }));
}

const PIECE = /"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^\s"[\]{},:]+|"/gs; // a token, or the space between two
const TRAIT_ROW = /\["traits",\[([^\]]*)\]/g;

/** A line with its traits in the order of those of another one, as far as both have them. */
function inOrderOf(line, other) {
  const rows = [...line.matchAll(TRAIT_ROW)].map(([, traits]) => traits.split(","));
  let nth = 0;
  return other.replace(TRAIT_ROW, (_, traits) => {
    const row = rows[nth++] || [], place = (trait) => (row.includes(trait) ? row.indexOf(trait) : row.length);
    return '["traits",[' + traits.split(",").sort((one, two) => place(one) - place(two)).join(",") + "]";
  });
}

/** The line, with the tokens marked that another one has not. */
function marked(line, other, exact) {
  if (other === undefined) return [line];
  const left = line.match(PIECE) || [], right = (exact ? other : inOrderOf(line, other)).match(PIECE) || [];
  const found = [];
  let differing = "", between = ""; // what is to be marked together, and a space that may belong to it
  const flush = () => { if (differing) found.push(make("mark", {}, differing)); if (between) found.push(between); differing = between = ""; };
  for (const [at, counterpart] of aligned(left, right, (piece) => piece)) {
    if (at === -1) continue;
    if (counterpart === -1) { differing += between + left[at]; between = ""; }
    else if (differing && /^\s+$/.test(left[at])) between += left[at];
    else { flush(); found.push(left[at]); }
  }
  flush();
  return found;
}

/** A text as a block of lines. */
function block(text) {
  return linesOf(laidOut(text), new Map(), "");
}
