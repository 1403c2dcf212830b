"""A finished game as one line of JSON, and its replay.

The form (docs/records.md): `deals[round][seat]` is a hand, `plays[round][turn][seat]` the cards that a seat laid, in
order, `result` what it came to. In the two-player variant `deals[round][2]` is the dummy's pile, top first,
`plays[round][turn][2]` the dummy's card and `first_controller[round]` the seat that opens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sushigo_env import records
from sushigo_env.errors import ActionError, OrderError, RecordError, SettingError
from sushigo_env.records import to_line
from sushigo_env.sushi_go import plays
from sushigo_env.sushi_go.cards import DUMMY, ROUNDS, label
from sushigo_env.sushi_go.deals import deals_of
from sushigo_env.sushi_go.scoring import KINDS
from sushigo_env.sushi_go.state import BARE, DUMMY_SEAT, PUDDINGS, SCORE, SCORE_OFFSET

if TYPE_CHECKING:
    from sushigo_env.sushi_go.game import SushiGo

__all__ = ["FORMAT", "PARTS", "openers", "read_line", "replay", "result_of", "score_line", "to_line", "to_record"]

FORMAT = 1
"""Version of the form of records."""
PARTS = ("players", "variant", "passing", "deals", "plays")
"""What a record must have beside its game and format."""


def result_of(game: SushiGo, index: int = 0) -> dict[str, Any]:
    """What finished game `index` came to: points by round, seat and kind, puddings, totals, winners (seats)."""
    state, tableaus = game.table, game.num_tableaus
    points = state.round_points[index, :, :tableaus].tolist()
    standings = game.standings[index]
    return {
        "rounds": [[dict(zip(KINDS, seat, strict=True)) for seat in seats] for seats in points],
        "puddings": state.status[index, :tableaus, PUDDINGS].tolist(),
        "pudding_points": state.pudding_points[index, :tableaus].tolist(),
        "totals": (state.status[index, :tableaus, SCORE].astype(int) - SCORE_OFFSET).tolist(),
        "winners": np.flatnonzero(standings == standings.max()).tolist(),
    }


def to_record(game: SushiGo, index: int = 0) -> dict[str, Any]:
    """Finished game `index` as a JSON-ready dict.

    `OrderError` for a game that is not finished, was stopped, or was set to a position.
    """
    state = game.table
    if not state.started[index] or not state.done[index]:
        raise OrderError(f"game {index} is not finished, so it has no record yet.")
    if state.ended[index]:
        raise OrderError(f"game {index} was stopped before its end, so it has no record.")
    if state.placed[index]:
        raise OrderError(f"game {index} was set to a position, so the plays before it are not known.")
    tableaus, size = game.num_tableaus, game.hand_size
    laid = state.plays[index, : ROUNDS * size * tableaus].reshape(ROUNDS, size, tableaus)
    record: dict[str, Any] = {
        "game": game.name,
        "format": FORMAT,
        "players": game.num_players,
        "variant": game.variant,
        "passing": game.passing,
    }
    if game.variant == DUMMY:
        record["first_controller"] = openers(int(state.first_controller[index]), size)
    record["deals"] = deals_of(game, index)
    record["plays"] = [[[list(plays.PLAYS[play]) for play in turn] for turn in turns] for turns in laid]
    record["result"] = result_of(game, index)
    return record


def openers(first: int, hand_size: int) -> list[int]:
    """The seat in control of each round's first turn: control alternates turn by turn, over the rounds' ends too."""
    return [(first + round_ * hand_size) % 2 for round_ in range(ROUNDS)]


def read_line(line: str, where: str = "the record") -> dict[str, Any]:
    """A line of JSON as a record; `RecordError` naming `where` if it is no JSON object or lacks a part."""
    return records.read_line(line, where, "sushi_go", FORMAT, PARTS)


def replay(record: Mapping[str, Any], where: str = "the record") -> SushiGo:
    """Play a record through the engine; gives the game at its end.

    `RecordError` names `where`, and round, turn, seat and cards of a play that the rules forbid; a `result` that the
    record has and that differs is an error too.
    """
    from sushigo_env.sushi_go.game import SushiGo

    try:
        game = SushiGo(1, record["players"], passing=record["passing"], variant=record["variant"])
        first = _first_controller(record, game)
        _check_named(record["deals"])
        game.reset(seeds=np.zeros(1, np.uint64), options={"deals": record["deals"], "first_controller": first})
    except SettingError as error:
        raise RecordError(f"{where}: {error}") from None
    turns = _turns(record["plays"], game, where)
    for round_, turn, laid in turns:
        _play_turn(game, laid, f"{where}, round {round_ + 1}, turn {turn + 1}")
    records.compare(record, result_of(game), where)
    return game


def score_line(line: str, line_number: int = 1) -> dict[str, Any]:
    """The record in a line of JSON with its `result` as the engine finds it; `RecordError` as `replay` raises."""
    where = f"line {line_number}"
    record = read_line(line, where)
    return {**record, "result": result_of(replay(record, where))}


def _first_controller(record: Mapping[str, Any], game: SushiGo) -> int:
    if game.variant != DUMMY:
        return 0
    allowed = [openers(first, game.hand_size) for first in range(game.num_players)]
    given = record.get("first_controller")
    if given not in allowed or not all(type(seat) is int for seat in given):
        raise SettingError(f"first_controller must be {' or '.join(map(str, allowed))}, not {given!r}.")
    return int(given[0])


def _check_named(deals: Any) -> None:
    """Cards of a record are names; the engine alone would take types as well."""
    for hands in deals if isinstance(deals, list) else []:
        for hand in hands if isinstance(hands, list) else []:
            for card in hand if isinstance(hand, list) else []:
                if not isinstance(card, str):
                    raise SettingError(f"deals must name their cards, not number them: {card!r}.")


def _turns(laid: Any, game: SushiGo, where: str) -> list[tuple[int, int, list[Any]]]:
    if not isinstance(laid, list) or len(laid) != ROUNDS:
        raise RecordError(f"{where}: plays must have {ROUNDS} rounds.")
    turns = []
    for round_, played in enumerate(laid):
        if not isinstance(played, list) or len(played) != game.hand_size:
            raise RecordError(f"{where}, round {round_ + 1}: plays must have {game.hand_size} turns.")
        for turn, seats in enumerate(played):
            if not isinstance(seats, list) or len(seats) != game.num_tableaus:
                at = f"{where}, round {round_ + 1}, turn {turn + 1}"
                raise RecordError(f"{at}: plays must have {game.num_tableaus} entries, one a seat.")
            turns.append((round_, turn, seats))
    return turns


def _play_turn(game: SushiGo, laid: list[Any], where: str) -> None:
    actions = np.zeros((1, game.num_players), np.int32)
    legal = game.legal()[0]
    for seat in range(game.num_players):
        actions[0, seat] = _action(game, seat, laid[seat], legal[seat], f"{where}, seat {seat}")
    game.step(actions)
    if game.variant == DUMMY:
        controller = int(game.table.controller[0])
        actions[0] = plays.WAIT
        legal = game.legal()[0]
        actions[0, controller] = _action(game, DUMMY_SEAT, laid[DUMMY_SEAT], legal[controller], f"{where}, the dummy")
        game.step(actions)


def _action(game: SushiGo, seat: int, laid: Any, legal: Any, where: str) -> int:
    try:
        if not isinstance(laid, list) or not all(isinstance(card, str) for card in laid):
            raise ActionError(f"a play is a list of one or two cards, not {laid!r}.")
        action = plays.index(laid, int(game.table.status[0, seat, BARE]))
    except ActionError as error:
        raise RecordError(f"{where}: {error}") from None
    if not legal[action]:
        cards = " and ".join(label(card) for card in laid)
        held = sorted({label(plays.PLAYS[a][0]) for a in np.flatnonzero(legal) if a < plays.FIRST_PAIR})
        pairs = "" if legal[plays.FIRST_PAIR :].any() else ", no two cards at once"
        raise RecordError(f"{where}: {cards} cannot be laid; allowed are {', '.join(held)}{pairs}.")
    return action
