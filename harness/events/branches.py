"""The branches of the engine that an input takes: every condition both ways, every loop with and without.

The rule modules are loaded a second time, with each condition and each loop noted as it is passed. The
names are those of the source, so they are the same in every version of Python. The engine itself is not
touched, and knows nothing of this.
"""

import ast
import builtins
from importlib.util import find_spec
from itertools import chain
from types import ModuleType

from evolution import RULES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Branch = tuple[str, str, str]  # the function, the condition or loop as it is written, and which way

RULE_MODULES = {f"evolution.{name}" for name in RULES}
WAYS = {"if": ("false", "true"), "for": ("none", "some")}
NOBODY = object()


class Engine:
    """The second engine. `taken(load, value)` says which branches an input takes.

    `load` is a program's: a function without arguments that imports what the program needs, and gives the
    function that answers. It is the one in the second copy of its module that does so here.
    """

    def __init__(self) -> None:
        self.branches: list[Branch] = []
        self._hit: set[int] = set()
        self._modules: dict[str, ModuleType] = {}
        self._answers: dict[str, Callable[[object], object]] = {}
        for name in sorted(RULE_MODULES):
            self._module(name)

    def taken(self, load: "Callable[[], Any]", value: object) -> "list[Branch]":
        """The branches that the input takes, in the order of the source."""
        name = load.__qualname__
        if name not in self._answers:
            self._answers[name] = getattr(self._module(load.__module__), name)()
        self._hit.clear()
        try:
            self._answers[name](value)
        except Exception as refused:
            if type(refused).__name__ != "Illegal":
                raise
        return [self.branches[number] for number in sorted(self._hit)]

    # --- loading ----------------------------------------------------------------------------------

    def _module(self, name: str) -> ModuleType:
        """The second copy of a module."""
        if name not in self._modules:
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            with open(spec.origin, encoding="utf-8") as file:
                source = file.read()
            tree = ast.parse(source)
            if name in RULE_MODULES:
                tree = ast.fix_missing_locations(Noting(self, name.partition(".")[2], source).visit(tree))
            module = self._modules[name] = ModuleType(name)
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
            module.__dict__["_passed_"] = self._passed
            module.__dict__["_looped_"] = self._looped
            exec(compile(tree, spec.origin, "exec"), module.__dict__)  # noqa: S102 (our own source)
        return self._modules[name]

    def _import(self, name: str, *more: "Any") -> ModuleType:
        """What an import statement in a second copy finds: other second copies, or the real thing."""
        if name.partition(".")[0] == "evolution":
            return self._module(name)
        return builtins.__import__(name, *more)

    # --- noting -----------------------------------------------------------------------------------

    def add(self, function: str, text: str, kind: str) -> int:
        """A condition or a loop; its number is that of its first way, the second one follows."""
        self.branches += [(function, text, way) for way in WAYS[kind]]
        return len(self.branches) - 2

    def _passed(self, number: int, value: "Any") -> "Any":
        self._hit.add(number + bool(value))
        return value

    def _looped(self, number: int, things: "Iterable[Any]") -> "Iterator[Any]":
        rest = iter(things)
        first = next(rest, NOBODY)
        self._hit.add(number + (first is not NOBODY))
        return rest if first is NOBODY else chain((first,), rest)


class Noting(ast.NodeTransformer):
    """Puts a note round every condition and every loop of the functions of a module."""

    def __init__(self, engine: Engine, module: str, source: str) -> None:
        self._engine = engine
        self._source = source
        self._inside = [module]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Methods are called by their class."""
        return self._within(node, node.name)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Conditions are called by their function."""
        return self._within(node, node.name)

    def _within(self, node: ast.AST, name: str) -> ast.AST:
        self._inside.append(name)
        self.generic_visit(node)
        self._inside.pop()
        return node

    def _noted(self, expression: ast.expr, note: str, kind: str) -> ast.expr:
        text = " ".join((ast.get_source_segment(self._source, expression) or "").split())
        number = self._engine.add(".".join(self._inside), text, kind)
        inner: ast.expr = self.visit(expression)
        called = ast.Call(ast.Name(note, ast.Load()), [ast.Constant(number), inner], [])
        return ast.copy_location(called, expression)

    def _condition(self, expression: ast.expr) -> ast.expr:
        if len(self._inside) == 1:  # of the module itself, when it is loaded
            return expression
        return self._noted(expression, "_passed_", "if")

    def visit_If(self, node: ast.If) -> ast.AST:
        """An if."""
        node.test = self._condition(node.test)
        node.body = [self.visit(one) for one in node.body]
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """A while."""
        node.test = self._condition(node.test)
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """One thing or the other."""
        node.test = self._condition(node.test)
        node.body = self.visit(node.body)
        node.orelse = self.visit(node.orelse)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Each part of an and or an or, but the last one, whose way is that of the whole."""
        node.values = [*(self._condition(one) for one in node.values[:-1]), self.visit(node.values[-1])]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The conditions of a comprehension."""
        node.iter = self.visit(node.iter)
        node.ifs = [self._condition(one) for one in node.ifs]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop."""
        node.iter = self._noted(node.iter, "_looped_", "for")
        node.body = [self.visit(one) for one in node.body]
        return node
