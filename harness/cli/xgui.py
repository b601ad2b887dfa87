"""xgui's command line: any input of any program as a picture."""

import os
import sys

import click

from evolution.picture import draw
from evolution.picture.scene import Scene
from evolution.picture.svg import START as SVG_START
from evolution.picture.values import program_for, views
from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness import NO_OUTPUT, REFUSED, __version__
from harness.cli.group import subcommand
from harness.cli.parameters import file_option, flag, page_option
from harness.errors import WrongUse
from harness.programs.answering import complain, read_input, refused, write
from harness.report.colours import wants_colour

Views = list[tuple[str, Scene]]

NAME = "xgui"
PLAYERS = "-player"  # what the name of the player's picture has more than the dealer's


@subcommand
@file_option(
    "--svg",
    help="Write the dealer's view to FILE, as SVG, and the player's to FILE with -player before its ending. "
    "- writes the one of --view to standard output.",
)
@page_option()
@flag("--text", "as_text", help="Print text of at most 80 columns.")
@click.option(
    "--view", type=click.Choice(("dealer", "player")), help="Show one view, and not the other. Default: both."
)
@flag("--no-open", help="Do not open the page in the browser; only print its path.")
@click.version_option(__version__, prog_name=NAME)
def xgui(svg: "str | None", html: "str | None", as_text: bool, view: "str | None", no_open: bool) -> int:
    """Show any input of any program as a picture.

    Reads a Situation, a Feeding, a State, a Configuration with or without actions, or a Choice from
    standard input, and shows it as the dealer sees it and as the first player does. What is hidden
    from the player is not in its picture. Without options, a page is opened in the browser and its
    path printed, or text is printed if standard output is not a terminal.

    \b
    Examples:
      xgui < test-fixtures/xstep/attack-takes-population-and-feeds-in.json
      xstep < case-in.json | xgui --text
      xgui --html table.html --no-open < case-in.json

    \b
    Exit status: 0 shown; 65 the input is refused, with the line of the program whose input it looks
    like; 2 the command line is wrong; 74 the input could not be read, or a file could not be
    written.
    """
    if svg == "-" and view is None:
        raise WrongUse("--svg: standard output takes one picture; say which: --view dealer|player")
    for option, path, start in (("--svg", svg, SVG_START.encode()), ("--html", html, _page_start())):
        if path is not None:
            _check_file(option, path, start)
    data, program = b"", NAME
    try:
        data = read_input()
        value = parse(data)
        program = program_for(value)
        shown = _chosen(views(value), view)
    except BadInput as problem:
        complain(program, refused(data, problem))
        return REFUSED
    except OSError as problem:
        complain(NAME, f"cannot read standard input: {problem.strerror}")
        return NO_OUTPUT
    return _show(shown, svg, html, as_text, no_open)


def _page_start() -> bytes:
    from harness.report.pictures import START

    return START


def _check_file(option: str, path: str, start: bytes) -> None:
    from harness.report import check_target

    for one in _names(path) if option == "--svg" else [path]:
        check_target(option, one, start)


def _names(path: str) -> list[str]:
    """The files of the dealer's picture and of the player's; what is no file, such as a pipe, takes one."""
    if path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
        return [path]
    stem, ending = os.path.splitext(path)
    return [path, f"{stem}{PLAYERS}{ending}"]


def _chosen(shown: "Views", view: "str | None") -> "Views":
    """The views that are wanted; if all see the same, there is but one."""
    if view is None:
        return shown
    return shown[:1] if view == "dealer" else shown[-1:]


def _show(shown: "Views", svg: "str | None", html: "str | None", as_text: bool, no_open: bool) -> int:
    if svg is not None:
        from harness.report import write_file

        for path, (_, scene) in zip(_names(svg), shown, strict=False):
            write_file("svg", path, draw(scene).svg.encode())
    if html is not None:
        _write_page(shown, html)
    is_asked = svg is not None or html is not None
    if as_text or not (is_asked or no_open or (sys.stdout and sys.stdout.isatty())):
        return write(NAME, _text(shown).encode())
    return 0 if is_asked and not no_open else _open(shown, html, no_open)


def _text(shown: "Views") -> str:
    coloured = sys.stdout is not None and wants_colour(sys.stdout)
    texts = [draw(scene).text(coloured) for _, scene in shown]
    if len(texts) == 1:
        return f"{texts[0]}\n"
    return "\n".join(f"{title}\n\n{text}\n" for (title, _), text in zip(shown, texts, strict=True))


def _write_page(shown: "Views", path: str) -> None:
    from harness.report.pictures import Item, write_page_of_pictures

    item = Item([(title, scene, None) for title, scene in shown], wide=True)
    write_page_of_pictures(path, "A table of Evolution", NAME, [item])


def _open(shown: "Views", path: "str | None", no_open: bool) -> int:
    """Open the page in the browser, unless it is not to be, and print its path."""
    if path is None:
        import tempfile

        descriptor, path = tempfile.mkstemp(prefix="xgui-", suffix=".html")
        os.close(descriptor)
        _write_page(shown, path)
    if not no_open:
        _open_in_browser(path)
    return write(NAME, os.fsencode(f"{path}\n"))


def _open_in_browser(path: str) -> None:
    """Open a file in the browser, if there is a screen and a browser on it."""
    if not any(map(os.environ.get, ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"))):
        return
    import webbrowser
    from contextlib import suppress
    from pathlib import Path

    with suppress(OSError, webbrowser.Error):
        webbrowser.open(Path(path).resolve().as_uri())
