"""JSON values in and out, and what is wrong with them, by path."""
