"""`harness help`: a page about a topic, or the help of a command."""

import click

from harness.cli.group import COMMANDS, harness, subcommand
from harness.cli.topics import TOPICS
from harness.errors import WrongUse, did_you_mean
from harness.shipped.pages import page, pages


@subcommand
@click.argument("topic", required=False, metavar="[TOPIC]", shell_complete=lambda *asked: names(asked[2]))
@click.pass_context
def command(context: click.Context, topic: "str | None") -> int:
    """Explain a topic: verdicts, exit statuses, cases, formats and more.

    TOPIC may also be the name of a command, or a page of the documentation such as docs/formats.md.
    Without one, all are listed.

    \b
    Examples:
      harness help verdicts
      harness help run
      harness help docs/formats.md | less

    \b
    Exit status: 0; 2 there is no such topic.
    """
    if topic is None:
        click.echo(contents())
    elif topic in TOPICS:
        click.echo(TOPICS[topic](), nl=False)
    elif topic in COMMANDS:
        found = harness.get_command(context, topic)
        assert found is not None
        with click.Context(found, info_name=f"harness {topic}") as other:
            click.echo(found.get_help(other))
    elif topic in pages():
        from harness.cli.plain_text import as_text

        click.echo(as_text(page(topic)), nl=False)
    else:
        hint = did_you_mean(topic, [*TOPICS, *COMMANDS, *pages()]) or "; harness help lists all there are"
        raise WrongUse(f"there is no topic '{topic}'{hint}")
    return 0


def contents() -> str:
    """All topics, a line each, and the names of all commands and pages."""
    topics = [(name, (page.__doc__ or "").rstrip(".")) for name, page in TOPICS.items()]
    wide = max(len(name) for name, _ in topics)
    listed = "\n".join(f"  {name:{wide}}  {title}" for name, title in topics)
    commands = _filled(f"Commands have their own pages: {', '.join(COMMANDS)}.")
    documents = _filled(f"Pages of the documentation, which are long: {', '.join(pages())}.")
    return f"Topics:\n\n{listed}\n\n{commands}\n\n{documents}"


def _filled(text: str) -> str:
    from textwrap import fill

    return fill(text, 80, break_on_hyphens=False)


def names(start: str) -> list[str]:
    """The topics, commands and pages that begin like this."""
    return [name for name in (*TOPICS, *COMMANDS, *pages()) if name.startswith(start)]
