// A page of pictures: each item has a title, sentences, pictures, and perhaps the texts that they are drawn from.

function sideOf(title, content) {
  return make("div", {}, make("h3", {}, title), content);
}

function textsOf([input, expected, printed]) {
  const sides = expected !== null && printed !== null ? compared(expected, printed, false) : [expected, printed].map((text) => text && block(text));
  const named = [["Input", block(input)], ["Expected", sides[0]], ["Printed", sides[1]]].filter(([, content]) => content);
  return make("details", { className: "texts" }, make("summary", {}, "As JSON"),
    make("div", { className: "sides" }, ...named.map(([title, content]) => sideOf(title, content))));
}

function itemOf({ title, groups, pictures, wide, texts }) {
  const item = make("section", { className: "item" });
  if (title) item.append(make("h2", {}, visible(title)));
  const [first = [], ...others] = groups.map(([heading, lines]) =>
    [make("h3", {}, heading), make("ul", {}, ...lines.map((line) => make("li", {}, visible(line))))]);
  item.append(...first);
  const scenes = pictures.map(([, scene]) => scene);
  item.append(Pictures.gallery(pictures.map(([caption, scene, unlike]) => [caption, scene, unlike === null ? {} : { unlike: scenes[unlike] }]), wide));
  item.append(...others.flat());
  if (texts) item.append(textsOf(texts));
  return item;
}

const items = [...document.querySelectorAll("script.item")].map((element) => JSON.parse(element.textContent));
function drawItems() {
  document.getElementById("items").replaceChildren(...items.map(itemOf));
}
drawItems();
let drawnAt = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== drawnAt) drawItems();
  drawnAt = innerWidth;
});
