"""Grading on a cluster of machines by Dask, with the same results as on one.

A task is one team and some of its cases, for a few seconds. It is done by a worker of Dask's, whose process
starts another one that runs the cases as every run does: the same pool, limits and sandbox. What a worker
needs to know is sent to it, and expected outputs stay in its memory. The results come back to the one who
asked, the coordinator, which keeps them as if it had run everything itself.
"""
