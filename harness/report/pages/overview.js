// A class at a glance: charts of bars, the rules that are understood least, and teams by rules.
// Each bar is [from, to, who is there], or how many if nobody is to be named.

const Overview = (() => {
  function svg(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const sizeOf = ([, , who]) => (Array.isArray(who) ? who.length : who);
  const short = (value) => (Math.round(value * 100) / 100).toLocaleString("en");
  const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + short(Math.abs(value));
  const seconds = (value) => (value && value < 1 ? short(value * 1000) + " ms" : value < 120 ? short(value) + " s" : short(value / 60) + " min");

  // Of each chart: its title, what stands below some of its bars, and what a bar is in words.
  const CHARTS = {
    marks: {
      title: "Points", things: ["team", "teams"],
      tick: ([from], at) => (at % 2 ? "" : short(from)), end: (to) => short(to),
      words: ([from, to], last) => short(from) + (last ? " points or more" : " to " + short(to) + " points"),
    },
    cases: {
      title: "Cases passed by", things: ["case", "cases"],
      tick: ([from, to]) => (to === 0 ? "nobody" : from === 100 ? "all" : from === 50 ? "half" : ""),
      words: ([from, to]) => "passed by " + (to === 0 ? "no team" : from === 100 ? "all teams" : short(from) + " to " + short(to) + " % of the teams"),
    },
    time: {
      title: "Time for all cases", things: ["team", "teams"],
      tick: ([from], at, bars) => (bars.length > 6 && at % 2 ? "" : seconds(from)), end: (to) => seconds(to),
      words: ([from, to]) => seconds(from) + " to " + seconds(to),
    },
    change: {
      title: "Change of points", things: ["team", "teams"],
      tick: ([from, to], at, bars) => (from === to ? "0" : from < 0 ? (at ? "" : signed(from)) : at === bars.length - 1 ? signed(to) : ""),
      words: ([from, to]) => (from === to ? "as before" : signed(from) + " to " + signed(to) + " points"),
      kind: ([from, to]) => (from === to ? " same" : from < 0 ? " worse" : ""),
    },
  };
  const WIDE = 280, HIGH = 132, TOP = 18, BASE = 110, LETTER = 7.2;

  const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
  const countOf = (number, [one, many]) => count(number, one, many);

  /** What a bar of a chart is, in words. */
  function barWords(name, bar, isLast) {
    return countOf(sizeOf(bar), CHARTS[name].things) + ": " + CHARTS[name].words(bar, isLast);
  }

  const tickAt = (x, kind, label) => svg("text", { class: "tick " + kind, x, y: HIGH - 5 }, label);

  function chart(name, bars, { chosen = -1, linked = false, subtitle = "", title = CHARTS[name].title } = {}) {
    const { tick, end, kind = () => "", things } = CHARTS[name];
    const most = Math.max(1, ...bars.map(sizeOf)), step = WIDE / bars.length;
    const drawn = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: linked ? "group" : "img", "aria-label": title });
    const last = bars.length && end ? end(bars[bars.length - 1][1]) : "", room = WIDE - LETTER * (last.length + 1);
    let free = 0; // where the next label may begin
    bars.forEach((bar, at) => {
      const size = sizeOf(bar), x = at * step, high = size ? Math.max(2, (BASE - TOP) * size / most) : 0;
      const inside = [
        svg("rect", { class: "hit", x, y: 0, width: step, height: BASE }),
        svg("rect", { class: "column" + kind(bar), x: x + 1.5, y: BASE - high, width: Math.max(1, step - 3), height: high, rx: 2 }),
        ...(size ? [svg("text", { class: "size", x: x + step / 2, y: BASE - high - 5 }, short(size))] : []),
      ];
      const words = barWords(name, bar, at === bars.length - 1), heading = svg("title", {}, words);
      drawn.append(linked && size
        ? svg("a", { href: "#" + name + "=" + at, class: at === chosen ? "bar chosen" : "bar", "aria-label": words, "aria-current": at === chosen ? "true" : null }, heading, ...inside)
        : svg("g", { class: "bar", role: linked ? "img" : null, "aria-label": linked ? words : null }, heading, ...inside));
      const label = tick(bar, at, bars), isLast = at === bars.length - 1;
      if (!label) return;
      if (at && isLast && !end) drawn.append(tickAt(WIDE, "last", label));
      else if (at && !end) drawn.append(tickAt(x + step / 2, "middle", label));
      else if (x >= free && x + LETTER * label.length <= room) {
        drawn.append(tickAt(x + 1, "", label));
        free = x + LETTER * (label.length + 1);
      }
    });
    if (last) drawn.append(tickAt(WIDE, "last", last));
    drawn.append(svg("line", { class: "base", x1: 0, x2: WIDE, y1: BASE, y2: BASE }));
    const caption = make("figcaption", {}, make("b", {}, title), make("span", { className: "quiet" }, subtitle || countOf(bars.reduce((sum, bar) => sum + sizeOf(bar), 0), things)));
    return make("figure", { className: "sheet" }, caption, drawn);
  }

  const ROW = 24, MOST_LETTERS = 43;

  /** The sections of the rules that most of the cases resting on them fail, the worst first. */
  function leastUnderstood(rules, linked, most = 8) {
    const worst = rules.map((rule, at) => ({ rule, at, share: rule[2] / rule[3] })).filter(({ share }) => share > 0)
      .sort((one, other) => other.share - one.share).slice(0, most);
    const drawn = svg("svg", { viewBox: `0 0 ${WIDE} ${Math.max(1, worst.length) * ROW}`, class: "chart", role: linked ? "group" : "img", "aria-label": "The rules that are understood least" });
    worst.forEach(({ rule: [number, title, failed, of, misread], at, share }, row) => {
      const y = row * ROW, words = `${number} ${title}: ${percent(share)} of ${of.toLocaleString("en")} answers fail, ${countOf(misread, ["team misreads", "teams misread"])} it`;
      const told = percent(share) + (misread ? ", misread by " + misread : "");
      const inside = [
        svg("title", {}, words),
        svg("rect", { class: "hit", x: 0, y, width: WIDE, height: ROW }),
        svg("rect", { class: "column track", x: 0, y: y + 15, width: WIDE, height: 5, rx: 2.5 }),
        svg("rect", { class: "column worse", x: 0, y: y + 15, width: Math.max(2, WIDE * share), height: 5, rx: 2.5 }),
        svg("text", { class: "name", x: 0, y: y + 11 }, cut(`${number} ${title}`, MOST_LETTERS - told.length)),
        svg("text", { class: "tick last", x: WIDE, y: y + 11 }, told),
      ];
      drawn.append(linked ? svg("a", { href: "#rules=" + at, class: "bar", "aria-label": words }, ...inside) : svg("g", { class: "bar" }, ...inside));
    });
    const all = worst.length ? "share of answers that fail" : "no answer fails";
    return make("figure", { className: "sheet" }, make("figcaption", {}, make("b", {}, "Rules understood least"), make("span", { className: "quiet" }, all)), ...(worst.length ? [drawn] : []));
  }

  const percent = (share) => (share > 0 && share < 0.01 ? "< 1" : share < 1 && share > 0.99 ? "> 99" : Math.round(100 * share)) + " %";

  // --- teams by rules ----------------------------------------------------------------------------

  const STEPS = [0.1, 0.25, 0.5, 0.999];
  const LEGEND = ["none fails", "to 10 %", "to 25 %", "to 50 %", "more", "all fail"];

  /** How dark a cell is: -1 if nothing was asked, 0 if nothing fails, up to 5 if everything does. */
  function level(failed, of) {
    return !of ? -1 : !failed ? 0 : 1 + STEPS.filter((step) => failed / of > step).length;
  }

  /** What a team makes of a section: failures, of how many, and how many are misread. */
  const cellOf = (O, team, rule) => O.byTeam[team].slice(3 * rule, 3 * rule + 3);

  function cellWords(O, team, name, rule) {
    const [failed, of, misread] = cellOf(O, team, rule), [number, title] = O.rules[rule];
    return `${name}, ${number} ${title}: ` + (of ? `fails ${failed} of ${countOf(of, ["case", "cases"])}` + (misread ? ", misreads it" : "") : "not asked");
  }

  const COLUMN = 20, HEAD = 34, ROWS = 460;

  /** The cells of a map: one path for each shade, so that those of 500 teams are a few elements. */
  function shapesOf(O, teams, left, high) {
    const shades = LEGEND.map(() => []), misread = [], cell = high > 4 ? high - 1 : high;
    for (let team = 0; team < teams; team += 1) {
      const y = HEAD + team * high;
      for (let rule = 0; rule < O.rules.length; rule += 1) {
        const [failed, of, marks] = cellOf(O, team, rule), shade = level(failed, of), x = left + rule * COLUMN;
        if (shade >= 0) shades[shade].push(`M${x} ${y.toFixed(2)}h${COLUMN - 1}v${cell.toFixed(2)}h${1 - COLUMN}z`);
        if (marks && high > 6) misread.push(`M${x + (COLUMN - 1) / 2} ${(y + cell / 2).toFixed(2)}h0`);
      }
    }
    const marks = misread.length ? ["misread ring", "misread"].map((kind) => svg("path", { class: kind, d: misread.join("") })) : [];
    return [...shades.map((shapes, shade) => svg("path", { class: "h" + shade, d: shapes.join("") })), ...marks];
  }

  /** A map of teams by rules: a row for each team, the best first, as thin as it must be for all to be seen. */
  function heatMap(O, names, open) {
    const high = Math.min(16, Math.max(0.9, ROWS / names.length)), named = high > 11;
    const left = named ? Math.min(124, 14 + 6.7 * Math.max(...names.map((name) => name.length))) : 36;
    const columns = O.rules.length, width = left + columns * COLUMN, height = HEAD + names.length * high;
    const drawn = svg("svg", { viewBox: `0 0 ${width} ${height + 2}`, class: "heat-map", role: "img", "aria-label": "Teams by rules: how many of the cases that rest on a section fail. The table of rules says the same." });
    const told = make("p", { className: "told quiet" }, "A row is a team, the best first; a column is a section of the rules.");
    const cells = svg("g", {}), cursor = svg("rect", { class: "cursor", width: COLUMN - 1, height: Math.max(high - 1, 2), x: -99 });
    drawn.style.setProperty("--natural", width + "px");
    drawn.append(cells);
    requestAnimationFrame(() => setTimeout(() => cells.append(...shapesOf(O, names.length, left, high)))); // when the rest can be seen
    O.rules.forEach(([number], rule) => {
      const x = left + rule * COLUMN, chapter = number.split(".")[0];
      if (!rule || O.rules[rule - 1][0].split(".")[0] !== chapter) {
        drawn.append(svg("text", { class: "chapter", x, y: 11 }, chapter));
        drawn.append(svg("line", { class: "base", x1: x - 0.5, x2: x - 0.5, y1: 2, y2: height }));
      }
      drawn.append(svg("text", { class: "tick middle", x: x + (COLUMN - 1) / 2, y: HEAD - 6 }, number.includes(".") ? "." + number.split(".")[1] : "–"));
    });
    const every = Math.max(1, Math.ceil(14 / high)), step = named ? 1 : [5, 10, 25, 50, 100, 250, 500, 1000].find((one) => one >= every) || every;
    names.forEach((name, team) => {
      if (named) drawn.append(svg("text", { class: "name last", x: left - 6, y: HEAD + team * high + high / 2 + 3.5 }, cut(name, 18)));
      else if (!team || (team + 1) % step === 0) drawn.append(svg("text", { class: "tick last", x: left - 6, y: HEAD + team * high + Math.min(high, 8) / 2 + 3.5 }, String(team + 1)));
    });
    drawn.append(cursor);
    const at = (event) => {
      const box = drawn.getBoundingClientRect(), scale = width / box.width;
      const rule = Math.floor(((event.clientX - box.left) * scale - left) / COLUMN), team = Math.floor(((event.clientY - box.top) * scale - HEAD) / high);
      return rule >= 0 && rule < columns && team >= 0 && team < names.length ? { team, rule } : null;
    };
    drawn.addEventListener("pointermove", (event) => {
      const place = at(event);
      cursor.setAttribute("x", place ? left + place.rule * COLUMN : -99);
      cursor.setAttribute("y", place ? HEAD + place.team * high : 0);
      if (place) told.textContent = cellWords(O, place.team, names[place.team], place.rule);
    });
    drawn.addEventListener("click", (event) => {
      const place = at(event);
      if (place) open(place);
    });
    const legend = make("span", { className: "legend" }, ...LEGEND.map((words, shade) => make("span", {}, make("i", { className: "h" + shade }), words)), make("span", {}, make("i", { className: "h4 misread" }), "misread"));
    return [make("div", { className: "wide" }, drawn), legend, told];
  }

  return { chart, barWords, leastUnderstood, heatMap, level, cellOf, cellWords, percent };
})();
