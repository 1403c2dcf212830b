"""One module owns all randomness of games."""

from __future__ import annotations

import re

import pytest

from tests.write_docs import ROOT

SOURCES = [source for source in sorted((ROOT / "sushigo_env").rglob("*.py")) if source.name != "seeding.py"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(ROOT)))
def test_only_seeding_draws_random_numbers(source):
    text = source.read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import|from) (random|secrets)\b|\b(np|numpy)\.random\b", text, re.MULTILINE)
