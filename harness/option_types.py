"""What options of click commands take, where several commands take the same."""

import click

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class File(click.Path):
    """The name of a file, a directory or a program: an empty one, of a variable that is not set, is none."""

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> "Any":
        """The name."""
        if not value:
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)
