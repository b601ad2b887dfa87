// A game to watch: steps that each change a table, drawn when they are shown. Live ones come from a server.

const DATA = JSON.parse(embedded("data"));
const DEALER = "dealer", PUBLIC = "public";
const LEAVES = new Set(["out", "thrown out"]); // after these, the one who fed feeds no more
const LONGEST_NAME = 20; // letters that have room beside a bag, also if all are wide
const at = (id) => document.getElementById(id);
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** A game as far as it is known: its steps, and the table after each, which shares with others what is the same. */
class Game {
  constructor() {
    this.steps = [];
    this.frames = [];
    this.names = [];
    this.cards = null;
  }

  add(step) {
    const last = this.frames.at(-1) || { hole: null, left: null, seats: {}, feeding: null, turn: 0, start: 0 };
    const frame = { ...last };
    if (step.names) {
      this.names = step.names;
      this.cards = step.cards || null;
      const bag = DATA.view === DEALER ? "0" : null, hand = DATA.view === DEALER ? [] : null;
      frame.seats = Object.fromEntries(this.names.map((_, nth) => [nth + 1, { boards: [], bag, hand }]));
      frame.left = this.cards ? this.cards.length : null;
    }
    if (step.kind === "step") frame.feeding = step.player;
    else if (LEAVES.has(this.steps.at(-1)?.kind)) frame.feeding = null;
    if (step.turn) [frame.turn, frame.start] = [step.turn, this.steps.length];
    if (step.hole !== undefined) frame.hole = step.hole;
    if (step.left !== undefined) frame.left = step.left;
    if (step.seats) {
      frame.seats = { ...frame.seats };
      for (const [id, seat] of Object.entries(step.seats)) {
        if (seat) frame.seats[id] = { ...frame.seats[id], ...seat };
        else delete frame.seats[id];
      }
    }
    this.steps.push(step);
    this.frames.push(frame);
  }

  get isOver() { return this.steps.at(-1)?.kind === "end"; }
}

const games = new Map();
let shown = 1; // the number of the game that is shown
let step = 0;
let view = DATA.view;
let isPlaying = null; // the timer, if it is played
let isAsked = false; // whether a drawing has been asked for

const game = () => games.get(shown);
const sees = (id) => view === DEALER || view === String(id);

function playerTitle(id, names) {
  const name = [...visible(names[id - 1] || "")];
  return "player " + id + (name.length ? " · " + name.slice(0, LONGEST_NAME).join("") + (name.length > LONGEST_NAME ? "…" : "") : "");
}

function sceneAt(which) {
  const { steps, frames, names, cards } = game();
  const frame = frames[which], { player, notes = {}, roles = {}, kind } = steps[which];
  const ids = Object.keys(frame.seats);
  const seats = ids.map((id) => {
    const { boards, bag = null, hand = null } = frame.seats[id];
    return {
      title: playerTitle(id, names), boards, bag: sees(id) ? bag : null, hand: sees(id) ? hand : null,
      names: boards.map((_, nth) => String(nth)), roles: roles[id] || {}, notes: (kind !== "choose" || sees(id)) && notes[id] || [],
    };
  });
  const deck = view === DEALER && cards ? cards.slice(cards.length - frame.left) : null;
  return { seats, hole: frame.hole, deck, acting: ids.indexOf(String(frame.feeding ?? player)) };
}

function storyOf({ story, public: open, player }) {
  return open && !sees(player) ? open : story;
}

// --- drawing ------------------------------------------------------------------------------------------------------

function drawTable() {
  const scene = sceneAt(step), since = step ? sceneAt(step - 1) : null;
  const part = (seats, more) => ({ seats, hole: null, deck: null, acting: null, ...more });
  const columns = innerWidth < 640 ? 2 : 4;
  const figures = scene.seats.map((seat, nth) => {
    const before = since && since.seats.find((one) => one.title === seat.title);
    const picture = Pictures.draw(part([seat], { acting: nth === scene.acting ? 0 : null }), { since: before ? part([before]) : null, columns: 2 });
    const kinds = [nth === scene.acting ? "acting" : "", picture.querySelector(".e-changed") ? "changed" : ""];
    return make("figure", { className: kinds.join(" ") }, picture);
  });
  if (scene.hole !== null)
    figures.unshift(make("figure", { className: "hole" }, Pictures.draw(part([], { hole: scene.hole }), { since: since && part([], { hole: since.hole }), columns })));
  at("table").replaceChildren(...figures);
  const deck = at("deck"), summary = deck.firstElementChild;
  deck.hidden = !scene.deck;
  summary.textContent = scene.deck ? "the deck: " + count(scene.deck.length, "card", "cards") : "";
  deck.replaceChildren(summary);
  if (scene.deck && deck.open)
    deck.append(Pictures.draw(part([], { deck: scene.deck }), { since: since?.deck ? part([], { deck: since.deck }) : null, columns }));
}

let told = ""; // which story is shown
function drawStory() {
  const { steps, frames } = game(), start = frames[step].start;
  let end = step + 1;
  while (end < steps.length && frames[end].start === start) end += 1;
  const list = at("story"), which = [shown, view, start].join();
  const from = which === told ? list.children.length : 0;
  if (!from) list.replaceChildren();
  told = which;
  for (let nth = start + from; nth < end; nth += 1) {
    const lines = storyOf(steps[nth]).map(([depth, text, rule]) =>
      make("p", { className: "in" + Math.min(depth, 3) }, visible(text), ...(rule ? [" ", make("span", { className: "rule" }, "rules " + rule)] : [])));
    list.append(make("li", {}, make("button", { type: "button", onclick: () => go(nth), tabIndex: -1 }, ...lines)));
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.children[step - start]?.firstChild;
  if (!current) return;
  current.setAttribute("aria-current", "step");
  const top = current.offsetTop - list.offsetTop, below = top + current.offsetHeight - list.clientHeight;
  if (list.scrollTop > top || list.scrollTop < below) list.scrollTop = top - list.clientHeight / 2;
}

const points = ({ boards, bag }, isWhole) =>
  boards.reduce((sum, [population, , , , traits]) => sum + population + traits.length, isWhole ? Number(bag) : 0);

/** The score of each player over time; where a bag is hidden, what its boards are worth. */
function drawPlot() {
  const { frames, steps } = game(), ids = Object.keys(frames[0].seats);
  const [wide, high, left, right, top, bottom] = [400, 190, 24, 26, 8, 18];
  const rows = ids.map((id) => frames.map(({ seats }) => (seats[id] ? points(seats[id], sees(id) && seats[id].bag != null) : null)));
  const most = Math.max(5, ...rows.flat().map(Number));
  const x = (nth) => left + ((wide - left - right) * nth) / Math.max(1, frames.length - 1);
  const y = (value) => high - bottom - ((high - top - bottom) * value) / most;
  const SVG = "http://www.w3.org/2000/svg";
  const shape = (tag, attributes, ...children) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const plot = shape("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "scores of all players over time" });
  const line = (kind, x1, y1, x2, y2) => plot.append(shape("line", { class: kind, x1, y1, x2, y2 }));
  for (const value of [0, Math.round(most / 2), most]) {
    line("axis", left, y(value), wide - right, y(value));
    plot.append(shape("text", { x: left - 4, y: y(value) + 4, "text-anchor": "end" }, String(value)));
  }
  let free = 0; // where the name of a turn has room
  steps.forEach(({ turn }, nth) => {
    if (!turn) return;
    line("turn", x(nth), top, x(nth), high - bottom);
    if (x(nth) < free) return;
    free = x(nth) + 42;
    plot.append(shape("text", { x: x(nth) + 2, y: high - 5 }, "turn " + turn));
  });
  const ends = [];
  ids.forEach((id, nth) => {
    let way = "", stop = null;
    rows[nth].forEach((value, which) => {
      if (value === null) return;
      if (!way) way = `M${x(which)} ${y(value)}`;
      else if (value !== rows[nth][which - 1]) way += `H${x(which)}V${y(value)}`;
      stop = [x(which), y(value)];
    });
    if (!stop) return;
    plot.append(shape("path", { class: "p" + id, d: `${way}H${stop[0]}` }));
    ends.push([stop[1], stop[0], id]);
  });
  let above = -Infinity, below = high - bottom + 11; // the labels of the lines, apart from each other
  ends.sort((one, other) => one[0] - other[0]).forEach((end) => { end[0] = above = Math.max(end[0], above + 11); });
  ends.reverse().forEach((end) => { end[0] = below = Math.min(end[0], below - 11); });
  for (const [height, width, id] of ends) plot.append(shape("text", { class: "end p" + id, x: width + 4, y: height + 4 }, id));
  line("at", x(step), top, x(step), high - bottom);
  plot.addEventListener("click", (event) => {
    const box = plot.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * wide;
    go(Math.round(((share - left) / (wide - left - right)) * (frames.length - 1)));
  });
  at("plot").replaceChildren(plot);
  at("plot-title").textContent = view === DEALER ? "Scores" : view === PUBLIC ? "Scores, without the bags" : "Scores, without the bags of others";
}

function drawFacts() {
  const { names, frames, isOver } = game(), { turn } = frames[step];
  at("title").textContent = "A game of " + names.length + " players";
  const seen = view === DEALER ? "" : view === PUBLIC ? "what everybody sees" : "what player " + view + " sees";
  const facts = [games.size > 1 ? "game " + shown : "", turn ? "turn " + turn : "before the first turn", seen, isOver || DATA.live ? "" : DATA.note];
  at("facts").textContent = facts.filter(Boolean).join(" · ");
  const { kind, player } = game().steps[step], told = storyOf(game().steps[step]).map(([, text]) => visible(text));
  const words = told.length > 1 ? told[0] + " … " + told.at(kind === "end" ? 1 : -1) : told.join();
  at("now").textContent = player === undefined || words.includes("player " + player) ? words : "player " + player + ": " + words;
  at("count").textContent = "step " + step + " of " + (frames.length - 1);
  const slider = at("slider");
  slider.max = frames.length - 1;
  slider.value = step;
  slider.setAttribute("aria-valuetext", at("now").textContent);
}

function draw() {
  isAsked = false;
  drawLobby();
  at("views").hidden = DATA.view !== DEALER;
  const isEmpty = !game()?.steps.length;
  document.body.classList.toggle("empty", isEmpty);
  if (isEmpty) at("facts").textContent = "no game has begun yet";
  if (isEmpty) return;
  drawFacts();
  drawTable();
  drawStory();
  drawPlot();
  if (at("view").options.length !== game().names.length + 2) fillViews();
}

function ask() {
  if (!isAsked) requestAnimationFrame(draw);
  isAsked = true;
}

// --- moving about -------------------------------------------------------------------------------------------------

const last = () => Math.max(0, (game()?.steps.length || 0) - 1);

function go(where) {
  step = clamp(where, 0, last());
  draw();
  const place = document.querySelector("#table .changed") || document.querySelector("#table .acting");
  place?.scrollIntoView({ block: "nearest" });
  writeLink();
}

let linking = null;
function writeLink() {
  clearTimeout(linking);
  linking = setTimeout(() => {
    const link = "#step=" + step + (view === DATA.view ? "" : "&view=" + view);
    if (location.hash !== link) history.replaceState(null, "", link);
  }, 150);
}

function readLink() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const who = wanted.get("view");
  if (DATA.view === DEALER && (who === DEALER || who === PUBLIC || game()?.names[Number(who) - 1] !== undefined)) view = who;
  if (/^\d+$/.test(wanted.get("step") || "")) step = clamp(Number(wanted.get("step")), 0, last());
}

function play() {
  if (isPlaying) return pause();
  if (step === last()) step = 0;
  isPlaying = setInterval(() => (step < last() ? go(step + 1) : DATA.live && !game()?.isOver || pause()), 1000 / Number(at("speed").value));
  nameButton();
}

function pause() {
  clearInterval(isPlaying);
  isPlaying = null;
  nameButton();
}

function nameButton() {
  at("play").textContent = isPlaying ? "❚❚" : "▶";
  at("play").ariaLabel = isPlaying ? "Pause" : "Play";
}

function turn(way) {
  const { frames } = game(), start = frames[step].start;
  if (way < 0) return go(step > start ? start : frames[Math.max(0, start - 1)].start);
  const next = frames.findIndex((frame) => frame.start > start);
  return go(next === -1 ? last() : next);
}

const KEYS = {
  ArrowLeft: (event) => (event.shiftKey ? turn(-1) : go(step - 1)),
  ArrowRight: (event) => (event.shiftKey ? turn(1) : go(step + 1)),
  Home: () => go(0),
  End: () => go(last()),
  " ": play,
};
addEventListener("keydown", (event) => {
  const { tagName } = event.target;
  if (!KEYS[event.key] || tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && (tagName === "BUTTON" || event.repeat)) return;
  event.preventDefault();
  if (event.key !== " ") pause();
  if (game()?.steps.length) KEYS[event.key](event);
});

function fillViews() {
  const option = (value, text) => make("option", { value, selected: value === view }, text);
  const { names } = game();
  at("view").replaceChildren(option(DEALER, "dealer: everything"), option(PUBLIC, "public: boards only"),
    ...names.map((_, nth) => option(String(nth + 1), playerTitle(nth + 1, names))));
}

for (const [id, move] of [["first", () => go(0)], ["back", () => go(step - 1)], ["on", () => go(step + 1)], ["last", () => go(last())]])
  at(id).addEventListener("click", () => { pause(); if (game()) move(); });
at("play").addEventListener("click", () => { if (game()) play(); });
at("slider").addEventListener("input", () => { pause(); go(Number(at("slider").value)); });
at("deck").addEventListener("toggle", ask);
at("speed").addEventListener("change", () => { if (isPlaying) { pause(); play(); } });
at("view").addEventListener("change", () => { view = at("view").value; go(step); });
at("game").addEventListener("change", () => { shown = Number(at("game").value); step = last(); told = ""; go(step); });
addEventListener("hashchange", () => { pause(); readLink(); fillViews(); draw(); });
addEventListener("resize", ask);

// --- live: what a server tells of its games, and of who comes and goes ------------------------------------------------

const MOST_GAMES = 20, MOST_REFUSED = 5;
const EMPTY = { waiting: [], refused: [], refusals: 0, server: "" };
const lobby = { ...structuredClone(EMPTY), asked: new Map(), skew: 0, state: "connecting to the server" };
const REQUESTS = { choose: "what to do with its cards", feed_next: "what to feed" };
const now = () => Date.now() / 1000 - lobby.skew;

const NEWS = {
  "signed up": ({ name }) => lobby.waiting.push(name),
  left: ({ name }) => { const place = lobby.waiting.indexOf(name); if (place !== -1) lobby.waiting.splice(place, 1); },
  refused: ({ name, reason }) => {
    lobby.refusals += 1;
    lobby.refused = [...lobby.refused, [name, reason]].slice(-MOST_REFUSED);
  },
  game: ({ names }) => { for (const name of names) NEWS.left({ name }); },
  asked: ({ game: number, player, request, time: since }) => lobby.asked.set(number + "/" + player, { number, player, request, since }),
  answered: ({ game: number, player }) => lobby.asked.delete(number + "/" + player),
  over: ({ game: number }) => { for (const [key, one] of lobby.asked) if (one.number === number) lobby.asked.delete(key); },
  closed: () => { lobby.state = "all games are over"; source.close(); },
};

function drawLobby() {
  if (!DATA.live) return;
  const line = (title, text) => (text ? [make("p", {}, make("b", {}, title + ": "), visible(text))] : []);
  const asked = [...lobby.asked.values()].map(({ number, player, request, since }) =>
    (games.size > 1 ? "game " + number + ", " : "") + playerTitle(player, games.get(number)?.names || []) + ": " +
    (REQUESTS[request] || request) + ", for " + Math.max(0, Math.round(now() - since)) + " s");
  const refused = lobby.refused.map(([name, reason]) => (name ? "“" + name + "”: " : "") + reason);
  if (lobby.refusals > refused.length) refused.push("and " + (lobby.refusals - refused.length) + " before");
  // There is a line of who is asked as long as a game goes on, so that nothing below moves at each answer.
  const isGoingOn = [...games.values()].some((one) => !one.isOver);
  at("lobby").replaceChildren(...line("Server", lobby.state), ...line("Asked", asked.join("; ") || (isGoingOn ? "nobody" : "")),
    ...line("Signed up for the next game", lobby.waiting.join(", ")), ...line("Refused", refused.join("; ")));
  at("lobby").hidden = false;
}

function receive(message) {
  const isFollowing = step === last();
  if (message.server) greet(message);
  if (message.news) NEWS[message.news]?.(message);
  if (message.step) {
    const number = message.game;
    if (message.step.kind === "game" || !games.has(number)) begin(number);
    games.get(number).add(message.step);
    if (number === shown && isFollowing && !isPlaying) step = last();
  }
  ask();
}

/** A server says which it is, and what time it has: of another one, nothing is known yet. */
function greet({ server, now: time }) {
  lobby.skew = Date.now() / 1000 - time;
  if (lobby.server && lobby.server !== server) {
    Object.assign(lobby, structuredClone(EMPTY)).asked.clear();
    games.clear();
  }
  lobby.server = server;
}

/** A game begins: it is shown if the one that is shown is over, and watched to its end. */
function begin(number) {
  const isDone = !game() || (game().isOver && step === last());
  games.set(number, new Game());
  for (const old of games.keys()) if (games.size > MOST_GAMES && old !== shown) games.delete(old);
  if (isDone) [shown, step] = [number, 0];
  at("games").hidden = games.size < 2;
  at("game").replaceChildren(...[...games.keys()].map((one) => make("option", { value: one, selected: one === shown }, String(one))));
}

let source = null;
function connect() {
  source = new EventSource("events");
  source.onopen = () => { lobby.state = "live"; ask(); };
  source.onerror = () => { lobby.state = "not connected; what was shown stays, and the page tries again"; ask(); };
  source.onmessage = ({ data }) => receive(JSON.parse(data));
  setInterval(drawLobby, 1000);
}

if (DATA.live) connect();
else {
  games.set(shown, new Game());
  for (const one of DATA.steps) game().add(one);
  readLink();
}
draw();
