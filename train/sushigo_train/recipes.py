"""Recipes: a small TOML file each, which fills in the settings of a learner.

    learner = "self_play"           which learner: see `LEARNERS`
    num_players = 2                 any of its settings
    [league]                        and of a group of settings
    self_play = 0.5

Single settings can be given on top, as the command line does.
"""

from __future__ import annotations

import copy
import difflib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from sushigo_env.errors import SettingError
from sushigo_train.settings import Settings

if TYPE_CHECKING:
    from sushigo_train.sb3 import SB3Settings

LEARNERS = ("self_play", "sb3")
"""The fast learner, and MaskablePPO of sb3-contrib."""
_HOME = Path(__file__).parent
FOLDERS = (_HOME / "configs", _HOME.parent / "configs")
"""Where recipes lie: in the wheel, and in the sources."""


@dataclass(frozen=True)
class Recipe:
    """What a recipe says, with what was set on top of it."""

    name: str
    learner: str
    settings: Settings | SB3Settings


def names(game: str | None = None) -> list[str]:
    """The recipes that come with this package, or those of them for `game`, sorted."""
    found = sorted(path.stem for path in _folder().glob("*.toml"))
    return found if game is None else [name for name in found if read(name).settings.game == game]


def describe(name: str) -> str:
    """A recipe's first line, a comment that says what it is for."""
    return _file(name).read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def read(name: str, on_top: Sequence[str] = ()) -> Recipe:
    """The recipe `name`, one of `names()` or the path of a TOML file, with settings `key=value` on top.

    `key` is a setting, or `group.setting`; `value` is read as TOML, or as a word where it is none. `SettingError` says
    which recipe, setting or value is wrong, and what is allowed.
    """
    path = _file(name)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingError(f"the recipe {path} cannot be read: {(error.strerror or str(error)).lower()}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"the recipe {path} is no TOML: {error}.") from error
    return made(path.stem, told, on_top)


def made(name: str, told: Mapping[str, Any], on_top: Sequence[str] = ()) -> Recipe:
    """The recipe that `told` tells of, as in a recipe's file, or in a run's `settings.json`; errors as `read`."""
    values = copy.deepcopy(dict(told))
    for each in on_top:
        _put(values, each)
    learner = values.pop("learner", LEARNERS[0])
    if learner not in LEARNERS:
        raise SettingError(f"learner must be one of {', '.join(LEARNERS)}, not {learner!r}.")
    return Recipe(name, learner, _settings(learner, values))


def as_toml(recipe: Recipe) -> str:
    """The recipe with every setting written out; what is None is left out, as TOML has no such value."""
    told = asdict(recipe.settings)
    groups = {name: value for name, value in told.items() if isinstance(value, dict)}
    lines = [f"# {recipe.name}, with every setting.", f'learner = "{recipe.learner}"']
    lines += [_line(name, value) for name, value in told.items() if name not in groups and value is not None]
    for group, values in groups.items():
        lines += ["", f"[{group}]", *(_line(name, value) for name, value in values.items())]
    return "\n".join(lines) + "\n"


def _line(name: str, value: Any) -> str:
    """A setting in TOML, whose words and numbers are written as in JSON."""
    key = name if name.isidentifier() and name.isascii() else json.dumps(name, ensure_ascii=False)
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _settings(learner: str, told: Mapping[str, Any]) -> Settings | SB3Settings:
    kind: Any = Settings
    if learner == "sb3":
        from sushigo_train.sb3 import SB3Settings

        kind = SB3Settings
        if "game" in told:
            alone = f"MaskablePPO's recipes are for {SB3Settings.game} alone"
            raise SettingError(f"the learner {learner} has no setting 'game', for {alone}.")
    _check_known(told, kind)
    try:
        found: Settings | SB3Settings = TypeAdapter(kind).validate_python(told)
    except ValidationError as error:
        raise SettingError(_sentence(error)) from error
    return found


def _folder() -> Path:
    return next((folder for folder in FOLDERS if folder.is_dir()), FOLDERS[0])


def _file(name: str) -> Path:
    path = Path(name)
    if path.suffix == ".toml":
        if not path.is_file():
            raise SettingError(f"there is no recipe {path}.")
        return path
    if name not in names():
        nearest = difflib.get_close_matches(name, names(), n=1)
        hint = f"did you mean {nearest[0]!r}? " if nearest else ""
        raise SettingError(f"unknown recipe {name!r}; {hint}there are {', '.join(names())}, or give a .toml file.")
    return _folder() / f"{name}.toml"


def _put(told: dict[str, Any], setting: str) -> None:
    """Write `key=value` into `told`."""
    key, equals, text = setting.partition("=")
    *groups, last = key.strip().split(".")
    if not equals or not all(part.isidentifier() for part in (*groups, last)):
        raise SettingError(f"a setting is written key=value, as in learning_rate=0.001, not {setting!r}.")
    if "\n" in text or "\r" in text:
        raise SettingError(f"a setting is one line, not {setting!r}.")
    try:
        value: Any = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    for group in groups:
        told = told.setdefault(group, {})
        if not isinstance(told, dict):
            raise SettingError(f"{group} is a setting, not a group of them, so {key!r} names none.")
    told[last] = value


def _check_known(told: Mapping[str, Any], kind: Any, group: str = "") -> None:
    """`SettingError` for a setting in `told` that `kind` has not; pydantic would pass over it."""
    known = {field.name: field for field in fields(kind)}
    for name, value in told.items():
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {group + nearest[0]!r}? " if nearest else ""
            all_of_it = ", ".join(group + each for each in known)
            raise SettingError(f"there is no setting {group + name!r}; {hint}there are {all_of_it}.")
        if isinstance(value, bool) and "bool" not in str(known[name].type):  # pydantic would take it for a 0 or a 1
            raise SettingError(f"{group}{name} must be a number or a word, not {str(value).lower()}.")
        inner = known[name].default_factory
        if isinstance(value, Mapping) and is_dataclass(inner):
            _check_known(value, inner, f"{group}{name}.")


def _sentence(error: ValidationError) -> str:
    """What pydantic found first, as one sentence."""
    first = error.errors()[0]
    if first["type"] == "value_error":  # what a __post_init__ raised
        return str(first["ctx"]["error"])
    where = ".".join(str(part) for part in first["loc"])
    why = first["msg"][:1].lower() + first["msg"][1:]
    if first["type"] == "tuple_type":
        why = 'it should be a list, as in [256, 256] or ["greedy"]'
    return f"{where} is {first['input']!r}, but {why.replace('input', 'it', 1)}."
