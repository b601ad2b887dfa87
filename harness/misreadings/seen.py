"""Misreadings that programs of real teams were seen to have: the ones to expect first."""

SEEN = frozenset(
    (
        "a-fat-store-takes-the-whole-need",
        "a-feeding-step-turns-the-table",
        "cards-are-sorted-by-trait-alone",
        "cooperation-comes-before-foraging",
        "cooperation-passes-on-once",
        "drawn-cards-go-to-the-end",
        "eight-is-legal",
        "equal-cards-have-one-number",
        "equal-cards-leave-together",
        "fat-need-is-what-the-population-lacks",
        "hard-shell-gives-way-at-three",
        "herding-gives-way-to-equals",
        "horns-strike-after-the-meal",
        "long-neck-comes-before-fertile",
        "new-boards-cannot-be-named",
        "of-equal-cards-the-first-leaves",
        "replacing-fat-tissue-empties-the-store",
        "scavenging-starts-with-the-first-player",
        "size-looks-at-the-food-first",
        "the-attacker-does-not-scavenge",
        "the-hole-is-clamped-once",
        "the-last-board-is-nobodys-right-neighbour",
        "the-others-come-in-the-order-of-the-table",
        "ties-go-to-the-later-board",
        "traits-of-new-boards-are-written-as-cards",
        "warning-call-protects-its-owner",
        "who-is-out-comes-back",
    )
)
