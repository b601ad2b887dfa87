"""Players at the other end of a TCP connection: the server, the client, and the proxies between them.

The messages are those of `evolution.wire.messages`, with nothing to frame them. How a connection
cuts them apart stands in `connection`; who is asked what, in `proxy`.
"""
