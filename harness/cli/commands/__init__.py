"""The subcommands of `harness`: a module each, named like its command, with a click command `command`.

A module says what can be typed and what is printed. It is loaded when its command is asked for, so
that no command pays for another.
"""
