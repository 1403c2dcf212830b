"""A checkpoint is there whole or not at all; a damaged one is refused by name, and the one before it is used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sushigo_agents import files
from sushigo_train.checkpoint import Checkpoints, load

from sushigo_env.errors import SettingError

ARRAYS: dict[str, NDArray[Any]] = {
    "trunk.weight": np.arange(6, dtype=np.float32).reshape(2, 3).T,  # rows do not lie in order
    "adam/step": np.array(7, np.uint64),
    "mask": np.array([True, False]),
    "nothing": np.zeros((0, 3)),
    "big-endian": np.arange(3, dtype=">i4"),
}
FACTS: dict[str, Any] = {"decisions": 10**12, "pool": [{"name": "main-1", "born_at": 3}], "lr": 3e-4, "words": "✓"}

SAVES_FOR_EVER = """
import sys, itertools, numpy as np
from sushigo_train.checkpoint import Checkpoints
saves = Checkpoints(sys.argv[1], keep=2)
found = saves.latest()
for step in itertools.count(found.step + 1 if found else 0):
    saves.save(step, {"w": np.full(200_000, step)}, {"step": step})
    print(step, flush=True)
"""


def save(saves: Checkpoints, *steps: int) -> list[Path]:
    return [saves.save(step, {"w": np.full(5, step)}, {"step": step}) for step in steps]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_saved_comes_back(tmp_path: Path):
    Checkpoints(tmp_path / "new" / "run").save(3, ARRAYS, FACTS)
    found = Checkpoints(tmp_path / "new" / "run").latest()
    assert found is not None
    assert (found.step, found.facts, found.refused) == (3, FACTS, ())
    assert found.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found.arrays[name].shape == array.shape
        assert found.arrays[name].dtype == array.dtype.newbyteorder("=")
        np.testing.assert_array_equal(found.arrays[name], array)
        assert found.arrays[name].flags.writeable


def test_one_content_is_one_file(tmp_path: Path):
    paths = [Checkpoints(tmp_path / name).save(3, ARRAYS, FACTS) for name in ("a", "b")]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_an_empty_folder_has_none(tmp_path: Path):
    assert Checkpoints(tmp_path).latest() is None


def test_the_newest_stay(tmp_path: Path):
    saves = Checkpoints(tmp_path, keep=2)
    save(saves, 1, 2, 999_999, 1_000_000)
    assert names(tmp_path) == ["checkpoint-1000000.safetensors", "checkpoint-999999.safetensors"]
    found = saves.latest()
    assert found is not None
    assert found.step == 1_000_000, "by number, not by name"


def test_cut_off_anywhere_it_is_refused(tmp_path: Path):
    path = Checkpoints(tmp_path).save(3, ARRAYS, FACTS)
    content = path.read_bytes()
    for length in range(0, len(content), 3):
        path.write_bytes(content[:length])
        with pytest.raises(SettingError, match=r"checkpoint-000003\.safetensors is not whole"):
            load(path)
    path.write_bytes(content + b"\0")
    with pytest.raises(SettingError, match="is not whole"):
        load(path)


def test_a_flipped_bit_anywhere_is_found(tmp_path: Path):
    path = Checkpoints(tmp_path).save(3, ARRAYS, FACTS)
    content = path.read_bytes()
    header = int.from_bytes(content[:8], "little")
    assert content[8 + header - 1 : 8 + header] in (b" ", b"}")
    for place in range(len(content)):
        bit = 1 << place % 8
        path.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
        with pytest.raises(SettingError, match="is not whole"):
            load(path)


def test_the_one_before_a_damaged_one_is_used(tmp_path: Path):
    saves = Checkpoints(tmp_path)
    _, cut, emptied = save(saves, 1, 2, 3)
    cut.write_bytes(cut.read_bytes()[:-1])
    emptied.write_bytes(b"")
    found = saves.latest()
    assert found is not None
    assert (found.step, found.facts) == (1, {"step": 1})
    assert [sentence.split()[0] for sentence in found.refused] == [emptied.name, cut.name]


def test_the_run_goes_on_over_damaged_ones(tmp_path: Path):
    saves = Checkpoints(tmp_path, keep=1)
    old, bad = Checkpoints(tmp_path, keep=9).save(5, ARRAYS, FACTS), tmp_path / "checkpoint-000009.safetensors"
    bad.write_bytes(old.read_bytes())
    found = saves.latest()
    assert found is not None
    assert found.refused == (f"{bad.name} holds step 5, not 9.",)
    save(saves, 7)
    assert names(tmp_path) == ["checkpoint-000007.safetensors"]


def test_when_none_is_whole_each_is_named(tmp_path: Path):
    saves = Checkpoints(tmp_path)
    for path in save(saves, 1, 2):
        path.write_bytes(b"")
    with pytest.raises(SettingError, match=r"no checkpoint .* is whole: checkpoint-000002.*checkpoint-000001"):
        saves.latest()


def test_a_new_run_does_not_write_over_an_old_one(tmp_path: Path):
    save(Checkpoints(tmp_path), 8)
    with pytest.raises(SettingError, match=r"checkpoint-000008\.safetensors is later than step 1: resume that run"):
        save(Checkpoints(tmp_path), 1)
    assert names(tmp_path) == ["checkpoint-000008.safetensors"]


def test_killed_before_the_rename_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    saves = Checkpoints(tmp_path)
    save(saves, 1)

    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "replace", killed)
        patch.setattr(files.Path, "unlink", lambda *_, **__: None)  # nor is there time to clear up
        with pytest.raises(Killed):
            save(saves, 2)
    leftover = next(path for path in tmp_path.iterdir() if path.suffix == ".tmp")
    leftover.rename(leftover.with_suffix(".1.tmp"))  # another process's
    found = saves.latest()
    assert found is not None
    assert found.step == 1
    save(saves, 2)
    assert names(tmp_path) == ["checkpoint-000001.safetensors", "checkpoint-000002.safetensors"]


def test_a_full_disk_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    saves = Checkpoints(tmp_path)
    save(saves, 1)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(SettingError, match=r"cannot write .*checkpoint-000002.safetensors: no space left on device\.$"):
        save(saves, 2)
    assert names(tmp_path) == ["checkpoint-000001.safetensors"]


@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
def test_five_kills_lose_nothing_that_was_told(tmp_path: Path):
    told = -1
    for kill in range(5):
        command = [sys.executable, "-c", SAVES_FOR_EVER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for _ in range(3 + kill):
                told = int(running.stdout.readline())
            running.send_signal(signal.SIGKILL)
            told = int(([str(told), *running.stdout.read().split()])[-1])
        found = Checkpoints(tmp_path).latest()
        assert found is not None
        assert found.refused == ()
        assert found.step in (told, told + 1)
        assert (found.arrays["w"] == found.step).all()


def test_bad_arguments_are_told(tmp_path: Path):
    saves = Checkpoints(tmp_path)
    with pytest.raises(SettingError, match="keep must be at least 1, not 0"):
        Checkpoints(tmp_path, keep=0)
    with pytest.raises(SettingError, match="step must be 0 or more, not -1"):
        save(saves, -1)
    with pytest.raises(SettingError, match=r"checkpoint-000001\.safetensors cannot be made"):
        saves.save(1, {"w": np.array([None])}, {})
    for fact in (float("nan"), object()):
        with pytest.raises(SettingError, match=r"checkpoint-000001\.safetensors cannot be made"):
            saves.save(1, {}, {"fact": fact})
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match="cannot write into the folder"):
        Checkpoints(tmp_path / "file" / "run")
    assert names(tmp_path) == ["file"]
