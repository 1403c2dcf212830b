"""Recorded games as a review takes them: every decision with what its seat saw, and the cards as they came to lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import RecordError
from sushigo_env.sushi_go.cards import DUMMY, ROUNDS
from sushigo_env.sushi_go.game import SushiGo
from sushigo_env.sushi_go.plays import PLAYS, WAIT
from sushigo_env.sushi_go.record import read_line, replay, result_of
from sushigo_env.sushi_go.state import DUMMY_SEAT
from sushigo_experiments.files import record_lines


class Line(NamedTuple):
    """A record that the engine has replayed, and the number of its line."""

    number: int
    record: dict[str, Any]
    """With its `result`."""


@dataclass(frozen=True)
class Decisions:
    """Every decision of a game in the order played, N of them, also those with one legal play."""

    round: NDArray[np.int64]
    """int64[N], from 0."""
    turn: NDArray[np.int64]
    """int64[N], from 0."""
    half: NDArray[np.int64]
    """int64[N]: 1 where the card is the dummy's."""
    seat: NDArray[np.int64]
    action: NDArray[np.int32]
    """int32[N]: what was played."""
    observation: NDArray[np.uint8]
    """uint8[N, D], as the setting `memory` gives it."""
    mask: NDArray[np.bool_]
    """bool[N, A]: what was legal."""
    round_starts: NDArray[np.uint8]
    """uint8[3, bytes a game]: the game at the start of each round."""

    def __len__(self) -> int:
        return len(self.seat)

    @property
    def choices(self) -> NDArray[np.int64]:
        """int64[N]: how many plays were legal."""
        counts: NDArray[np.int64] = self.mask.sum(axis=1)
        return counts


def read_games(file: Path) -> list[Line]:
    """Every record of a file, checked by the engine.

    `RecordError` for a file that cannot be read or has no records, and as `record.replay` raises, with the line.
    """
    games = []
    for number, text in record_lines(file):
        where = f"line {number}"
        record = read_line(text, where)
        games.append(Line(number, {**record, "result": result_of(replay(record, where))}))
    if not games:
        raise RecordError(f"there are no records in {file}.")
    return games


def decisions_of(record: Mapping[str, Any]) -> Decisions:
    """The decisions of a record; `RecordError` as `record.replay` raises it."""
    done = replay(record)
    size, players = done.hand_size, done.num_players
    taken = done.table.plays[0, : ROUNDS * size * done.num_tableaus].reshape(ROUNDS * size, done.num_tableaus)
    game = SushiGo(1, players, passing=done.passing, variant=done.variant)
    first = int(done.table.first_controller[0])
    game.reset(seeds=np.zeros(1, np.uint64), options={"deals": record["deals"], "first_controller": first})
    rows: list[tuple[Any, ...]] = []
    starts = []
    for index, laid in enumerate(taken.astype(np.int32)):
        if index % size == 0:
            starts.append(game.save()[0])
        _take(game, divmod(index, size), laid[:players], rows)
        if game.variant == DUMMY:
            actions = np.full(players, WAIT, np.int32)
            actions[int(game.table.controller[0])] = laid[DUMMY_SEAT]
            _take(game, divmod(index, size), actions, rows)
    round_, turn, half, seat, action, seen, legal = (np.array(column) for column in zip(*rows, strict=True))
    return Decisions(round_, turn, half, seat, action, seen, legal, np.stack(starts))


def _take(game: SushiGo, at: tuple[int, int], actions: NDArray[np.int32], rows: list[tuple[Any, ...]]) -> None:
    """Note what every seat that moves saw and did, then step."""
    seen, legal, half = game.observe("memory")[0].copy(), game.legal()[0].copy(), int(game.table.half[0])
    for seat in np.flatnonzero(game.to_move[0]):
        rows.append((*at, half, int(seat), actions[seat], seen[seat], legal[seat]))
    game.step(actions[None])


def laid_cards(record: Mapping[str, Any]) -> list[list[list[str]]]:
    """`[round][seat]`: the cards that a seat laid, in order, the dummy's last; chopsticks that went back are left out.

    A play of two cards gives one chopsticks card back: the first that lies there.
    """
    tableaus = len(record["result"]["totals"])
    return [[_table_of(turns, seat) for seat in range(tableaus)] for turns in record["plays"]]


def _table_of(turns: list[list[list[str]]], seat: int) -> list[str]:
    cards: list[str] = []
    for turn in turns:
        if len(turn[seat]) > 1:
            cards.remove("chopsticks")
        cards += turn[seat]
    return cards


def cards_of(action: int) -> tuple[str, ...]:
    """The names of the cards that an action lays."""
    return PLAYS[action]
