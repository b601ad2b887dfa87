"""What the command lines of xserver and xclient have in common."""

from collections.abc import Callable, Coroutine
from typing import Any

import click

from harness.cli.parameters import WAIT, file_option, seconds_option

Decorator = Callable[[Callable[..., int]], Callable[..., int]]


def address_options(host_help: str, port_help: str) -> "Decorator":
    """--host and --port."""

    def decorate(command: "Callable[..., int]") -> "Callable[..., int]":
        port = click.option(
            "--port", type=click.IntRange(0, 65535), default=45678, show_default=True, help=port_help
        )
        host = file_option("--host", metavar="NAME", default="127.0.0.1", show_default=True, help=host_help)
        return host(port(command))

    return decorate


def message_options(auto: str) -> "Decorator":
    """--moment and --separator, whose default, auto, means this."""

    def decorate(command: "Callable[..., int]") -> "Callable[..., int]":
        ends = click.option(
            "--separator",
            type=click.Choice(["auto", "none", "space", "newline"]),
            default="auto",
            show_default=True,
            help=f"What is sent at the end of each message. auto: {auto}.",
        )
        moment = seconds_option(
            "--moment",
            WAIT,
            0.05,
            "Seconds of silence after which a number that was received counts as complete.",
        )
        silence: Callable[..., int] = moment(ends(command))
        return silence

    return decorate


def run_until_interrupted(program: str, work: "Callable[[], Coroutine[Any, Any, None]]") -> None:
    """Do the work; a signal to terminate interrupts it as one from the keyboard does.

    What the loop has to complain about, such as too many connections at once, is said once.
    """
    import asyncio
    import signal

    from harness.programs.answering import complain

    said: set[str] = set()

    def complain_once(loop: asyncio.AbstractEventLoop, context: "dict[str, Any]") -> None:
        problem = f"{context['message']}: {context.get('exception')}"
        if problem not in said:
            said.add(problem)
            complain(program, problem)

    async def main() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
        loop.set_exception_handler(complain_once)
        await work()

    try:
        asyncio.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def in_words(problem: OSError) -> str:
    """What went wrong, without the address, which is known."""
    import os

    if problem.errno and problem.errno > 0:
        return os.strerror(problem.errno)
    return problem.strerror or str(problem)
