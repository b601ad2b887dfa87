"""What the pages are made of: templates, styles and scripts in pages/, put together in one file.

A page fetches nothing and runs no script but its own: its security policy names the fingerprints of
the one script and the one style that are in it. What programs have printed goes into a page as data,
in script elements that are not run, and the page's script turns it into text.
"""

import os

# Not when it is first used: an interrupt while it is being loaded ends the process.
import orjson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from jinja2 import Environment
    from markupsafe import Markup

PICTURES = "picture"  # the piece that draws tables
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pages")

# In JSON these can be written so that no parser of HTML or of scripts takes them for its own.
DELICATE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
ENCODED = [(one.encode(), escape.encode()) for one, escape in DELICATE.items()]


def start_of(kind: str) -> bytes:
    """How every page of this kind begins."""
    return f"<!doctype html>\n<!-- harness: {kind} -->\n".encode()


def embedded_bytes(value: object) -> bytes:
    """The value as JSON on one line, safe inside a script element."""
    try:
        data = orjson.dumps(value)
    except TypeError:  # halves of characters, as in a file name that is no UTF-8
        import json

        data = json.dumps(value).encode()
    for one, escape in ENCODED:
        data = data.replace(one, escape)
    return data


def embedded(value: object) -> "Markup":
    """A value as JSON that a template can have in its page."""
    from markupsafe import Markup

    return Markup(embedded_bytes(value).decode())  # noqa: S704 (nothing in it is markup any more)


def environment() -> "Environment":
    """Where templates come from; what is put into them is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["embedded"] = embedded
    return found


def write_page(
    file: "BinaryIO", kind: str, pieces: "Sequence[str]", live: bool = False, **values: object
) -> None:
    """Write a page of this kind, from its template, with the styles and scripts of these pieces.

    What is iterated over by the template is taken item by item, and never all in memory. One that is live may
    talk to the server that it comes from.
    """
    from markupsafe import Markup

    from harness import __version__

    style, script, symbols = _joined(pieces, "css"), _joined(pieces, "js"), ""
    if PICTURES in pieces:
        from evolution.picture.symbols import STYLE, SYMBOLS

        style, symbols = f"{style}\n{STYLE}", "".join(SYMBOLS.values())
    policy = f"default-src 'none'; style-src {_fingerprint(style)}; script-src {_fingerprint(script)}"
    stream = (
        environment()
        .get_template(f"{kind}.html")
        .stream(
            kind=kind,
            version=__version__,
            policy=f"{policy}; connect-src 'self'" if live else policy,
            style=Markup(style),  # noqa: S704 (our own file)
            script=Markup(script),  # noqa: S704
            symbols=Markup(symbols),  # noqa: S704
            **values,
        )
    )
    stream.enable_buffering(200)
    stream.dump(file, "utf-8")
    file.write(b"\n")


def _joined(pieces: "Sequence[str]", ending: str) -> str:
    """The texts of the files of this ending, one after the other."""
    texts = []
    for piece in pieces:
        path = os.path.join(FOLDER, f"{piece}.{ending}")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
    return "\n" + "\n".join(texts)


def _fingerprint(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
