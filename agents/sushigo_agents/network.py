"""A policy network as shipped: read from a safetensors file, run without torch.

    trunk.0.weight [H, D]  trunk.0.bias [H]      the first layer takes the observation's bytes as they are
    trunk.1.weight [H', H]  trunk.1.bias [H']    and so on; ReLU after each layer of the trunk
    policy.weight [A, H']  policy.bias [A]       logits
    value.weight [1, H']   value.bias [1]        value

Tensors are float32, or float16 to save room; computed is in float32. The header's metadata is what `Metadata` holds.

The kernel adds up each output over the inputs in order, one row at a time. A row's results are therefore, bit for bit,
the same in any batch, at any place in it and with any number of threads, which no BLAS promises; and since most inputs
are 0 and left out, it is about as fast as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from sushigo_agents.base import GAME
from sushigo_agents.files import in_words, write_whole
from sushigo_env import games
from sushigo_env._jit import jit
from sushigo_env.errors import AgentError, SettingError

FORMAT, FORMAT_VERSION = "sushigo-policy", "1"
STORED = (np.dtype(np.float32), np.dtype(np.float16))
"""What tensors may be stored in."""
ROWS_AT_ONCE = 256
"""So that a layer's outputs stay in the cache; results do not depend on it."""

PLAYERS = ("2", "3", "4", "5")
"""Numbers of players that a table of some game has, as metadata tells them."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Metadata:
    """What a network was made for, and by which version."""

    game: str
    num_players: int
    variant: str
    observation: str
    """The observation setting that it was trained on."""
    layout: str
    """Fingerprint of the observations' layout."""
    env_version: str
    """Version of sushigo-env that made it."""
    adviser: str = ""
    """One of `advice.ADVISERS`, whose advice follows the observation in the network's inputs; empty: nobody."""

    @classmethod
    def of_table(
        cls,
        num_players: int,
        variant: str = "standard",
        observation: str = "memory",
        game: str = GAME,
        adviser: str = "",
    ) -> Metadata:
        """For a network made by this version for a table; `SettingError` for one that the game's rules do not know."""
        fingerprint = games.find(game).new(1, num_players, variant=variant).layout.fingerprint
        return cls(game, num_players, variant, observation, fingerprint, env_version(), adviser)

    @property
    def table(self) -> str:
        """The table in words."""
        return f"{self.num_players} players ({self.variant})"


class Network:
    """The weights, ready to run.

    `tensors` are named and shaped as at the head of this module; `AgentError` says which is missing, is too many, has
    another shape or type, or holds what is no finite number.
    """

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        depth = sum(name.startswith("trunk.") and name.endswith(".weight") for name in tensors)
        layers = [*(f"trunk.{i}" for i in range(max(depth, 1))), "policy", "value"]
        wanted = [f"{layer}.{part}" for layer in layers for part in ("weight", "bias")]
        if sorted(wanted) != sorted(tensors):
            odd = sorted(set(wanted) ^ set(tensors))[0]
            raise AgentError(f"a network has {', '.join(wanted)}, but {odd} is {_lacking(odd, tensors)}.")
        self.tensors: dict[str, Floats] = {name: _checked(name, tensors[name]) for name in wanted}
        """As in the file, in float32."""
        for before, layer in zip([None, *layers[: max(depth, 1)], layers[-3]], layers, strict=True):
            self._check_shapes(layer, before)
        self.layers = [self._ready(layer) for layer in layers[:-2]], self._ready("policy"), self._ready("value")
        """Trunk, policy and value as `layer` takes them: weight float32[inputs, outputs] and bias."""

    @property
    def num_inputs(self) -> int:
        """D, the bytes of an observation."""
        return int(self.tensors["trunk.0.weight"].shape[1])

    @property
    def num_actions(self) -> int:
        """A, the number of logits."""
        return len(self.tensors["policy.bias"])

    @property
    def parameters(self) -> int:
        """How many numbers it holds."""
        return sum(tensor.size for tensor in self.tensors.values())

    def forward(self, observation: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """Logits float32[N, A] and value float32[N] of `observation` uint8[N, D]; `SettingError` for another shape.

        A row's results hang on the row alone (see the head of this module).
        """
        if observation.ndim != 2 or observation.shape[1] != self.num_inputs or observation.dtype != np.uint8:
            raise SettingError(
                f"the network takes observations uint8[N, {self.num_inputs}], not {observation.dtype}"
                f"{list(observation.shape)}."
            )
        rows, (trunk, policy, value) = len(observation), self.layers
        logits, values = np.empty((rows, self.num_actions), np.float32), np.empty((rows, 1), np.float32)
        for start in range(0, rows, ROWS_AT_ONCE):
            chunk = slice(start, start + ROWS_AT_ONCE)
            hidden = observation[chunk].astype(np.float32, order="C")
            for weight, bias in trunk:
                wider = np.empty((len(hidden), len(bias)), np.float32)
                layer(hidden, weight, bias, True, wider)
                hidden = wider
            layer(hidden, *policy, False, logits[chunk])
            layer(hidden, *value, False, values[chunk])
        return logits, values[:, 0]

    def _check_shapes(self, layer: str, before: str | None) -> None:
        weight, bias = self.tensors[f"{layer}.weight"], self.tensors[f"{layer}.bias"]
        inputs = sum(weight.shape[1:]) if before is None else len(self.tensors[f"{before}.bias"])
        outputs = 1 if layer == "value" else bias.size
        if outputs == 0 or inputs == 0 or bias.shape != (outputs,) or weight.shape != (outputs, inputs):
            raise AgentError(
                f"a network's {layer}.weight and {layer}.bias must have shapes {[outputs, inputs]} and {[outputs]}, "
                f"not {list(weight.shape)} and {list(bias.shape)}."
            )

    def _ready(self, layer: str) -> tuple[Floats, Floats]:
        """A layer's weight as the kernel wants it ([inputs, outputs]), and its bias."""
        return np.ascontiguousarray(self.tensors[f"{layer}.weight"].T), self.tensors[f"{layer}.bias"]


def read(path: Path | str) -> tuple[Network, Metadata]:
    """The network in a file, and what it was made for.

    `AgentError` names a file that cannot be read, is cut short, or is no policy network of a format known here.
    """
    with _opened(Path(path)) as file:
        metadata = _metadata(file.metadata() or {})
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no mapping
        return Network(tensors), metadata


def read_metadata(path: Path | str) -> Metadata:
    """What the network in a file was made for; the weights are not read. Errors as `read`."""
    with _opened(Path(path)) as file:
        return _metadata(file.metadata() or {})


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The safetensors file there, and `AgentError` that names it for whatever is found wrong with it meanwhile."""
    if not path.is_file():
        raise AgentError(f"there is no file {path}.")
    try:
        with safe_open(path, framework="numpy") as file:
            yield file
    except AgentError as error:
        raise AgentError(f"{path} is no policy network: {error}") from error
    except OSError as error:
        raise AgentError(f"{path} cannot be read: {in_words(error)}.") from error
    except (SafetensorError, ValueError, TypeError, AttributeError) as error:  # also for types that NumPy has not
        raise AgentError(f"{path} is no safetensors file, or a damaged one: {error}.") from error


def save(path: Path | str, network: Network, metadata: Metadata, *, half: bool = False) -> None:
    """Write a network's file, whole or not at all; with `half` in float16.

    `AgentError` if float16 cannot hold a weight, `SettingError` if the file cannot be written.
    """
    dtype = STORED[1] if half else STORED[0]
    with np.errstate(over="ignore"):
        tensors = {name: np.ascontiguousarray(tensor, dtype) for name, tensor in network.tensors.items()}
    for name, tensor in tensors.items():
        _checked(name, tensor)
    told = {name: str(value) for name, value in asdict(metadata).items() if value != ""}
    write_whole(Path(path), _ordered(to_bytes(tensors, {"format": FORMAT, "format_version": FORMAT_VERSION, **told})))


def _ordered(content: bytes) -> bytes:
    """A safetensors file with its header in order, so that the same network is the same file.

    The library writes metadata in any order. A header is JSON, with its length before it in 8 bytes; tensors' places
    are counted from its end.
    """
    end = 8 + int.from_bytes(content[:8], "little")
    header = json.dumps(json.loads(content[8:end]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + content[end:]


def env_version() -> str:
    """Version of the installed sushigo-env; `unknown` where the sources run without being installed."""
    try:
        return version("sushigo-env")
    except PackageNotFoundError:
        return "unknown"


def _metadata(told: Mapping[str, str]) -> Metadata:
    if told.get("format") != FORMAT:
        raise AgentError(f"its format is {told.get('format', 'not told')}, not {FORMAT}.")
    if told.get("format_version") != FORMAT_VERSION:
        raise AgentError(
            f"it has version {told.get('format_version', 'unknown')} of the format, where this sushigo-env "
            f"({env_version()}) reads version {FORMAT_VERSION}; it was made by {told.get('env_version', 'unknown')}."
        )
    found: dict[str, Any] = {field.name: told[field.name] for field in fields(Metadata) if field.name in told}
    missing = [field.name for field in fields(Metadata) if field.name not in found and field.default is MISSING]
    if missing:
        raise AgentError(f"its metadata lacks {', '.join(missing)}.")
    if found["num_players"] not in PLAYERS:
        raise AgentError(f"its metadata has num_players {found['num_players']!r}, which no table has.")
    return Metadata(**found | {"num_players": int(found["num_players"])})


def _checked(name: str, tensor: NDArray[Any]) -> Floats:
    """`tensor` in float32, if it is of floats and all are finite."""
    if tensor.dtype not in STORED:
        raise AgentError(f"a network's tensors are float32 or float16, but {name} is {tensor.dtype}.")
    if not np.isfinite(tensor).all():
        raise AgentError(f"a network's weights must be finite numbers, but {name} has others.")
    return np.array(tensor, np.float32, order="C")


def _lacking(name: str, tensors: Mapping[str, Any]) -> str:
    return "one too many" if name in tensors else "missing"


@jit
def layer(inputs, weight, bias, rectify, out):  # type: ignore[no-untyped-def]  # compiled
    """out[N, H] = inputs[N, K] @ weight[K, H] + bias[H], and 0 for what is less if `rectify`.

    Each sum runs over k in order; four at a time, so that the outputs are read and written less often.
    """
    wide, tall = weight.shape
    active = np.empty(wide + 1, np.int64)
    for i in range(len(inputs)):
        count = 0
        for k in range(wide):
            active[count] = k
            count += inputs[i, k] != 0
        row = out[i]
        for j in range(tall):
            row[j] = bias[j]
        fours = count & ~3
        for place in range(0, fours, 4):
            a, b, c, d = active[place], active[place + 1], active[place + 2], active[place + 3]
            xa, xb, xc, xd = inputs[i, a], inputs[i, b], inputs[i, c], inputs[i, d]
            wa, wb, wc, wd = weight[a], weight[b], weight[c], weight[d]
            for j in range(tall):
                row[j] = (((row[j] + xa * wa[j]) + xb * wb[j]) + xc * wc[j]) + xd * wd[j]
        for place in range(fours, count):
            x, w = inputs[i, active[place]], weight[active[place]]
            for j in range(tall):
                row[j] += x * w[j]
        if rectify:
            for j in range(tall):
                row[j] = max(row[j], np.float32(0))
