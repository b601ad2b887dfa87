"""Prints a secret of whoever runs it, from the environment."""

import os

print(os.environ.get("ZOO_TOKEN", ""))
