"""Python on the pages of the docs: run as it stands, with the figures in its comments held against what they tell of.

A figure is a comment behind a statement that begins with what the statement gives:

- behind an expression, its value: `layout(4).size  # 134`;
- behind `print(x)` outside a loop, what is printed, before the end, a comma or a colon: `print(x)  # 3.4, the margin`;
- behind an assignment, dtype and shape of each array: `masks = env.action_masks()  # bool[256, 96]`.

Any other comment is prose.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import Any

import numpy as np

ARRAY = re.compile(r"\b(u?int\d+|float\d+|bool)\[([\d, ]*)\]")


def run_block(block: str, name: str) -> dict[str, Any]:
    """Run `block` and give its names; AssertionError for a figure that is wrong, `name` and the comment in it."""
    tokens = tokenize.generate_tokens(io.StringIO(block).readline)
    comments = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    tree = _Figures(comments).visit(ast.parse(block, name))
    namespace: dict[str, Any] = {"_value": hold_value, "_printed": hold_printed, "_arrays": hold_arrays}
    exec(compile(ast.fix_missing_locations(tree), name, "exec"), namespace)
    return namespace


class _Figures(ast.NodeTransformer):
    """Puts a check in the place of, or behind, each statement that has a figure."""

    def __init__(self, comments: dict[int, str]) -> None:
        self.comments = comments
        self.depth = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.depth += isinstance(node, ast.stmt)
        super().generic_visit(node)
        self.depth -= isinstance(node, ast.stmt)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        told = self.comments.get(node.end_lineno or 0, "")
        call = node.value
        if not told or self.depth or ARRAY.match(told):
            return node
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "print":
            return _check("_printed", told, call.args)
        return _check("_value", told, [call]) if _literal(told) is not None else node

    def visit_Assign(self, node: ast.Assign) -> Any:
        told = self.comments.get(node.end_lineno or 0, "")
        if not ARRAY.match(told):
            return node
        target = node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        return [node, _check("_arrays", told, [ast.Name(ast.unparse(each), ast.Load()) for each in names])]


def _check(function: str, told: str, values: list[ast.expr]) -> ast.Expr:
    return ast.Expr(ast.Call(ast.Name(function, ast.Load()), [ast.Constant(told), *values], []))


def _literal(told: str) -> str | None:
    """The figure that `told` is, or None for prose."""
    try:
        tree = ast.parse(told, mode="eval").body
    except SyntaxError:
        return None
    constants = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.UnaryOp)
    is_slice = isinstance(tree, ast.Call) and ast.unparse(tree.func) == "slice"
    return told if isinstance(tree, constants) or is_slice else None


def hold_value(told: str, value: object) -> None:
    """The value of an expression is the one told."""
    plain = value.item() if isinstance(value, np.generic) else value
    assert repr(plain) == told, f"the docs tell {told}, it is {plain!r}"


def hold_printed(told: str, *values: object) -> None:
    """What is printed is what the comment begins with."""
    printed = " ".join(map(str, values))
    assert re.match(re.escape(printed) + r"(?=$|[,:;])", told), f"the docs tell {told!r}, printed is {printed!r}"


def hold_arrays(told: str, *arrays: Any) -> None:
    """Arrays have the dtypes and shapes told; of one array only the first told is its own."""
    figures = ARRAY.findall(told)[: len(arrays)]
    given = [(str(array.dtype), ", ".join(map(str, array.shape))) for array in arrays]
    assert figures == given, f"the docs tell {told!r}, it is {given}"
