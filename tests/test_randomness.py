"""One module owns all randomness of games."""

from __future__ import annotations

import ast

from tests.write_docs import ROOT


def draws(source: str) -> bool:
    """Whether the code of `source`, its docstrings aside, reaches for random numbers."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        if {"random", "secrets", "numpy.random"} & set(names):
            return True
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random"):
            return True
    return False


def test_only_seeding_draws_random_numbers():
    sources = sorted((ROOT / "sushigo_env").rglob("*.py"))
    assert [source.name for source in sources if draws(source.read_text(encoding="utf-8"))] == ["seeding.py"]


def test_the_finder_finds_every_kind_of_draw():
    for line in ("import random", "from random import choice", "from numpy import random", "x = np.random.rand()"):
        assert draws(line), line
    assert not draws('"""np.random"""')
