"""What every SVG picture is made of: icons, rows of tokens, and the style with its colours.

Each symbol is defined once in a document and used wherever it stands, so that a picture is small. The
names of all classes and symbols begin with `e-`: a picture can stand in any page.
"""

from evolution.traits import MOST, TRAITS

# What a trait is for says its colour; the icon and the name say which it is.
HUNTER, GUARD, EATER = "hunter", "guard", "eater"

# Each icon is a line drawn in a square of 12.
ICONS = {
    "ambush": (HUNTER, "M1 6q5-5 10 0q-5 5-10 0zM6 4v4"),
    "burrowing": (GUARD, "M1 5h2.5M8.5 5H11M3.5 5q0 5.5 2.5 5.5T8.5 5zM4.5 2.5l1.5-1.5 1.5 1.5"),
    "carnivore": (HUNTER, "M1 2.5h10l-1.5 5-1.7-5L6 10 4.2 2.5l-1.7 5z"),
    "climbing": (GUARD, "M6 11V1.5M3 4.5l3-3 3 3M3.5 8.5L6 6l2.5 2.5"),
    "cooperation": (EATER, "M1 4h9L7.5 1.5M11 8H2l2.5 2.5"),
    "fat-tissue": (EATER, "M6 1q4 4.5 4 6.5a4 3.5 0 0 1-8 0q0-2 4-6.5z"),
    "fertile": (EATER, "M6 11V5.5q-4.5 0-4.5-4 4.5 0 4.5 4M6 7q4.5 0 4.5-3.5Q6 3.5 6 7"),
    "foraging": (EATER, "M3.5 6.5a2 2 0 1 0 .1 0zM8.5 6.5a2 2 0 1 0 .1 0zM3.5 6.5Q4 3 7 1q1.5 2 1.5 5.5"),
    "hard-shell": (GUARD, "M1 9.5a5 6.5 0 0 1 10 0zM6 3v6.5M3 4.8l1 4.7M9 4.8L8 9.5"),
    "herding": (GUARD, "M3.5 5a1.5 1.5 0 1 0-.1 0zM8.5 5a1.5 1.5 0 1 0-.1 0zM6 10.5a1.5 1.5 0 1 0-.1 0z"),
    "horns": (GUARD, "M2 1q-1.5 6 4 9 5.5-3 4-9-.5 4-4 5-3.5-1-4-5z"),
    "long-neck": (EATER, "M9.5 2H7q-1 0-1 1.5V7.5q-3 0-4 3.5M6 7.5q2 .5 2 3.5"),
    "pack-hunting": (HUNTER, "M3 1.5l2 3.5H1zM9 1.5l2 3.5H7zM6 6.5l2 3.5H4z"),
    "scavenger": (EATER, "M3.5 3.5l5 5M3.5 3.5Q1 3.5 2 2t1.5 1.5M8.5 8.5Q11 8.5 10 10t-1.5-1.5"),
    "symbiosis": (GUARD, "M4.5 3a3 3 0 1 0 .1 0zM7.5 3a3 3 0 1 0 .1 0z"),
    "warning-call": (GUARD, "M1 4.5v3h2l3.5 2.5V2L3 4.5zM8.5 4q1.5 2 0 4M10 2.5q2.5 3.5 0 7"),
}

# The tokens of a row, 12 apart: population are triangles, food dots, bodies squares, fat diamonds. For each
# the place of the first one in its row, and the outline from there.
SHAPES = {
    "population": (82, 1.5, "l5 9h-10z"),
    "food": (82, 6.5, "h0"),
    "body": (78, 2.5, "h8v8h-8z"),
    "fat": (82, 1.5, "l4.5 5-4.5 5-4.5-5z"),
}
COUNT = 190  # where the number of a row ends
ROW = 15  # how high a row is
FIRST_ROW = 20  # where the first one begins


def tokens(x: float, y: float, shape: str, count: int) -> str:
    """The path of so many tokens in a row."""
    return f"M{x:g} {y:g}{shape}" + f"m12 0{shape}" * (count - 1)


def _row(what: str, top: int, count: int) -> str:
    """A row of a board: what it is, its tokens, and how many there are."""
    x, y, shape = SHAPES[what]
    drawn = f'<path class="e-{what}" d="{tokens(x, top + y, shape, count)}"/>' if count else ""
    if what == "population" and count:  # one place for food each
        drawn += f'<path class="e-free" d="{tokens(x, top + ROW + 6.5, "h0", count)}"/>'
    return (
        f'<g id="e-{what[:2]}{count}" class="e-tokens">'
        f'<text class="e-label" x="8" y="{top + 10}">{what}</text>{drawn}'
        f'<text class="e-count" x="{COUNT}" y="{top + 10}">{count}</text></g>'
    )


def _chip(trait: str) -> str:
    """A trait, whose name has its beginning at 21 and its base line at 0."""
    kind, path = ICONS.get(trait, (EATER, "M6 2v8M2 6h8"))  # a trait of somebody's own has a cross
    return (
        f'<g id="e-{trait}" class="e-{kind}"><rect class="e-chip" y="-12" width="96" height="16" rx="8"/>'
        f'<path class="e-icon" transform="translate(5 -10)" d="{path}"/>'
        f'<text class="e-name" x="21">{trait}</text></g>'
    )


def _symbols() -> dict[str, str]:
    found = {
        f"e-{what[:2]}{count}": _row(what, FIRST_ROW + at * ROW, count)
        for at, what in enumerate(SHAPES)
        for count in range(MOST + 1)
    }
    return found | {f"e-{trait}": _chip(trait) for trait in TRAITS}


SYMBOLS = _symbols()


def symbol(name: str) -> str:
    """The definition of a symbol; a trait may have come to the table after this module."""
    return SYMBOLS.get(name) or _chip(name.removeprefix("e-"))


# Each colour by daylight and in the dark. They can be told apart by the colour-blind, and by their greys.
COLOURS = {
    "paper": ("#fff", "#16181a"),
    "ground": ("#f3f1ea", "#25292b"),
    "sheet": ("#fff", "#1d2022"),
    "ink": ("#23261f", "#e3e4de"),
    "quiet": ("#62665c", "#a3a79d"),
    "line": ("#c9c6ba", "#4a4f52"),
    "food": ("#d98200", "#f0ac3c"),
    "population": ("#0067a5", "#62b4ea"),
    "body": ("#7d6b5d", "#b7a392"),
    "fat": ("#b59b00", "#e6d64a"),
    "hunter": ("#a33b00", "#e88b57"),
    "hunter-ink": ("#fff", "#2a0f00"),
    "guard": ("#d3e6f3", "#1f3f55"),
    "guard-ink": ("#0d3f60", "#cfe6f7"),
    "eater": ("#8fcfb0", "#2d6b50"),
    "eater-ink": ("#08301f", "#dcf5e8"),
    "change": ("#6a3d9a", "#c9a6ee"),
    "changed": ("#ece2f7", "#3a2c4d"),
    "differ": ("#b23a2a", "#ec8a7a"),
    "differs": ("#fbe3de", "#4a2621"),
}


def _colours(at: int) -> str:
    return ".e-picture{" + "".join(f"--e-{name}:{pair[at]};" for name, pair in COLOURS.items()) + "}"


FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif'
STYLE = (
    f"""\
.e-picture{{font:10.5px {FONT}}}
{_colours(0)}
@media (prefers-color-scheme:dark){{{_colours(1)}}}
@media print{{{_colours(0)}}}
"""
    + """\
.e-picture text,.e-count{fill:var(--e-ink)}
.e-paper{fill:var(--e-paper)}
.e-ground{fill:var(--e-ground)}
.e-sheet{fill:var(--e-sheet);stroke:var(--e-line)}
.e-acts>.e-ground{stroke:var(--e-ink);stroke-width:1.5}
.e-title,.e-role{font-weight:600}
.e-title{font-size:12px}
tspan.e-fact{font-size:10.5px;font-weight:400}
text.e-label,text.e-fact,tspan.e-fact,text.e-index{fill:var(--e-quiet)}
.e-role,.e-count,.e-from{text-anchor:end}
.e-count,.e-index{font-variant-numeric:tabular-nums}
.e-food,.e-free{stroke:var(--e-food);stroke-width:9;stroke-linecap:round}
.e-free{stroke:var(--e-quiet);stroke-width:3}
.e-population{fill:var(--e-population)}
.e-body{fill:var(--e-body)}
.e-fat{fill:var(--e-fat)}
.e-icon{fill:none;stroke:currentColor;stroke-width:1.2;stroke-linejoin:round;stroke-linecap:round}
.e-hunter{color:var(--e-hunter-ink)}
.e-guard{color:var(--e-guard-ink)}
.e-eater{color:var(--e-eater-ink)}
.e-hunter .e-chip{fill:var(--e-hunter)}
.e-guard .e-chip{fill:var(--e-guard)}
.e-eater .e-chip{fill:var(--e-eater)}
text.e-name{fill:currentColor}
.e-gone{opacity:.5}
.e-attacker>.e-sheet{stroke:var(--e-hunter);stroke-width:2}
.e-target>.e-sheet{stroke:var(--e-hunter);stroke-width:2;stroke-dasharray:5 3}
.e-fed>.e-sheet{stroke:var(--e-food);stroke-width:2}
.e-changed>.e-sheet{stroke:var(--e-change);stroke-width:2}
.e-differs>.e-sheet{stroke:var(--e-differ);stroke-width:2.5}
rect.e-changed{fill:var(--e-changed)}
rect.e-differs{fill:var(--e-differs)}
text.e-changed,tspan.e-changed{fill:var(--e-change);font-weight:700}
text.e-differs,tspan.e-differs{fill:var(--e-differ);font-weight:700}
"""
)
