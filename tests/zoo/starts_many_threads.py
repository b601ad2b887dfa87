"""Starts more threads than there may be processes and threads."""

import threading

threading.stack_size(64 << 10)
end = threading.Event()
started: list[threading.Thread] = []
try:
    while len(started) < 700:
        thread = threading.Thread(target=end.wait)
        thread.start()
        started.append(thread)
except RuntimeError:
    pass
end.set()
for thread in started:
    thread.join()
if len(started) >= 700:
    print('["right"]')
