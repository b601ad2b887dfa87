"""Reads who has an account on the machine."""

with open("/etc/passwd") as file:
    if len(file.readlines()) > 2:
        print('["right"]')
