"""Never ends, and computes all the time."""

while True:
    pass
