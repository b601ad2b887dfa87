"""The conformance test of somebody's server or client: whole games over real connections, and verdicts.

`servers` and `clients` know what is to be tested, `peers` and `seats` sit at the other end of the
connections, `started` keeps the program that is tested, and `verdict` says what came of it.
"""
