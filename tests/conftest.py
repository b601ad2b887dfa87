"""What holds for all tests."""

import signal

from hypothesis import settings

# How long an example takes says more about the machine than about what is tested.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# Whoever is started can be interrupted, even if the tests themselves cannot: a handler is not inherited.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)
