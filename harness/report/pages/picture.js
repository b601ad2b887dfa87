// Pictures of tables, drawn when somebody looks. The same picture is drawn by evolution/picture in Python: what
// the two make of a table is compared by a test, and what it looks like is in symbols.py there for both.

const Pictures = (() => {
const SVG = "http://www.w3.org/2000/svg";
const [MARGIN, BOARD, STRIDE, CARD, LINE, CHIP, ROW, FIRST_ROW, COUNT_AT] = [12, 198, 206, 126, 15, 18, 15, 20, 190];
const [MOST_CHIPS, MOST_DOTS, LETTER, TITLE_LETTER, ACTS, MOST_DIGITS, SOME_DIGITS] = [8, 18, 6.2, 7, 36, 20, 12];
const [GAP, MOST_PAIRS, MOST_TALL] = [3, 2500, 2.5];
const ROLES = { attacker: " e-attacker", target: " e-target", "is fed": " e-fed", "stores fat": " e-fed" };
const TRAITS = new Set(("ambush burrowing carnivore climbing cooperation fat-tissue fertile foraging hard-shell herding horns " +
  "long-neck pack-hunting scavenger symbiosis warning-call").split(" "));

/** A number as a picture has it; one that is too long for a script is a text of digits. */
function pictured(value) {
  const text = String(value), digits = text.replace("-", "");
  if (digits.length <= MOST_DIGITS) return text.replace("-", "−");
  return (text[0] === "-" ? "−" : "") + digits.slice(0, SOME_DIGITS) + "… (" + digits.length + " digits)";
}

// --- from JSON to a scene: seats with boards, as evolution/picture/values.py writes it -------------------------

class NoScene extends Error {}
const check = (isRight) => { if (!isRight) throw new NoScene(); };
const isNatural = (value) => (Number.isSafeInteger(value) && value >= 0) || (typeof value === "string" && /^\ue000\d+$/.test(value));
const listOf = (value, read) => { check(Array.isArray(value)); return value.map(read); };
const natural = (value) => { check(isNatural(value)); return pictured(String(value).replace("\ue000", "")); };

/** The value of a JSON text, in which integers that a script would round are texts: a sign of ours, and their digits. */
function exactly(text) {
  return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (one) => (one[0] === '"' ? one : '"\ue000' + one + '"')));
}

function paired(value, keys, optional) {
  check(Array.isArray(value) && (value.length === keys.length || value.length === keys.length + 1));
  return value.map((pair, at) => {
    check(Array.isArray(pair) && pair.length === 2 && pair[0] === (keys[at] ?? optional));
    return pair[1];
  });
}

function boardOf(value) {
  const [food, body, population, traits, fat = 0] = paired(value, ["food", "body", "population", "traits"], "fat-food");
  for (const one of [food, body, population, fat]) check(Number.isInteger(one) && one >= 0 && one <= 7);
  check(Array.isArray(traits) && traits.length <= 3);
  check(traits.every((trait) => TRAITS.has(trait)) && new Set(traits).size === traits.length);
  return [population, food, body, traits.includes("fat-tissue") ? fat : 0, traits];
}

function cardOf(value) {
  check(Array.isArray(value) && value.length === 2 && TRAITS.has(value[1]));
  check(Number.isInteger(value[0]) && Math.abs(value[0]) <= (value[1] === "carnivore" ? 8 : 3));
  return value;
}

/** A wrong answer may have boards that cannot be: of species that died out and stayed, or ate more than they can. */
const isPossible = ([population, food, body, fat]) => population && food <= population && fat <= body;

const boardsOf = (value) => listOf(value, boardOf);
const cardsOf = (value) => listOf(value, cardOf);

function seat(title, boards, bag = null, hand = null, names = boards.map((_, at) => String(at))) {
  return { title, boards, bag, hand, names, roles: {}, notes: [] };
}

function playerSeat(value, called) {
  const [id, species, bag, cards = []] = paired(value, ["id", "species", "bag"], "cards");
  return seat(called + " (id " + natural(id) + ")", boardsOf(species), natural(bag), cardsOf(cards));
}

function stateScene([bag, own, hand, hole, others]) {
  const first = seat("the player", boardsOf(own), natural(bag), cardsOf(hand));
  const rest = listOf(others, (boards, at) => seat("other player " + at, boardsOf(boards)));
  return { seats: [first, ...rest], hole: natural(hole), deck: null, acting: 0 };
}

function configurationScene([players, hole, deck]) {
  const seats = listOf(players, (player, at) => playerSeat(player, "player " + at));
  check(seats.length);
  return { seats, hole: natural(hole), deck: cardsOf(deck), acting: 0 };
}

function feedingScene([asking, hole, others]) {
  const rest = listOf(others, (other, at) => playerSeat(other, "other player " + at));
  return { seats: [playerSeat(asking, "the player"), ...rest], hole: natural(hole), deck: null, acting: 0 };
}

function choiceScene([player, before, after]) {
  const earlier = listOf(before, (boards, at) => seat("player before it, " + at, boardsOf(boards)));
  const later = listOf(after, (boards, at) => seat("player after it, " + at, boardsOf(boards)));
  return { seats: [...earlier, playerSeat(player, "the player"), ...later], hole: null, deck: null, acting: earlier.length };
}

function situationScene([defender, attacker, left, right]) {
  const row = [[left, "left neighbour"], [defender, ""], [right, "right neighbour"]].filter(([board]) => board !== false);
  const names = row.map(([, name]) => name);
  const defending = seat("defender", row.map(([board]) => boardOf(board)), null, null, names);
  defending.roles[names.indexOf("")] = "target";
  const attacking = seat("attacker", [boardOf(attacker)], null, null, [""]);
  attacking.roles[0] = "attacker";
  return { seats: [attacking, defending], hole: null, deck: null, acting: null };
}

function act(seat, action) {
  check(Array.isArray(action) && action.length === 5);
  const hand = seat.hand || [];
  const card = (at) => {
    const name = natural(at);
    const found = hand[Number(at)];
    return found ? "card " + name + " (" + found[1] + " " + pictured(found[0]) + ")" : "card " + name + ", which is not there,";
  };
  const [food, population, body, bought, replaced] = action;
  seat.notes.push("food card: " + card(food));
  for (const [what, growths] of [["population", population], ["body", body]])
    listOf(growths, (growth) => {
      check(Array.isArray(growth) && (growth.length === 2 || (growth.length === 3 && growth[0] === what)));
      const [board, at] = growth.slice(-2);
      seat.notes.push(card(at) + " for " + what + " of board " + natural(board));
    });
  listOf(bought, (cards) => {
    check(Array.isArray(cards) && cards.length >= 1 && cards.length <= 4);
    const traits = cards.slice(1).map(card).join(", ");
    seat.notes.push(card(cards[0]) + " for a new board" + (traits ? " with " + traits : ""));
  });
  listOf(replaced, (one) => {
    check(Array.isArray(one) && one.length === 3);
    seat.notes.push(card(one[2]) + " in place of trait " + natural(one[1]) + " of board " + natural(one[0]));
  });
}

function attack(scene, [board, player, target]) {
  const seats = [...scene.seats.slice(1), scene.seats[0]], seat = scene.seats[0];
  let whose = "player " + natural(player) + " of the others";
  if (Number(player) < seats.length) {
    seats[player].roles[target] = "target";
    whose = Number(player) === seats.length - 1 ? "its own" : seats[player].title;
  }
  seat.roles[board] = "attacker";
  seat.notes.push("board " + natural(board) + " attacks board " + natural(target) + ", " + whose);
}

function feed(scene, choice) {
  const seat = scene.seats[0];
  if (choice === false) seat.notes.push("feeds nothing");
  else if (isNatural(choice)) {
    seat.roles[choice] = "is fed";
    seat.notes.push("feeds board " + natural(choice));
  } else {
    check(Array.isArray(choice) && choice.every(isNatural) && [2, 3].includes(choice.length));
    if (choice.length === 3) attack(scene, choice);
    else {
      seat.roles[choice[0]] = "stores fat";
      const tokens = natural(choice[1]) + " token" + (choice[1] === 1 ? "" : "s");
      seat.notes.push("stores " + tokens + " on the fat of board " + natural(choice[0]));
    }
  }
  return scene;
}

const isPlayer = (value) => Array.isArray(value) && Array.isArray(value[0]) && value[0][0] === "id";

function kindOf(value) {
  check(Array.isArray(value));
  if (value.length === 2) {
    if (!Array.isArray(value[0]) || value[0].length !== 5) return "step4";
    return Array.isArray(value[1]) && value[1].length === 3 ? "state and choice" : "state and action";
  }
  if (value.length === 3) return isPlayer(value[0]) ? (Array.isArray(value[1]) ? "choice" : "feeding") : "configuration";
  check(value.length === 4 || value.length === 5);
  return value.length === 4 ? "situation" : "state";
}

const SCENES = {
  situation: situationScene, state: stateScene, feeding: feedingScene, choice: choiceScene, configuration: configurationScene,
  step4: ([configuration, actions]) => {
    check(Array.isArray(configuration) && configuration.length === 3);
    const scene = configurationScene(configuration);
    check(Array.isArray(actions) && actions.length === scene.seats.length);
    scene.seats.forEach((seat, at) => act(seat, actions[at]));
    return { ...scene, acting: null };
  },
  "state and choice": ([state, choice]) => {
    check(choice.every(isNatural));
    const scene = stateScene(state);
    attack(scene, choice);
    return scene;
  },
  "state and action": ([state, action]) => {
    const scene = stateScene(state);
    act(scene.seats[0], action);
    return scene;
  },
};

const isTable = (answer) => Array.isArray(answer) && answer.some(Array.isArray);

function answerScene(value, answer) {
  const kind = kindOf(value);
  if ((kind === "feeding" || kind === "state") && !isTable(answer)) return feed(SCENES[kind](value), answer);
  check(isTable(answer));
  if ((kind === "choice" || kind === "state") && answer.length === 5 && Array.isArray(answer[3])) {
    const scene = SCENES[kind](value);
    act(scene.seats[scene.acting], answer);
    return scene;
  }
  check(answer.length === 3 || answer.length === 5);
  const scene = answer.length === 5 ? stateScene(answer) : configurationScene(answer);
  return kind === "step4" ? { ...scene, acting: null } : scene;
}

/** What is made of texts, or null if there is no picture of them. */
function orNull(make, ...texts) {
  try {
    return make(...texts.map(exactly));
  } catch (problem) {
    if (problem instanceof NoScene || problem instanceof SyntaxError) return null;
    throw problem;
  }
}
const sceneOfInput = (text) => orNull((value) => {
  const scene = SCENES[kindOf(value)](value);
  check(scene.seats.every((seat) => seat.boards.every(isPossible)));
  return scene;
}, text);
const sceneOfAnswer = (text, answer) => orNull(answerScene, text, answer);

// --- which board or card of one scene stands for which of another -----------------------------------------------

function boardCost(one, other) {
  let cost = 0;
  for (let at = 0; at < 4; at += 1) cost += one[at] !== other[at];
  return cost + one[4].filter((trait) => !other[4].includes(trait)).length + other[4].filter((trait) => !one[4].includes(trait)).length;
}
const cardCost = (one, other) => (one[0] === other[0] && one[1] === other[1] ? 0 : 2 * GAP + 1);

/** For each thing on the left the place of the one on the right that stands for it, or -1. */
function standIns(left, right, cost) {
  let start = 0, stop = left.length, other = right.length;
  while (start < Math.min(stop, other) && !cost(left[start], right[start])) start += 1;
  while (Math.min(stop, other) > start && !cost(left[stop - 1], right[other - 1])) { stop -= 1; other -= 1; }
  const rows = stop - start, columns = other - start, found = [];
  for (let at = 0; at < start; at += 1) found.push(at);
  if (rows * columns > MOST_PAIRS) {
    for (let at = 0; at < rows; at += 1) found.push(at < columns ? start + at : -1);
  } else {
    const best = Array.from({ length: rows + 1 }, (_, i) => Array.from({ length: columns + 1 }, (_, j) => GAP * (rows - i + columns - j)));
    for (let i = rows - 1; i >= 0; i -= 1)
      for (let j = columns - 1; j >= 0; j -= 1)
        best[i][j] = Math.min(cost(left[start + i], right[start + j]) + best[i + 1][j + 1], GAP + best[i + 1][j], GAP + best[i][j + 1]);
    for (let i = 0, j = 0; i < rows;) {
      if (j < columns && best[i][j] === cost(left[start + i], right[start + j]) + best[i + 1][j + 1]) { found.push(start + j); i += 1; j += 1; }
      else if (j < columns && best[i][j] === GAP + best[i][j + 1]) j += 1;
      else { found.push(-1); i += 1; }
    }
  }
  for (let at = other; at < right.length; at += 1) found.push(at);
  return found;
}

function newCards(cards, others) {
  const places = standIns(cards || [], others || [], cardCost);
  return new Set(places.flatMap((place, at) => (place === -1 ? [at] : [])));
}

/** For each seat what stands for it in another scene: the seat of the same title, or else the one at its place. */
function counterparts(scene, other) {
  const titles = new Set(scene.seats.map((seat) => seat.title));
  return scene.seats.map((seat, at) => {
    let there = other.seats[at] || null;
    if (there && there.title !== seat.title && titles.has(there.title)) there = null;
    const found = other.seats.find((one) => one.title === seat.title) || there;
    const boards = found ? found.boards : [];
    const places = standIns(seat.boards, boards, boardCost);
    return {
      seat: found,
      boards: places.map((place) => (place === -1 ? null : boards[place])),
      gone: boards.map((_, place) => place).filter((place) => !places.includes(place)),
      cards: newCards(seat.hand, found ? found.hand : null),
    };
  });
}

// --- drawing ----------------------------------------------------------------------------------------------------

function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function words(list, between, width) {
  const lines = [];
  for (const word of list) {
    const last = lines.length - 1;
    if (lines.length && [...lines[last]].length + between.length + [...word].length <= width) lines[last] += between + word;
    else {
      if (lines.length) lines[last] += between.trimEnd();
      lines.push(word);
    }
  }
  return lines;
}

const dots = (x, y, count) => "M" + x + " " + y + "h0" + "m12 0h0".repeat(count - 1);
const printable = (text) => text.replace(/[^\P{C}]|[^\P{Z} ]/gu, "\ufffd");
const rowsOf = (board) => (board[3] || board[4].includes("fat-tissue") ? 4 : 3);

/** A scene as an SVG element. marks: { since: scene } or { unlike: scene }, as in Python. */
function draw(scene, { since = null, unlike = null, columns = null } = {}) {
  const other = since || unlike, mark = since ? "e-changed" : "e-differs", sign = since ? "→" : "≠";
  columns = columns || Math.min(5, Math.max(2, ...scene.seats.map((seat) => seat.boards.length)));
  const wide = columns * STRIDE - 8 + 2 * MARGIN, most = Math.floor((wide - 2 * MARGIN) / LETTER);
  const picture = shape("svg", { xmlns: SVG, class: "e-picture", role: "img", "aria-label": "a table of the game Evolution" });
  const paper = shape("rect", { class: "e-paper", width: wide });
  picture.append(paper);
  let high = MARGIN;

  const text = (within, kind, x, y, content) => within.append(shape("text", { class: kind, x, y }, printable(content)));
  const differing = (kind, differs) => (differs ? kind + " " + mark : kind);
  const counted = (value, was) => (!other || was === null || was === undefined || was === value ? value : was + sign + value);
  const cardCount = (what, count, length) => what + ": " + count + (length === 1 ? " card" : " cards");
  const was = (cards) => (cards ? String(cards.length) : null);
  const sameCards = (one, another) => JSON.stringify(one) === JSON.stringify(another);

  function drawCards(within, cards, marked) {
    const row = Math.floor((wide - 2 * MARGIN) / CARD), chips = cards.slice(0, MOST_CHIPS);
    for (let first = 0; first < chips.length; first += row) {
      const line = shape("g", { class: "e-cards", transform: "translate(0 " + (high + 12) + ")" });
      chips.slice(first, first + row).forEach(([food, trait], nth) => {
        const x = MARGIN + nth * CARD;
        line.append(shape("use", { class: "e-card", href: "#e-" + trait, x }),
          shape("text", { class: differing("e-value", marked.has(first + nth)), x: x + 100 }, pictured(food)));
      });
      within.append(line);
      high += CHIP;
    }
    const rest = cards.slice(MOST_CHIPS).map(([food, trait], nth) => trait + " " + pictured(food) + (marked.has(MOST_CHIPS + nth) ? "*" : ""));
    for (const line of words(rest, ", ", most)) {
      text(within, "e-more", MARGIN, high + 10, line);
      high += LINE;
    }
  }

  function drawBoard(within, board, stand, gone) {
    const rows = [["po", board[0], stand[0]], ["fo", board[1], stand[1]], ["bo", board[2], stand[2]]];
    if (rowsOf(board) === 4) rows.push(["fa", board[3], stand[3]]);
    let y = FIRST_ROW;
    for (const [what, count, before] of rows) {
      if (count !== before)
        within.append(shape("rect", { class: mark, x: 4, y, width: BOARD - 8, height: 14, rx: 4 }),
          shape("text", { class: "e-from " + mark, x: COUNT_AT - 9, y: y + 10 }, before + sign));
      within.append(shape("use", { class: "e-row", href: "#e-" + what + count }));
      y += ROW;
    }
    if (rows.length === 4 && board[2] > board[3])
      within.append(shape("path", { class: "e-free", d: dots(82 + 12 * board[3], y - ROW + 6.5, board[2] - board[3]) }));
    y += 14;
    for (const trait of board[4]) {
      within.append(shape("use", { class: "e-trait", href: "#e-" + trait, x: 8, y }));
      if (!stand[4].includes(trait)) text(within, "e-from " + mark, COUNT_AT, y, since ? "new" : "only here");
      y += CHIP;
    }
    for (const trait of gone) {
      within.append(shape("use", { class: "e-trait e-gone", href: "#e-" + trait, x: 8, y }));
      text(within, "e-from " + mark, COUNT_AT, y, "lost");
      y += CHIP;
    }
  }

  function drawBoards(within, seat, stands, first) {
    const row = seat.boards.slice(first, first + columns), others = stands.slice(first, first + columns);
    const gone = row.map((board, at) => (since && others[at] ? others[at][4].filter((trait) => !board[4].includes(trait)) : []));
    const tall = Math.max(...row.map((board, at) => FIRST_ROW + 4 + ROW * rowsOf(board) + CHIP * (board[4].length + gone[at].length)));
    row.forEach((board, at) => {
      const stand = others[at];
      let role = seat.roles[first + at] || "", kind = "e-board" + (ROLES[role] || "");
      if (stand === null || boardCost(board, stand)) {
        kind += " " + mark;
        if (stand === null) role = [role, since ? "new" : "only here"].filter(Boolean).join(", ");
      }
      const sheet = shape("g", { class: kind, transform: "translate(" + (MARGIN + at * STRIDE) + " " + high + ")" },
        shape("rect", { class: "e-sheet", width: BOARD, height: tall, rx: 6 }),
        shape("text", { class: "e-index", x: 8, y: 15 }, printable(seat.names[first + at])));
      if (role) text(sheet, "e-role", COUNT_AT, 15, role);
      drawBoard(sheet, board, stand || board, gone[at]);
      within.append(sheet);
    });
    high += tall + 8;
  }

  function drawTitle(within, seat, before, isCompared, taken) {
    const kind = differing("e-title", isCompared && (!before || before.title !== seat.title));
    const lines = words(seat.title.split(" "), " ", Math.floor((wide - 2 * MARGIN - taken) / TITLE_LETTER));
    lines.forEach((line, at) => {
      if (at) high += LINE;
      text(within, kind, MARGIN, high, line);
    });
    if (seat.bag === null) return;
    const bag = before ? before.bag : null, place = columns === 1 ? { x: MARGIN, dy: LINE } : { dx: 10 };
    within.lastChild.append(" ", shape("tspan", { class: differing("e-fact", before && bag !== seat.bag), ...place }, "bag " + counted(seat.bag, bag)));
    if (columns === 1) high += LINE;
  }

  function drawNotes(within, seat, stand) {
    const others = stand && stand.seat ? stand.seat.notes : [];
    const notes = seat.notes.map((note) => [note, Boolean(stand) && !others.includes(note)]);
    if (stand && stand.seat)
      notes.push(...stand.gone.map((at) => [(since ? "gone" : "not here") + ": board " + stand.seat.names[at], true]));
    for (const [note, differs] of notes)
      for (const line of words(note.split(" "), " ", most)) {
        text(within, differing("e-note", differs), MARGIN, high + 10, line);
        high += LINE;
      }
    high += notes.length ? 4 : 0;
  }

  function drawSeat(seat, stand, acts) {
    const top = high, before = stand ? stand.seat : null;
    const ground = shape("rect", { class: "e-ground", x: 4, y: top, width: wide - 8, rx: 8 });
    const group = shape("g", { class: acts ? "e-seat e-acts" : "e-seat" }, ground);
    high += 16;
    drawTitle(group, seat, before, Boolean(stand), acts ? ACTS : 0);
    if (acts) text(group, "e-role", wide - MARGIN, top + 16, "acts");
    high += 8;
    drawNotes(group, seat, stand);
    for (let first = 0; first < seat.boards.length; first += columns) drawBoards(group, seat, stand ? stand.boards : seat.boards, first);
    if (!seat.boards.length) {
      text(group, "e-fact", MARGIN, high + 10, "no boards");
      high += LINE + 3;
    }
    if (seat.hand !== null) {
      const hand = before ? before.hand : null;
      const count = counted(String(seat.hand.length), was(hand));
      text(group, differing("e-hand", hand && !sameCards(hand, seat.hand)), MARGIN, high + 10, cardCount("hand", count, seat.hand.length));
      high += LINE;
      drawCards(group, seat.hand, stand && hand ? stand.cards : new Set());
      high += 6;
    }
    ground.setAttribute("height", high - top);
    picture.append(group);
    high += 8;
  }

  if (scene.hole !== null) {
    const hole = /^\d+$/.test(scene.hole) ? Number(scene.hole) : Infinity;
    text(picture, "e-title", MARGIN, high + 11, "watering hole");
    let x = MARGIN + 102;
    if (hole > 0 && hole <= Math.min(MOST_DOTS, Math.floor((wide - 174) / 12))) {
      picture.append(shape("path", { class: "e-food", d: dots(x + 5, high + 7, hole) }));
      x += 12 * hole + 6;
    }
    text(picture, differing("e-hole", other && other.hole !== scene.hole), x, high + 11, counted(scene.hole, other ? other.hole : null));
    high += 24;
  }
  const stands = other ? counterparts(scene, other) : [];
  scene.seats.forEach((seat, at) => drawSeat(seat, stands[at] || null, at === scene.acting));
  if (scene.deck !== null) {
    const count = counted(String(scene.deck.length), other ? was(other.deck) : null);
    text(picture, differing("e-deck", other && !sameCards(other.deck, scene.deck)), MARGIN, high + 11, cardCount("deck", count, scene.deck.length));
    high += LINE + 3;
    drawCards(picture, scene.deck, other ? newCards(scene.deck, other.deck) : new Set());
    high += 8;
  }
  high += MARGIN - 8;
  paper.setAttribute("height", high);
  picture.setAttribute("viewBox", "0 0 " + wide + " " + high);
  return picture;
}

// --- pictures beside each other -----------------------------------------------------------------------------------

/** Pictures with titles beside each other, as many as there is room for: triples of a title, a scene and its marks. */
function gallery(pictures, isWide = false) {
  const fits = Math.max(1, Math.floor(Math.min(innerWidth, 1216) / 230));
  const seats = pictures.flatMap(([, scene]) => scene.seats);
  const most = Math.max(1, ...seats.map(({ boards, hand }) => Math.max(boards.length, Math.min(2, hand ? hand.length : 0))));
  const columns = Math.min(fits, isWide ? 5 : 2, most);
  const figures = pictures.map(([title, scene, marks]) => {
    const picture = draw(scene, { columns, ...marks }), [, , wide, high] = picture.getAttribute("viewBox").split(" ");
    // On paper a picture that is not much too tall is made as small as a sheet; others go over several.
    const figure = make("figure", { className: high < MOST_TALL * wide ? "whole" : "" }, make("figcaption", {}, title), picture);
    figure.style.setProperty("--natural", wide + "px");
    return figure;
  });
  return make("div", { className: isWide ? "gallery wide" : "gallery" }, ...figures);
}

/** A case in pictures: before, expected, printed, with what differs marked. Null if there are none of it. */
function casePictures(input, expected, printed) {
  const before = sceneOfInput(input);
  if (!before) return null;
  const right = sceneOfAnswer(input, expected), wrong = sceneOfAnswer(input, printed);
  const isOnInput = (scene) => scene && scene.seats.some((seat, at) => seat.notes.length && !before.seats[at]?.notes.length);
  const found = isOnInput(right) || isOnInput(wrong) ? [] : [["Before", before, {}]]; // a choice is shown on the input
  if (right) found.push(["Expected", right, wrong ? { unlike: wrong } : {}]);
  if (wrong) found.push(["Printed", wrong, right ? { unlike: right } : {}]);
  return gallery(found);
}

return { draw, gallery, ofCase: casePictures, ofInput: sceneOfInput, ofAnswer: sceneOfAnswer };
})();
