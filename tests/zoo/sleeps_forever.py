"""Never ends, and does nothing; SIGTERM and all else that can be ignored is ignored."""

import signal
import time

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        continue  # two that the C library keeps for itself
while True:
    time.sleep(1)
