"""The designs whose players can be seated, by the word that names each, and their adapters."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The word that stands in front of FILE:CLASS, and the adapter: its module and its class.
DESIGNS = {
    "stepwise": ("stepwise", "Stepwise"),
    "cardwise": ("cardwise", "Cardwise"),
    "table": ("tablewise", "Tablewise"),
}


def adapted(design: str, player: "Any") -> "Any":
    """A native player that asks this player of another design; the player itself if design is ""."""
    if not design:
        return player
    from importlib import import_module

    module, name = DESIGNS[design]
    return getattr(import_module(f"evolution.designs.{module}"), name)(player)
