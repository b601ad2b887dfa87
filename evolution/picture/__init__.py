"""Pictures of the game: a table as SVG, and as text for terminals.

    >>> from evolution import read_configuration
    >>> from evolution.picture import draw
    >>> table = read_configuration('[[[["id",1],["species",[[["food",1],["body",0],'
    ...                            '["population",2],["traits",["horns"]]]]],["bag",0]]],3,[]]')
    >>> picture = draw(table)
    >>> picture.svg[:4]
    '<svg'
    >>> print(picture.text())
    watering hole ●●● 3
    player 0 (id 1)  bag 0  acts
      0  population ▲▲ 2       food ●· 1       body 0
         horns
      hand: no cards
    deck: no cards

What `draw` gives is shown by notebooks as it is. What is drawn is a scene (`evolution.picture.scene`): a
table as the dealer sees it, or as one of its players does, a State, a Situation, a Choice, a Feeding.
"""

from evolution.choices import State
from evolution.picture.scene import Scene, of_state, of_table
from evolution.table import Table


class Picture:
    """A scene and how it is marked: as SVG, and as text."""

    __slots__ = ("columns", "scene", "since", "unlike")

    def __init__(
        self, scene: Scene, since: "Scene | None", unlike: "Scene | None", columns: "int | None"
    ) -> None:
        self.scene = scene
        self.since = since
        self.unlike = unlike
        self.columns = columns

    @property
    def svg(self) -> str:
        """The picture as an SVG document."""
        from evolution.picture.svg import svg

        return svg(self.scene, since=self.since, unlike=self.unlike, columns=self.columns)

    def text(self, coloured: bool = False) -> str:
        """The picture as text of at most 80 columns."""
        from evolution.picture.text import text

        return text(self.scene, since=self.since, unlike=self.unlike, coloured=coloured)

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return self.svg


def scene_of(thing: "Scene | State | Table") -> Scene:
    """The scene of a table or a State; a scene is one already."""
    if isinstance(thing, Scene):
        return thing
    return of_state(thing) if isinstance(thing, State) else of_table(thing)


def draw(
    thing: "Scene | State | Table",
    *,
    since: "Scene | State | Table | None" = None,
    unlike: "Scene | State | Table | None" = None,
    columns: "int | None" = None,
) -> Picture:
    """A picture of a table, a State or a scene.

    since: mark what has changed since this one, and from what. unlike: mark in what it differs from this
    one. columns: how many boards stand beside each other.
    """
    before = None if since is None else scene_of(since)
    other = None if unlike is None else scene_of(unlike)
    return Picture(scene_of(thing), before, other, columns)
