"""A finished game as one line of JSON, and its replay.

The form (docs/sushi_boat.md): `draws` names all that chance gave, `actions` all decisions, in words, both in order;
`result` is what the game came to. `config` holds those of the reconstructed values that are not the usual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env import records
from sushigo_env.errors import ActionError, OrderError, RecordError, SettingError
from sushigo_env.records import to_line
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import DEFAULT, MENU_VARIANT, Config
from sushigo_env.sushi_boat.chance import CARD_CODE, DRAWS, NO_WASABI_CODE, WASABI_CODE
from sushigo_env.sushi_boat.reasons import reason
from sushigo_env.sushi_boat.scoring import MENU_POINTS, POINT_KINDS
from sushigo_env.sushi_boat.state import ACTIONS_KEPT, CHANCES_KEPT

if TYPE_CHECKING:
    from sushigo_env.sushi_boat.game import SushiBoat

__all__ = ["FORMAT", "PARTS", "codes_of", "read_line", "replay", "result_of", "score_line", "to_line", "to_record"]

FORMAT = 1
"""Version of the form of records."""
PARTS = ("players", "variant", "draws", "actions")
"""What a record must have beside its game and format."""
_CODES = {name: code for code, name in enumerate(DRAWS) if code != NO_WASABI_CODE}


def result_of(game: SushiBoat, index: int = 0) -> dict[str, Any]:
    """What finished game `index` came to, by seat: points by kind, yen, totals; and the winners (seats)."""
    kinds = POINT_KINDS if game.variant == MENU_VARIANT else POINT_KINDS[:MENU_POINTS]
    points = game.table.points[index, : game.num_players, : len(kinds)].tolist()
    standings = game.standings[index]
    return {
        "points": [dict(zip(kinds, seat, strict=True)) for seat in points],
        "yen": game.table.yen[index, : game.num_players].tolist(),
        "totals": game.scores[index].tolist(),
        "winners": np.flatnonzero(standings == standings.max()).tolist(),
    }


def to_record(game: SushiBoat, index: int = 0) -> dict[str, Any]:
    """Finished game `index` as a JSON-ready dict; `OrderError` for a game that is not finished or was stopped."""
    table = game.table
    if not table.started[index] or not table.done[index]:
        raise OrderError(f"game {index} is not finished, so it has no record yet.")
    if table.ended[index]:
        raise OrderError(f"game {index} was stopped before its end, so it has no record.")
    record: dict[str, Any] = {
        "game": game.name,
        "format": FORMAT,
        "players": game.num_players,
        "variant": game.variant,
    }
    if game.config != DEFAULT:
        usual = DEFAULT.to_json()
        record["config"] = {name: value for name, value in game.config.to_json().items() if value != usual[name]}
    codes = table.chances[index, : table.num_chances[index]].tolist()
    record["draws"] = [DRAWS[code] for code in codes if code != NO_WASABI_CODE]
    record["actions"] = [plays.describe(action) for action in table.actions[index, : table.num_actions[index]].tolist()]
    record["result"] = result_of(game, index)
    return record


def read_line(line: str, where: str = "the record") -> dict[str, Any]:
    """A line of JSON as a record; `RecordError` naming `where` if it is no JSON object or lacks a part."""
    return records.read_line(line, where, "sushi_boat", FORMAT, PARTS)


def score_line(line: str, line_number: int = 1) -> dict[str, Any]:
    """The record in a line of JSON with its `result` as the engine finds it; `RecordError` as `replay` raises."""
    where = f"line {line_number}"
    record = read_line(line, where)
    return {**record, "result": result_of(replay(record, where))}


def replay(record: Mapping[str, Any], where: str = "the record") -> SushiBoat:
    """Play a record through the engine; gives the game at its end.

    `RecordError` names `where`, and the number and the player of an action that the rules forbid, with what was legal,
    or the number of a draw that cannot have been; a `result` that the record has and that differs is an error too.
    """
    from sushigo_env.sushi_boat.game import SushiBoat

    try:
        config = _config(record["config"]) if "config" in record else DEFAULT
        game = SushiBoat(1, record["players"], variant=record["variant"], config=config)
    except SettingError as error:
        raise RecordError(f"{where}: {error}") from None
    codes = codes_of(record["draws"], game.num_players, where)
    _begin(game, codes)
    _check_draws(game, codes, f"{where}, before the first action", partial(_begin, game))
    actions = _listed("actions", record["actions"], ACTIONS_KEPT, where)
    for number, words in enumerate(actions, 1):
        before = game.table.rows.copy()
        action = _act(game, words, f"{where}, action {number}")
        _check_draws(game, codes, f"{where}, action {number}", partial(_act_again, game, before, action))
    if not game.done[0]:
        raise RecordError(f"{where}: the game is not over after the last action ({len(actions)}).")
    made = len(_drawn(game))
    if made < len(codes):
        raise RecordError(f"{where}: draw {_number(codes, made)} ({_name(codes, made)}) is one more than the game has.")
    records.compare(record, result_of(game), where)
    return game


def _config(given: Any) -> Config:
    """Reconstructed values from JSON, the usual ones where it has none; `SettingError` if they are none."""
    names = [field.name for field in fields(Config)]
    if not isinstance(given, Mapping):
        raise SettingError(f"config must be a JSON object of {', '.join(names)}, or of some of them, not {given!r}.")
    unknown = [name for name in given if name not in names]
    if unknown:
        raise SettingError(f"config has no {unknown[0]!r}; it may have {', '.join(names)}.")
    return Config(**{name: _tuples(name, value) for name, value in given.items()})


def _tuples(name: str, value: Any, depth: int = 0) -> Any:
    """Lists as tuples; no value is a list of lists of lists."""
    if not isinstance(value, list):
        return value
    if depth == 2:
        raise SettingError(f"config has lists within lists of lists at {name!r}; it is none of a Config's values.")
    return tuple(_tuples(name, item, depth + 1) for item in value)


def _listed(part: str, given: Any, most: int, where: str) -> list[str]:
    if not isinstance(given, list) or len(given) > most or not all(isinstance(item, str) for item in given):
        raise RecordError(f"{where}: {part} must be a list of at most {most} names.")
    return given


def codes_of(names: Any, players: int, where: str = "the record") -> list[int]:
    """Draws by name as codes: behind the first cards, one a player, a dish card also tells that it was no Wasabi."""
    codes: list[int] = []
    cards = 0
    for number, name in enumerate(_listed("draws", names, CHANCES_KEPT, where), 1):
        if name not in _CODES:
            raise RecordError(f"{where}, draw {number}: there is no {name!r} to be drawn.")
        code = _CODES[name]
        if CARD_CODE <= code < WASABI_CODE:
            cards += 1
            codes += [NO_WASABI_CODE] if cards > players else []
        codes.append(code)
    return codes[:CHANCES_KEPT]


def _number(codes: list[int], at: int) -> int:
    """Which of a record's draws, from 1 on, code `at` belongs to."""
    return at + 1 - codes[:at].count(NO_WASABI_CODE)


def _name(codes: list[int], at: int) -> str:
    """The name in a record that code `at` belongs to."""
    return DRAWS[codes[at + 1] if codes[at] == NO_WASABI_CODE and at + 1 < len(codes) else codes[at]]


def _check_draws(game: SushiBoat, codes: list[int], where: str, again: Callable[[list[int]], None]) -> None:
    """`RecordError` where the draws so far are not those of the record: then the engine could not but draw others.

    `again(codes)` plays what drew last once more, with these draws.
    """
    drawn = _drawn(game)
    for at, code in enumerate(drawn):
        if at >= len(codes):
            raise RecordError(f"{where}: the draws end after {_number(codes, len(codes) - 1)}, but one more is made.")
        if code != codes[at]:
            possible = []
            for other in range(len(DRAWS)):
                again([*codes[:at], other])
                possible += [DRAWS[other]] if _drawn(game)[at] == other else []
            given = f"{_name(codes, at)} (draw {_number(codes, at)})"
            raise RecordError(f"{where}: {given} cannot be drawn; what can is {', '.join(possible)}.")


def _drawn(game: SushiBoat) -> list[int]:
    codes: list[int] = game.table.chances[0, : game.table.num_chances[0]].tolist()
    return codes


def _begin(game: SushiBoat, codes: list[int]) -> None:
    game.reset(seeds=np.zeros(1, np.uint64), options={"chances": codes})


def _act_again(game: SushiBoat, before: NDArray[np.uint8], action: int, codes: list[int]) -> None:
    game.table.rows[:] = before
    game.table.chances[0, : len(codes)] = codes
    game.table.scripted[0] = len(codes)
    game.step_acting(np.array([action]))


def _act(game: SushiBoat, words: str, where: str) -> int:
    """Take an action in words; gives it."""
    if game.done[0]:
        raise RecordError(f"{where}: {words!r} comes after the end of the game.")
    seat = int(game.table.to_act[0])
    try:
        action = plays.index(words)
    except ActionError as error:
        raise RecordError(f"{where}, player_{seat}: {error}") from None
    legal = game.legal_actions(0)
    if action not in legal:
        why = reason(game, 0, action)
        allowed = "; ".join(plays.describe(each) for each in legal)
        raise RecordError(f"{where}, player_{seat}: {words} is not legal, since {why}; legal are: {allowed}.")
    game.step_acting(np.array([action]))
    return action
