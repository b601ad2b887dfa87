"""Raises one of its own resource limits beyond what it was given."""

import resource

for number in range(16):
    soft, hard = resource.getrlimit(number)
    if hard != resource.RLIM_INFINITY:
        try:
            resource.setrlimit(number, (soft, hard + 1))
        except (OSError, ValueError):
            continue
        print('["right"]')
        break
