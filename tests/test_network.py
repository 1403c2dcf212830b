"""The network in NumPy and its file: numbers against a plain forward pass, rows apart, and files that are refused."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from sushigo_agents.network import FORMAT, Metadata, Network, read, save

from sushigo_env.errors import AgentError, SettingError
from sushigo_env.layout import Field, Layout
from sushigo_env.sushi_go.observation import layout
from tests.policies import network, tensors, write_policy
from tests.write_docs import ROOT


def observations(rows: int, width: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 256, (rows, width)) * (rng.random((rows, width)) < 0.3)).astype(np.uint8)


def plain(named: dict[str, np.ndarray], seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The forward pass by its definition, in float64."""
    x = seen.astype(np.float64)
    for i in range(sum(name.endswith("weight") for name in named) - 2):
        x = np.maximum(x @ named[f"trunk.{i}.weight"].T.astype(np.float64) + named[f"trunk.{i}.bias"], 0)
    return x @ named["policy.weight"].T + named["policy.bias"], (x @ named["value.weight"].T + named["value.bias"])[
        :, 0
    ]


@pytest.mark.parametrize("widths", [(16,), (33, 7), (5, 64, 3)])
@pytest.mark.parametrize("rows", [0, 1, 300])
def test_forward_is_the_plain_forward_pass(widths: tuple[int, ...], rows: int) -> None:
    named = tensors(134, 97, widths)
    seen = observations(rows, 134)
    logits, values = Network(named).forward(seen)
    assert (logits.shape, logits.dtype, values.shape, values.dtype) == ((rows, 97), np.float32, (rows,), np.float32)
    for told, wanted in zip((logits, values), plain(named, seen), strict=True):
        np.testing.assert_allclose(told, wanted, rtol=1e-4, atol=1e-3)


def test_a_network_worked_out_by_hand() -> None:
    hand = {
        "trunk.0.weight": np.array([[1, -1], [0.5, 0]], np.float32),
        "trunk.0.bias": np.array([0, 1], np.float32),
        "policy.weight": np.array([[1, 0], [0, 1], [1, 1]], np.float32),
        "policy.bias": np.array([0, 0, -1], np.float32),
        "value.weight": np.array([[2, -1]], np.float32),
        "value.bias": np.array([0.25], np.float32),
    }
    logits, values = Network(hand).forward(np.array([[3, 1], [1, 3]], np.uint8))  # hidden: (2, 2.5) and (0, 1.5)
    assert logits.tolist() == [[2, 2.5, 3.5], [0, 1.5, 0.5]]
    assert values.tolist() == [1.75, -1.25]


def test_a_row_is_the_same_to_the_last_bit_in_any_batch() -> None:
    net = network(4, widths=(48, 40))
    seen = observations(1000, net.num_inputs)
    logits, values = net.forward(seen)
    shuffled = np.random.default_rng(0).permutation(1000)
    for rows in (slice(0, 1), slice(700, 701), slice(3, 67), slice(999, None, -2), shuffled):
        again = net.forward(seen[rows])
        np.testing.assert_array_equal(again[0], logits[rows])
        np.testing.assert_array_equal(again[1], values[rows])


def test_observations_of_another_shape_or_type_are_refused() -> None:
    for wrong in (np.zeros((3, 5), np.uint8), np.zeros(134, np.uint8), np.zeros((3, 134), np.float32)):
        with pytest.raises(SettingError, match=rf"takes observations uint8\[N, 134\], not {wrong.dtype}"):
            network(4).forward(wrong)


# files
@pytest.mark.parametrize("half", [False, True])
def test_a_file_gives_back_what_was_saved(tmp_path: Path, half: bool) -> None:
    net, metadata = network(2, "two_player_dummy"), Metadata.of_table(2, "two_player_dummy", "table")
    save(tmp_path / "net.safetensors", net, metadata, half=half)
    assert [file.name for file in tmp_path.iterdir()] == ["net.safetensors"]
    again, told = read(tmp_path / "net.safetensors")
    assert told == metadata
    assert told.layout == layout(2, "two_player_dummy").fingerprint
    assert again.parameters == net.parameters == sum(tensor.size for tensor in net.tensors.values())
    stored = {tensor.dtype for tensor in load_file(tmp_path / "net.safetensors").values()}
    assert stored == {np.dtype(np.float16 if half else np.float32)}
    for name, tensor in net.tensors.items():
        np.testing.assert_array_equal(again.tensors[name], tensor.astype(np.float16) if half else tensor)
        assert again.tensors[name].dtype == np.float32


def test_every_cut_of_a_file_is_refused_by_name(tmp_path: Path) -> None:
    whole = write_policy(tmp_path / "whole.safetensors", 3).read_bytes()
    cut = tmp_path / "cut.safetensors"
    for length in (0, 1, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        cut.write_bytes(whole[:length])
        with pytest.raises(AgentError, match=r"cut\.safetensors is no safetensors file, or a damaged one") as caught:
            read(cut)
        assert "\n" not in str(caught.value)


def refused(path: Path, named: dict[str, Any], **metadata: str) -> str:
    """Why a file of these tensors and metadata is refused."""
    told = {"format": FORMAT, "format_version": "1", "game": "sushi_go", "num_players": "4", "variant": "standard"}
    told |= {"observation": "memory", "layout": "0" * 16, "env_version": "9.9"}
    save_file(named, path, {name: value for name, value in (told | metadata).items() if value})
    with pytest.raises(AgentError, match=rf"^{re.escape(str(path))} is no policy network: .*\.$") as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("metadata", "why"),
    [
        ({"format": ""}, "its format is not told, not sushigo-policy"),
        ({"format": "pt"}, "its format is pt, not sushigo-policy"),
        ({"format_version": "2"}, r"version 2 of the format, .* reads version 1; it was made by 9\.9"),
        ({"layout": "", "variant": ""}, "its metadata lacks variant, layout"),
        ({"num_players": "four"}, "num_players 'four', which no table has"),
    ],
)
def test_metadata_that_is_not_ours(tmp_path: Path, metadata: dict[str, str], why: str) -> None:
    assert re.search(why, refused(tmp_path / "a.safetensors", tensors(134, 96), **metadata))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"value.bias": None}, "but value.bias is missing"),
        ({"extra": np.zeros(3, np.float32)}, "but extra is one too many"),
        ({"trunk.0.weight": None, "trunk.1.weight": None}, "trunk.0.weight is missing"),
        (
            {"trunk.1.bias": np.zeros(9, np.float32)},
            r"trunk\.1\.bias must have shapes \[9, 16\] and \[9\], not",
        ),
        ({"value.weight": np.zeros((2, 8), np.float32)}, r"value\.bias must have shapes \[1, 8\]"),
        ({"trunk.0.weight": np.zeros(16, np.float32)}, r"trunk\.0\.weight and .* not \[16\]"),
        ({"policy.bias": np.zeros(96, np.int32)}, "policy.bias is int32"),
        ({"policy.bias": np.full(96, np.nan, np.float32)}, "finite numbers, but policy.bias has others"),
    ],
)
def test_tensors_that_make_no_network(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    named = {name: tensor for name, tensor in (tensors(134, 96) | change).items() if tensor is not None}
    assert re.search(why, refused(tmp_path / "a.safetensors", named))


def test_files_that_are_not_there_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"there is no file .*missing\.safetensors\."):
        read(tmp_path / "missing.safetensors")
    with pytest.raises(SettingError, match=r"cannot write .*no_folder.*: no such file or directory"):
        save(tmp_path / "no_folder" / "a.safetensors", network(4), Metadata.of_table(4))
    loud = Network(tensors(134, 96) | {"policy.bias": np.full(96, 1e6, np.float32)})
    with pytest.raises(AgentError, match=r"finite numbers, but policy\.bias"):
        save(tmp_path / "a.safetensors", loud, Metadata.of_table(4), half=True)


# the layout's fingerprint
def test_fingerprints_tell_layouts_apart_and_are_the_same_in_every_process() -> None:
    fields = [Field("a", (2,), 3, "doc"), Field("b", (2,), 4, "doc")]
    base = Layout(fields).fingerprint
    assert re.fullmatch("[0-9a-f]{16}", base)
    assert Layout([Field("a", (2,), 3, "other words"), fields[1]]).fingerprint == base
    others = [
        [Field("c", (2,), 3, "doc"), fields[1]],
        [Field("a", (1, 2), 3, "doc"), fields[1]],
        [Field("a", (2,), 5, "doc"), fields[1]],
        fields[::-1],
        [Field("a", (2,), 3, "doc", "g"), Field("b", (2,), 4, "doc", "g")],
    ]
    assert len({base, *(Layout(other).fingerprint for other in others)}) == 6
    code = "from sushigo_env.sushi_go.observation import layout; print(layout(4).fingerprint)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == layout(4).fingerprint
