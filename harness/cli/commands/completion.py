"""`harness completion`: the script that lets a shell complete the command line."""

import click

from harness.cli.group import subcommand

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_HARNESS_COMPLETE"  # by which the script asks what could come next


@subcommand
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> int:
    """Print the script that completes harness commands in a shell.

    It completes commands, options and the values of those that have a list of them, as you press Tab.

    \b
    Examples:
      source <(harness completion bash)      now; or add this line to ~/.bashrc
      harness completion fish > ~/.config/fish/completions/harness.fish

    \b
    Exit status: 0; 2 the command line is wrong.
    """
    from click.shell_completion import get_completion_class

    from harness.cli.group import harness

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(harness, {}, "harness", VARIABLE).source())
    return 0
