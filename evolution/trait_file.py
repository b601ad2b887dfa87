"""Traits of your own: a Python file whose entries join the trait table (docs/traits.md)."""

import os

from evolution.traits import KINDS, TRAITS, Trait, TraitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from evolution.traits import Fed

# What each hook is given, as `Trait` explains it.
ATTACK = ("attacker", "attacked", "owner")
PARAMETERS = {
    "prevents_attack": (*ATTACK, "left", "right"),
    "protects_neighbour": (*ATTACK, "left", "right"),
    "was_attacked": (*ATTACK, "table", "player"),
    "saw_attack": (*ATTACK, "table", "player"),
    "food_revealed": ("tokens", "owner", "table", "player"),
    "eats_more": ("owner", "table", "player"),
    "food_eaten": ("eater", "tokens", "owner", "table", "player"),
}
MOST_FOOD = 8  # no card is worth more
LOADED: list[str] = []  # the files whose traits are in the table, in the order in which they came


def load_traits(path: "str | os.PathLike[str]") -> dict[str, Trait]:
    """Add the traits of a Python file to TRAITS, in the place of those that have the same names.

    The file has a dictionary TRAITS, whose values are made by `evolution.Trait`. Returns it. Raises
    TraitError, which names file and line, and adds nothing, if the file raises an exception or an entry is
    wrong; a hook that fails later raises it, too.
    """
    file = _File(os.fspath(path))
    traits = file.entries()
    for trait in traits.values():
        for hook, function in trait.hooks().items():
            setattr(trait, hook, file.guarded(hook, function))
    TRAITS.update(traits)
    LOADED.append(os.path.abspath(file.path))
    return traits


class _File:
    """One file of traits, and where in it something stands."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.source = b""

    def wrong(self, line: int, why: str) -> TraitError:
        """What is wrong in a line; 0 if it is the file as a whole."""
        return TraitError(f"{self.path}:{line}: {why}" if line else f"{self.path}: {why}")

    def entries(self) -> dict[str, Trait]:
        """The entries, all of them right."""
        found = self._run().get("TRAITS")
        if not isinstance(found, dict):
            raise self.wrong(0, "there is no dictionary TRAITS in it")
        for name, trait in found.items():
            self._check_name(name)
            self._check_trait(name, trait)
        return found

    def _run(self) -> "dict[str, Any]":
        names: dict[str, Any] = {"__name__": "traits_of_your_own", "__file__": self.path}
        try:
            with open(self.path, "rb") as file:
                self.source = file.read()
        except OSError as problem:
            raise self.wrong(0, str(problem.strerror)) from None
        try:
            exec(compile(self.source, self.path, "exec"), names)  # noqa: S102 (that is what it is for)
        except SyntaxError as problem:
            raise self.wrong(problem.lineno or 0, f"not Python: {problem.msg}") from None
        except (Exception, SystemExit) as problem:
            raise self.blamed(problem) from None
        return names

    def blamed(self, problem: BaseException) -> TraitError:
        """An exception that the file has raised: the line is the last one of the file that was reached."""
        line, at = 0, problem.__traceback__
        while at is not None:
            if at.tb_frame.f_code.co_filename == self.path:
                line = at.tb_lineno
            at = at.tb_next
        unknown = str(problem).partition("Trait.__init__() got an unexpected keyword argument ")[2]
        unknown = unknown.partition(". Did you mean ")[0]  # as Python guesses from 3.13 on
        if isinstance(problem, TypeError) and unknown:
            return self.wrong(line, f"a trait has no hook {unknown}{_meant(unknown.strip(chr(39)))}")
        words = f"{type(problem).__name__}: {problem}".rstrip(": ")
        return self.wrong(line, " ".join(words.split()))

    def _check_name(self, name: object) -> None:
        if type(name) is not str or not all(
            part.isascii() and part.isalpha() and part.islower() for part in name.split("-")
        ):
            raise self.wrong(
                self._line_of(name),
                f"{name!r} is not a name for a trait: use lower case, with hyphens between words",
            )

    def _check_trait(self, name: str, trait: object) -> None:
        if not isinstance(trait, Trait):
            raise self.wrong(self._line_of(name), f"{name} is not a Trait but {type(trait).__name__}")
        if type(trait.most_food) is not int or not 0 <= trait.most_food <= MOST_FOOD:
            why = f"most_food of {name} must be a whole number from 0 to {MOST_FOOD}"
            raise self.wrong(self._line_of(name), why)
        for hook, function in trait.hooks().items():
            self._check_hook(name, hook, function)

    def _check_hook(self, name: str, hook: str, function: object) -> None:
        from inspect import signature

        wanted = f"{hook}({', '.join(PARAMETERS[hook])})"
        if not callable(function):
            raise self.wrong(self._line_of(name), f"{hook} of {name} must be a function {wanted}")
        try:
            signature(function).bind(*PARAMETERS[hook])
        except TypeError as problem:
            code: Any = getattr(function, "__code__", None)
            here = code and code.co_filename == self.path
            line = code.co_firstlineno if here else self._line_of(name)
            raise self.wrong(line, f"{name} is called as {wanted}: {problem}") from None
        except ValueError:
            pass  # a function that does not tell its parameters

    def _line_of(self, name: object) -> int:
        """The line in which an entry's name stands as it is; 0 if it stands nowhere."""
        import ast

        return next(
            (
                key.lineno
                for node in ast.walk(ast.parse(self.source))
                if isinstance(node, ast.Dict)
                for key in node.keys
                if isinstance(key, ast.Constant) and key.value == name
            ),
            0,
        )

    def guarded(self, hook: str, function: "Callable[..., Any]") -> "Callable[..., Any]":
        """The hook of an entry; if it fails, the file is to blame."""
        from functools import wraps

        @wraps(function)
        def call(*given: object) -> object:
            try:
                answer = function(*given)
            except Exception as problem:
                raise self.blamed(problem) from None
            if hook == "eats_more" and type(answer) is not int:
                raise self.wrong(0, f"eats_more says how many tokens were eaten, not {answer!r}")
            return answer

        @wraps(function)
        def feed(*given: object) -> "Iterator[Fed]":
            try:
                for each in function(*given) or ():
                    player, board, why = each
                    yield player, board, str(why)
            except Exception as problem:
                raise self.blamed(problem) from None

        return feed if hook == "food_eaten" else call


def _meant(hook: str) -> str:
    """The end of a complaint about an unknown hook: which one may be meant, or which there are."""
    from difflib import get_close_matches

    hooks = [hook for hooks in KINDS.values() for hook in hooks]
    near = get_close_matches(hook, hooks, n=1)
    return f"; did you mean {near[0]}?" if near else f"; the hooks are {', '.join(hooks)}"
