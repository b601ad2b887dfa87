"""Run a command as it would run where namespaces are forbidden, as in many containers.

    python -m tests.support.without_namespaces [--nor-landlock] COMMAND…

A filter of system calls refuses what makes namespaces and mounts, to root as well: no bubblewrap works.
With --nor-landlock, neither does Landlock.
"""

import errno
import os
import sys

from harness.running.landlock import CREATE_RULESET
from harness.running.seccomp import CHECKED, CHECKS, REFUSED, assembled, install

FORBIDDEN = ("unshare", "setns", "mount", "umount2", "pivot_root")


def main() -> None:
    """Forbid them, and become the command."""
    words = sys.argv[1:]
    unknown = {}
    if words[0] == "--nor-landlock":
        words.pop(0)
        unknown["landlock_create_ruleset"] = (CREATE_RULESET, CREATE_RULESET)
    numbers = {**CHECKED, **REFUSED[errno.EPERM], **REFUSED[errno.ENOSYS]}
    refused = [
        (errno.EPERM, {call: numbers[call] for call in FORBIDDEN}),
        (errno.ENOSYS, {"clone3": numbers["clone3"], **unknown}),
    ]
    install(assembled(refused, [check for check in CHECKS if check.call == "clone"], os.uname().machine))
    os.execvp(words[0], words)


if __name__ == "__main__":
    main()
