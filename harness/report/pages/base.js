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

const MOST_COMPARED = 1500; // tokens on either side, without what both begin and end with
const MOST_LINES = 1000; // that are elements of their own

/** Which of two rows of tokens have no counterpart, as pairs [left index or -1, right index or -1]. */
function aligned(a, b) {
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

/** Two texts as two blocks of lines, in which what differs is marked, token by token. */
function compared(expected, printed, exact) {
  const left = laidOut(expected), right = laidOut(printed);
  return [linesOf(left, unmatched(left, right, exact), "missing"), linesOf(right, unmatched(right, left, exact), "wrong")];
}

const PIECE = /"(?:[^"\\\n]|\\[^\n])*"|[[\]{},:]|\n|[^\S\n]+|[^\s"[\]{},:]+|"/gs; // a token, or the space between two
const TRAIT_ROW = /\["traits",\s*\[([^\]]*)\]/g;
const LABEL = /^"(population|body)"$/;

/** A text with its traits in the order of those of another one, as far as both have them. */
function inOrderOf(text, other) {
  const rows = [...text.matchAll(TRAIT_ROW)].map(([, traits]) => traits.split(",").map((trait) => trait.trim()));
  let nth = 0;
  return other.replace(TRAIT_ROW, (_, traits) => {
    const row = rows[nth++] || [], place = (trait) => (row.includes(trait) ? row.indexOf(trait) : row.length);
    return '["traits",[' + traits.split(",").map((trait) => trait.trim()).sort((one, two) => place(one) - place(two)).join(",") + "]";
  });
}

/** The places of the pieces that count where answers are compared: no spaces, nor labels of growth. */
function counting(pieces, exact) {
  const places = pieces.map((_, at) => at).filter((at) => pieces[at].trim());
  if (exact) return places;
  const isLabel = (nth) => LABEL.test(pieces[places[nth]] ?? "") && pieces[places[nth + 1]] === "," && pieces[places[nth + 3]] === ",";
  return places.filter((_, nth) => !isLabel(nth) && !(nth && isLabel(nth - 1)));
}

/** What of a text's lines another has not: for each line that differs, its pieces and which are to be marked. */
function unmatched(lines, others, exact) {
  const text = lines.join("\n"), other = others.join("\n");
  const mine = text.match(PIECE) || [], theirs = (exact ? other : inOrderOf(text, other)).match(PIECE) || [];
  const places = counting(mine, exact), otherPlaces = counting(theirs, exact);
  const alone = new Set(aligned(places.map((at) => mine[at]), otherPlaces.map((at) => theirs[at]))
    .flatMap(([nth, counterpart]) => (nth !== -1 && counterpart === -1 ? [places[nth]] : [])));
  const found = new Map();
  let line = 0, start = 0;
  for (let at = 0; at <= mine.length; at += 1) {
    if (at < mine.length && mine[at] !== "\n") continue;
    const differs = mine.slice(start, at).some((_, nth) => alone.has(start + nth));
    if (differs) found.set(line, mine.slice(start, at).map((piece, nth) => [piece, alone.has(start + nth)]));
    line += 1;
    start = at + 1;
  }
  return found;
}

function linesOf(lines, differing, kind) {
  if (lines.length > MOST_LINES) return make("pre", { className: "code" }, lines.join("\n"));
  return make("pre", { className: "code" }, ...lines.map((line, at) => {
    if (!differing.has(at)) return make("span", { className: "line" }, line);
    return make("span", { className: "line " + kind }, ...marked(differing.get(at)));
  }));
}

/** Pieces of a line, with those marked that are to be, and what is marked in a row in one. */
function marked(pieces) {
  const found = [];
  let run = "";
  const flush = () => { if (run) found.push(make("mark", {}, run)); run = ""; };
  for (const [piece, isMarked] of pieces) {
    if (isMarked) run += piece;
    else { flush(); found.push(piece); }
  }
  flush();
  return found;
}

/** A text as a block of lines. */
function block(text) {
  return linesOf(laidOut(text), new Map(), "");
}
