"""`harness cluster`: what the workers of a cluster have, before a long run."""

from collections.abc import Callable, Iterator
from typing import Any

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import FILE, cluster_meant, json_option, sandbox_option, security_options

Found = dict[str, dict[str, Any]]


def _secured(command: "Callable[..., int]") -> "Callable[..., int]":
    for option in reversed(security_options):
        command = option(command)
    return command


@subcommand
@click.argument("action", type=click.Choice(["check"]))
@click.argument("cluster", metavar="ADDRESS|FILE|local[:N]", type=FILE)
@click.argument("interpreters", metavar="[INTERPRETER]...", nargs=-1)
@sandbox_option("programs")
@_secured
@json_option()
def command(action: str, **options: "Any") -> int:
    """Say what each worker of a cluster has: cores, sandbox, versions, interpreters.

    The cluster is named as for harness grade --cluster. A worker can be used if it has this version of the
    harness, the sandbox that programs are shut in by here, one thread, and no limit of memory by Dask.
    INTERPRETERs are programs that it must have, too.

    \b
    Examples:
      harness cluster check scheduler.json java python3
      harness cluster check tls://10.0.0.5:8786 --cluster-tls certificates --json

    \b
    Exit status: 0 all workers can be used; 1 some cannot; 2 the command line is wrong; 65 the scheduler
    file is refused; 69 nobody answers, there are no workers, or Dask is not installed.
    """
    from dataclasses import replace

    from harness.cluster.session import workers_told
    from harness.grading.config import Config

    cluster = cluster_meant(options)
    config = replace(Config(), sandbox=options["sandbox"], show=tuple(options["show"]))
    found = workers_told(cluster, config, options["interpreters"])
    if options["as_json"]:
        import json

        click.echo(json.dumps({"works": _works(found), "workers": found}))
    else:
        click.echo("\n".join(_told(found)))
    return 0 if _works(found) else FAILED


def _works(found: "Found") -> bool:
    return not any(worker["problems"] for worker in found.values())


def _told(found: "Found") -> "Iterator[str]":
    """A line for each worker, and what is wrong with it; and how many can be used."""
    from harness.report.words import safe
    from harness.text import counted

    for address, worker in found.items():
        mark = "NO" if worker["problems"] else "ok"
        about = [counted(worker[f"{name}s"], name) for name in ("thread", "core") if f"{name}s" in worker]
        about += [
            f"{name} {worker[name]}" for name in ("harness", "python", "dask", "host") if name in worker
        ]
        rungs = [rung for rung, problem in worker.get("sandbox", {}).items() if not problem]
        about += [f"sandbox {', '.join(rungs) or 'none'}"] if "sandbox" in worker else []
        about += [f"{name} {path}" for name, path in worker.get("interpreters", {}).items() if path]
        yield safe("  ".join([mark, address, *about]))
        yield from (f"    {safe(problem)}" for problem in worker["problems"])
    good = sum(not worker["problems"] for worker in found.values())
    yield f"{good} of {len(found)} workers can be used"
