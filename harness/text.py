"""Texts for people: cut to a length."""


def cut(text: str, most: int) -> str:
    """The text, or so many characters of its beginning and a mark."""
    return text if len(text) <= most else f"{text[:most]}…"
