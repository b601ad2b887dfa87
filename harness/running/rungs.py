"""The ways to shut programs in, the best one first, and which of them is taken.

Bubblewrap holds most. Where it does not work, because namespaces are forbidden or it is not installed,
Landlock takes its place. Where neither does, programs can only be run if somebody says so.
"""

import sys

from harness.running.landlock_sandbox import LandlockSandbox
from harness.running.sandbox import Sandbox, SandboxError

RUNGS = {kind.rung: kind for kind in (Sandbox, LandlockSandbox)}
NAMED = {"bwrap": "bubblewrap", "landlock": "landlock"}  # modes of --sandbox that name one of them
NEEDS_LINUX = "it needs Linux"
ENOUGH = 64 << 20  # bytes, for who only tries

_best: list[str] = []


def rung_of(mode: str) -> str:
    """How programs are shut in, in a mode of --sandbox; nothing if they are not.

    Raises SandboxError if they must be, and cannot.
    """
    if mode == "off":
        return ""
    wanted = NAMED.get(mode, "")
    rung = best_rung() if not wanted else "" if why_not(wanted) else wanted
    if rung or mode == "auto":
        return rung
    raise SandboxError(f"--sandbox {mode}: {why_none(wanted)}; harness doctor says what mends it")


def is_meant(rung: str, mode: str) -> bool:
    """Whether programs may have been shut in so, or not at all, in a mode of --sandbox."""
    if mode == "off":
        return not rung
    return mode == "auto" or (bool(rung) and rung == NAMED.get(mode, rung))


def best_rung() -> str:
    """The best way that works here; nothing if there is none. It is looked for once."""
    if not _best:
        _best.append(next((rung for rung in RUNGS if not why_not(rung)), ""))
    return _best[0]


def none_told(mode: str) -> str:
    """That programs are not shut in, and why, in a line for who reads the results."""
    if mode == "off":
        return "no sandbox: programs can read and write what you can"
    return f"NO SANDBOX: {why_none()}; programs can read and write what you can"


def why_none(only: str = "") -> str:
    """Why there is no way, or not this one."""
    if sys.platform != "linux":
        return NEEDS_LINUX
    return "; ".join(f"{rung}: {why_not(rung)}" for rung in ([only] if only else RUNGS))


def why_not(rung: str) -> str:
    """Why programs cannot be shut in so here; nothing if they can, which is tried."""
    if sys.platform != "linux":
        return NEEDS_LINUX
    return RUNGS[rung](ENOUGH).why_not()
