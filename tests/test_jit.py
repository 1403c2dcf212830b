"""Where compiled kernels are kept: a change in any package that they may call is another place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sushigo_agents

import sushigo_env
from sushigo_env import _jit

ENV, AGENTS = (Path(package.__file__ or "").parent for package in (sushigo_env, sushigo_agents))


def _made(folder: Path, source: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(source)
    return folder


def test_a_part_of_a_package_is_kept_with_the_whole():
    assert _jit._package(AGENTS / "zoo") == AGENTS
    assert _jit._package(ENV / "sushi_go") == ENV


def test_kernels_lie_below_all_that_they_may_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_jit, "_packages", [ENV])
    first, second = _made(tmp_path / "first", "1"), _made(tmp_path / "second", "2")
    first_folder, second_folder = _jit._folder(first), _jit._folder(second)
    assert os.path.dirname(first_folder) == _jit._folder(ENV)
    assert os.path.dirname(second_folder) == first_folder
    assert _jit._folder(first) == first_folder  # what came later cannot be called
    monkeypatch.setattr(_jit, "_packages", [ENV])
    changed = _made(tmp_path / "again" / "first", "another")
    assert _jit._folder(changed) != first_folder
    assert os.path.basename(_jit._folder(second)) == os.path.basename(second_folder)
    assert _jit._folder(second) != second_folder
