"""The review of a game: every decision held against what a search finds best, and luck told apart from play.

A seat's chance is the win share it can be expected to end in, judged from what that seat saw. At each turn the chances
of all seats are scaled so that they add up to 1. For each seat

    start + luck of the deals + own play + the others = result

where `start` is a fair share; `luck` what each deal changed; `own play` minus what the own moves lost; and the others
the rest: what the other seats played, and what of their hands came to light. docs/review.md tells it at length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load
from sushigo_agents.search.fitted import table
from sushigo_agents.search.guide import ready
from sushigo_agents.search.search import Search

from sushigo_env import seeding
from sushigo_env.errors import SettingError
from sushigo_env.sushi_go.cards import ROUNDS
from sushigo_env.sushi_go.observation import OBSERVATIONS, offsets
from sushigo_experiments.review_games import Decisions, Line, cards_of, decisions_of, laid_cards
from sushigo_experiments.review_samples import ANY, Difference, chances_at, compare, most_lost, outcomes

COSTLIEST = 3
"""Moves of a seat that a review names."""
MOST_SAMPLES = 5000
"""Positions that two plays are compared in, at most."""
BLOCK = 8
"""Decisions a thread thinks about before it takes the next: small enough for a bar that moves."""
SAMPLES_KEY = np.uint64(0xC0FFEE)
"""Makes the keys of the samples others than those of the search."""


@dataclass(frozen=True)
class ReviewSettings:
    """How a review is done. `SettingError` says what is allowed; the search checks its own part."""

    iterations: int = 2000
    """Iterations of the search a decision; with `time_ms`, the most."""
    time_ms: float = 0.0
    """If above 0, thinking about a decision stops after so many milliseconds; results then differ between runs."""
    policy: str = ""
    """An agent with a network that guides the search, such as `zoo:self_play`."""
    seed: int = 0

    def __post_init__(self) -> None:
        seeding.game_seeds(self.seed, 1)

    @property
    def samples(self) -> int:
        """Positions that two plays are compared in; two at least, for a standard error."""
        return max(2, min(self.iterations, MOST_SAMPLES))


@dataclass(frozen=True)
class Move:
    """A decision that had a choice. Rounds and turns are from 1, chances shares of 1, points margins."""

    round: int
    turn: int
    seat: int
    for_dummy: bool
    """The card that the controller gives the dummy."""
    choices: int
    played: tuple[str, ...]
    best: tuple[str, ...]
    """What the search finds best."""
    chance_lost: float
    """0 or more: 0 for the best play, and for one that does at least as well when both are played on."""
    chance_error: float
    """Standard error; 0 for the best play."""
    points_lost: float
    """Of the margin at the end; below 0 for a play that gives up chances for points."""
    points_error: float


@dataclass(frozen=True)
class SeatReview:
    """What a seat made of a game. `start + sum(luck) + own + others == result`."""

    seat: int
    total: int
    start: float
    luck: tuple[float, ...]
    """By round: what the deal changed."""
    own: float
    """0 or less: minus what the own moves lost."""
    others: float
    result: float
    """Win share: 1 for a victory, a part of 1 for a shared one."""
    points_lost: float
    costliest: tuple[Move, ...]


@dataclass(frozen=True)
class CurvePoint:
    """Chances of all seats at a moment: turn 0 is before the round's deal, the turn after the last the game's end."""

    round: int
    turn: int
    chances: tuple[float, ...]


@dataclass(frozen=True)
class GameReview:
    """The review of one game."""

    line: int
    players: int
    variant: str
    passing: str
    settings: ReviewSettings
    totals: tuple[int, ...]
    """By seat, the dummy's last."""
    winners: tuple[int, ...]
    seats: tuple[SeatReview, ...]
    moves: tuple[Move, ...]
    curve: tuple[CurvePoint, ...]
    laid: list[list[list[str]]]
    """`[round][seat]`: the cards that came to lie there, in order, the dummy's last."""

    def moves_of(self, seat: int) -> list[Move]:
        """The decisions of a seat, in the order played."""
        return [move for move in self.moves if move.seat == seat]

    def as_json(self) -> dict[str, Any]:
        """JSON-ready, as docs/review.md tells it."""
        return asdict(self)


Progress = Callable[[int], None]


def count_decisions(line: Line) -> int:
    """How many decisions `review_game` reports as progress for a game."""
    return len(decisions_of(line.record))


def check_settings(settings: ReviewSettings, record: Mapping[str, Any]) -> None:
    """`AgentError` if a search with these settings cannot play at a record's table; to be asked before any work."""
    _Judge(settings, record)


def review_game(
    line: Line, settings: ReviewSettings | None = None, threads: int = 1, progress: Progress | None = None
) -> GameReview:
    """Go over a game (`review_games.read_games`); neither `threads` nor other games change a result.

    `progress` is told of decisions done. `SettingError`, `AgentError` for settings there are not, and for a policy that
    does not know the table.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise SettingError(f"threads must be a whole number, 1 or more, not {threads!r}.")
    settings, record = settings or ReviewSettings(), line.record
    judge, decisions = _Judge(settings, record), decisions_of(record)
    found = judge.all(decisions, threads, progress or (lambda _: None))
    players, result = int(record["players"]), record["result"]
    chances = _chances(decisions, np.array([chance for chance, _, _ in found]), players)
    before = chances_at(decisions.round_starts, judge.table)
    before[0] = 1 / players
    shares = np.array([(seat in result["winners"]) / len(result["winners"]) for seat in range(players)])
    moves = tuple(_move(decisions, i, *found[i][1:]) for i in np.flatnonzero(decisions.choices > 1).tolist())
    luck = chances[:, 0] - before
    seats = [_seat(seat, result, float(shares[seat]), luck[:, seat], moves, players) for seat in range(players)]
    return GameReview(
        line=line.number,
        players=players,
        variant=record["variant"],
        passing=record["passing"],
        settings=settings,
        totals=tuple(result["totals"]),
        winners=tuple(result["winners"]),
        seats=tuple(seats),
        moves=moves,
        curve=_curve(chances, before, shares),
        laid=laid_cards(record),
    )


class _Judge:
    """The search, and all it needs to compare plays."""

    def __init__(self, settings: ReviewSettings, record: Mapping[str, Any]) -> None:
        table_of = record["players"], record["variant"]
        thinking: dict[str, Any] = {"iterations": settings.iterations, "time_ms": settings.time_ms}
        self.search = Search("sushi_go", *table_of, policy=settings.policy, **thinking)
        self.table = self.search.table = table(*table_of, record["passing"])
        self.settings, self.at = settings, offsets(*table_of)
        policy = load(settings.policy, "sushi_go", *table_of) if settings.policy else None
        self.policy = policy if isinstance(policy, Policy) else None

    def all(self, decisions: Decisions, threads: int, progress: Progress) -> list[tuple[float, int, Difference]]:
        """For every decision: the seat's chance, the best play, and what it is better by than what was played."""
        keys = seeding.decision_keys(
            np.full(len(decisions), self.settings.seed, np.uint64),
            decisions.seat,
            (decisions.round * 100 + decisions.turn) * 2 + decisions.half,
        )
        blocks = [range(first, min(first + BLOCK, len(decisions))) for first in range(0, len(decisions), BLOCK)]
        found: list[tuple[float, int, Difference]] = []
        with ThreadPoolExecutor(threads, thread_name_prefix="review") as pool:
            try:
                for block in pool.map(lambda rows: self._block(decisions, keys, rows), blocks):
                    found += block
                    progress(len(block))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return found

    def _block(
        self, decisions: Decisions, keys: NDArray[np.uint64], rows: range
    ) -> list[tuple[float, int, Difference]]:
        part = slice(rows.start, rows.stop)
        thoughts = self.search.think(decisions.observation[part], decisions.mask[part], keys[part])
        net = None
        if self.policy is not None:
            setting = OBSERVATIONS.index(self.policy.observation)
            net = ready(self.policy.network, setting, self.table.players)
        found, nothing = [], Difference(0.0, 0.0, 0.0, 0.0)
        for row, thought in zip(rows, thoughts, strict=True):
            seen, key, played = decisions.observation[row], keys[row] ^ SAMPLES_KEY, int(decisions.action[row])
            best, lost = played, nothing
            if len(thought.actions) == 1:
                shares = outcomes(seen, self.at, self.table, net, key, ANY, self.settings.samples)[:, 0]
                chance = float(shares.mean())
            else:
                place = int(thought.strategy.argmax())
                chance, best = float(thought.values[place]), int(thought.actions[place])
            if best != played:
                lost = compare(seen, self.at, self.table, net, key, best, played, self.settings.samples)
                lost = lost._replace(chance=min(lost.chance, most_lost(thought, place, played)))
            found.append((chance, best, lost))
        return found


def _chances(decisions: Decisions, found: NDArray[np.float64], players: int) -> NDArray[np.float64]:
    """float64[3, turns, P]: chances at every turn, before anyone has chosen; they add up to 1."""
    out = np.zeros((ROUNDS, int(decisions.turn.max()) + 1, players))
    first = decisions.half == 0
    out[decisions.round[first], decisions.turn[first], decisions.seat[first]] = np.maximum(found[first], 0)
    sums = out.sum(axis=2, keepdims=True)
    shares: NDArray[np.float64] = np.where(sums > 0, out / np.where(sums > 0, sums, 1), 1 / players)
    return shares


def _move(decisions: Decisions, index: int, best: int, lost: Difference) -> Move:
    """Chances cannot be won by a move other than the best: where samples say so, the two are taken to be as good."""
    worse = lost.chance > 0
    return Move(
        round=int(decisions.round[index]) + 1,
        turn=int(decisions.turn[index]) + 1,
        seat=int(decisions.seat[index]),
        for_dummy=bool(decisions.half[index]),
        choices=int(decisions.choices[index]),
        played=cards_of(int(decisions.action[index])),
        best=cards_of(best),
        chance_lost=lost.chance if worse else 0.0,
        chance_error=lost.chance_error,
        points_lost=lost.points if worse else 0.0,
        points_error=lost.points_error,
    )


def _seat(
    seat: int, result: Mapping[str, Any], share: float, luck: NDArray[np.float64], moves: tuple[Move, ...], players: int
) -> SeatReview:
    mine = [move for move in moves if move.seat == seat]
    start, own = 1 / players, -sum(move.chance_lost for move in mine)
    costly = sorted((move for move in mine if move.chance_lost > 0), key=lambda move: -move.chance_lost)
    return SeatReview(
        seat=seat,
        total=int(result["totals"][seat]),
        start=start,
        luck=tuple(luck.tolist()),
        own=own,
        others=share - start - float(luck.sum()) - own,
        result=share,
        points_lost=sum(move.points_lost for move in mine),
        costliest=tuple(costly[:COSTLIEST]),
    )


def _curve(
    chances: NDArray[np.float64], before: NDArray[np.float64], shares: NDArray[np.float64]
) -> tuple[CurvePoint, ...]:
    points = []
    for round_ in range(ROUNDS):
        points.append(CurvePoint(round_ + 1, 0, tuple(before[round_].tolist())))
        points += [CurvePoint(round_ + 1, turn + 1, tuple(row.tolist())) for turn, row in enumerate(chances[round_])]
    return (*points, CurvePoint(ROUNDS, chances.shape[1] + 1, tuple(shares.tolist())))
