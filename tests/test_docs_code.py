"""A wrong figure, a renamed field or a broken import on a page of the docs is found."""

from __future__ import annotations

import pytest

from tests.docs_code import run_block

HEAD = "import numpy as np\nfrom sushigo_env.sushi_go.observation import layout\n"
RIGHT = [
    'layout(4).slices["own_hand"]  # slice(0, 12, None)',
    "layout(4).size  # 134",
    'layout(4).read(np.zeros((2, 134), np.uint8), "tableaus").shape  # (2, 4, 12)',
    "np.float64(0.5)  # 0.5",
    "print(layout(4).size)  # 134, in bytes",
    "print('Squid Nigiri')  # Squid Nigiri",
    "seen = np.zeros((4, 134), np.uint8)  # uint8[4, 134]: nothing yet",
    "a, b = np.zeros(2, bool), np.zeros((1, 3), np.float32)  # bool[2] and float32[1, 3]",
    "for _ in range(2):\n    seen = np.zeros(3, np.int64)  # int64[3]",
    "layout(4)  # the table of fields, for four",
]
WRONG = [
    'layout(4).slices["own_hand"]  # slice(0, 13, None)',
    "layout(4).size  # 135",
    "np.float64(0.5)  # 0.51",
    "print(layout(4).size)  # 13, in bytes",
    "print('Squid Nigiri')  # Egg Nigiri",
    "seen = np.zeros((4, 134), np.uint8)  # uint8[4, 133]",
    "seen = np.zeros((4, 134), np.uint8)  # int8[4, 134]",
    "a, b = np.zeros(2, bool), np.zeros((1, 3), np.float32)  # bool[2] and float32[1, 4]",
    "for _ in range(2):\n    seen = np.zeros(3, np.int64)  # int64[4]",
]


@pytest.mark.parametrize("line", RIGHT)
def test_what_is_right_passes(line: str) -> None:
    assert "layout" in run_block(HEAD + line, "page.md")


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_figure_is_found(line: str) -> None:
    with pytest.raises(AssertionError, match="the docs tell"):
        run_block(HEAD + line, "page.md")


def test_a_renamed_field_and_a_broken_import_are_found() -> None:
    with pytest.raises(KeyError, match="own_cards"):
        run_block(HEAD + 'layout(4).slices["own_cards"]', "page.md")
    with pytest.raises(ImportError, match="lay_out"):
        run_block("from sushigo_env.sushi_go.observation import lay_out", "page.md")
