"""One module owns all randomness of games."""

from __future__ import annotations

import re

from tests.write_docs import ROOT

DRAWS = re.compile(r"^\s*(import|from) (random|secrets)\b|\b(np|numpy)\.random\b", re.MULTILINE)


def test_only_seeding_draws_random_numbers():
    sources = sorted((ROOT / "sushigo_env").rglob("*.py"))
    assert [source.name for source in sources if DRAWS.search(source.read_text(encoding="utf-8"))] == ["seeding.py"]
