"""Clients and servers as different teams would write them, each with a manner of its own."""
