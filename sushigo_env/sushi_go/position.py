"""Where one game stands, as plain arrays: to look at, to change, to set a game to. For search and teaching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.seeding import below, draw, game_seeds
from sushigo_env.sushi_go.cards import CARDS, CHOPSTICKS, COPIES, DECK, DUMMY, PUDDING, ROUNDS, WASABI, K, hand_size
from sushigo_env.sushi_go.deals import card_types
from sushigo_env.sushi_go.plays import NUM_PLAYS
from sushigo_env.sushi_go.scoring import NIGIRI_POINTS, WASABI_FACTOR
from sushigo_env.sushi_go.state import BARE, NIGIRI_AT, NO_CARD, PUDDINGS, SCORE, SCORE_OFFSET

if TYPE_CHECKING:
    from sushigo_env.sushi_go.game import SushiGo

Counts = NDArray[np.uint8]


@dataclass
class Position:
    """A game before a decision. P seats, T tableaus (P, and the dummy's in the variant), counts by card type."""

    hands: Counts
    """uint8[P, 12]."""
    tableaus: Counts
    """uint8[T, 12]: cards laid this round."""
    wasabi: Counts
    """uint8[T]: wasabi with no nigiri on it."""
    nigiri_points: Counts
    """uint8[T]: points of the nigiri laid this round."""
    puddings: Counts
    """uint8[T]: puddings kept from the rounds before."""
    scores: NDArray[np.int64]
    """int64[T]: points of the rounds before."""
    upcoming: Counts
    """uint8[M]: every card not yet dealt, as types in dealing order: the pile, the later rounds, the never dealt."""
    returned: Counts
    """uint8[P]: chopsticks that all saw go back into each hand, and that are not known to have left it."""
    turn: int = 0
    round: int = 0
    controller: int = 0
    drawn: int = NO_CARD
    """In the variant: the type of the card that the controller drew this turn."""
    half: int = 0
    pending: tuple[int, int] = (0, 0)
    """In the variant's second half: the plays chosen in the first."""

    @classmethod
    def of(cls, game: SushiGo, index: int = 0) -> Position:
        """Where game `index` stands; `SettingError` if it is over or not begun."""
        state, players, tableaus = game.table, game.num_players, game.num_tableaus
        if state.done[index]:
            raise SettingError(f"game {index} is over or not begun, so it has no position.")
        turn, round_ = int(state.turn[index]), int(state.round[index])
        start, _ = _pile(turn, round_, players, game.variant)
        status = state.status[index, :tableaus]
        return cls(
            hands=state.hands[index, :players].copy(),
            tableaus=state.tableaus[index, :tableaus].copy(),
            wasabi=status[:, BARE].copy(),
            nigiri_points=status[:, NIGIRI_AT].copy(),
            puddings=status[:, PUDDINGS].copy(),
            scores=status[:, SCORE].astype(np.int64) - SCORE_OFFSET,
            returned=state.returned[index, :players].copy(),
            upcoming=state.deck[index, start:].copy(),
            turn=turn,
            round=round_,
            controller=int(state.controller[index]),
            drawn=int(state.drawn[index]),
            half=int(state.half[index]),
            pending=(int(state.pending[index, 0]), int(state.pending[index, 1])),
        )

    @classmethod
    def from_cards(
        cls,
        hands: Sequence[Sequence[str | int]],
        tableaus: Sequence[Sequence[str | int]],
        *,
        variant: str = "standard",
        puddings: Sequence[int] | None = None,
        scores: Sequence[int] | None = None,
        round: int = 0,
        controller: int = 0,
        drawn: str | int | None = None,
        seed: int = 0,
    ) -> Position:
        """A position at the start of a turn, from cards by name (tableaus in the order laid).

        The turn (from 0) follows from the size of the tableaus. Cards not in sight are discarded or still to come, by
        `seed`. In the two-player variant there are three tableaus, the dummy's last, and the controller's hand holds
        one card more than the other's: `drawn`, which must be named too. `SettingError` for unknown cards or more than
        the deck has.
        """
        if not len(tableaus) or len(hands) != len(tableaus) - (variant == DUMMY):
            raise SettingError(f"{len(hands)} hands do not go with {len(tableaus)} tableaus in the {variant} game.")
        _check_range("round", round, (), 0, ROUNDS - 1)
        held = np.array([_count(hand, f"hand {seat}") for seat, hand in enumerate(hands)], np.uint8)
        laid = np.array([_count(table, f"tableau {seat}") for seat, table in enumerate(tableaus)], np.uint8)
        turn = int(laid[0].sum())
        kept = np.array(puddings if puddings is not None else [0] * len(laid))
        _check_range("puddings", kept, (len(laid),), 0, COPIES[PUDDING])
        on_nigiri = [_lay_in_order(table, f"tableau {seat}") for seat, table in enumerate(tableaus)]
        start, _ = _pile(turn, round, len(hands), variant)
        return cls(
            hands=held,
            tableaus=laid,
            wasabi=np.array([open_wasabi for open_wasabi, _ in on_nigiri], np.uint8),
            nigiri_points=np.array([points for _, points in on_nigiri], np.uint8),
            puddings=kept.astype(np.uint8),
            scores=np.array(scores if scores is not None else [0] * len(laid), np.int64),
            upcoming=_shuffled(_out_of_sight(held, laid, kept), int(game_seeds(seed, 1)[0]))[: len(DECK) - start],
            returned=np.zeros(len(held), np.uint8),
            turn=turn,
            round=round,
            controller=controller,
            drawn=NO_CARD if drawn is None else card_types([drawn], "drawn")[0],
        )

    def put(self, game: SushiGo, index: int = 0) -> None:
        """Set game `index` to this position; `SettingError` if it is impossible at that table, and no game changes."""
        self.check(game)
        if not game.table.started[index]:
            game.table.seed[index] = game_seeds(None, 1)[0]
        self._write(game, index)

    def check(self, game: SushiGo) -> None:
        """`SettingError` if no game at this table can come to this position."""
        _check_fields(self, game)
        _check_counts(self, game)
        if not self.half:
            return
        first_half = type(game)(1, game.num_players, variant=game.variant)
        self._write(first_half, 0)
        first_half.table.half[0] = 0
        legal = first_half.legal()[0]
        if not all(legal[seat, play] for seat, play in enumerate(self.pending)):
            raise SettingError(f"pending must be plays that were legal in the first half, not {self.pending}.")

    def _write(self, game: SushiGo, index: int) -> None:
        """Fill the row of game `index`."""
        state, players, tableaus = game.table, game.num_players, game.num_tableaus
        start, _ = _pile(self.turn, self.round, players, game.variant)
        kept = {name: getattr(state, name)[index].copy() for name in ("seed", "episode", "kind")}
        state.rows[index] = 0
        for name, value in kept.items():
            getattr(state, name)[index] = value
        state.started[index] = True
        state.hands[index, :players] = self.hands
        state.returned[index, :players] = self.returned
        state.tableaus[index, :tableaus] = self.tableaus
        state.status[index, :, SCORE] = SCORE_OFFSET
        scores = np.asarray(self.scores) + SCORE_OFFSET
        status = np.stack([self.wasabi, self.nigiri_points, self.puddings, scores], axis=1)
        state.status[index, :tableaus] = status
        state.undealt[index] = np.bincount(self.upcoming, minlength=K)
        state.turn[index], state.round[index] = self.turn, self.round
        state.reversed[index] = game.passing == "alternate" and self.round == 1 and game.variant != DUMMY
        state.controller[index], state.drawn[index] = self.controller, self.drawn
        state.first_controller[index] = (self.controller + self.round * game.hand_size + self.turn) % 2
        state.half[index], state.pending[index] = self.half, self.pending
        gone = COPIES.astype(np.int64) - np.bincount(self.upcoming, minlength=K)
        state.deck[index, :start] = np.repeat(np.arange(K), gone)
        state.deck[index, start:] = self.upcoming
        state.placed[index] = True


def _check_fields(position: Position, game: SushiGo) -> None:
    players, tableaus, size, dummy = game.num_players, game.num_tableaus, game.hand_size, game.variant == DUMMY
    for name in ("hands", "returned", "tableaus", "wasabi", "nigiri_points", "puddings", "scores", "upcoming"):
        setattr(position, name, np.asarray(getattr(position, name)))
    _check_range("turn", position.turn, (), 0, size - 1)
    _check_range("round", position.round, (), 0, ROUNDS - 1)
    _check_range("half", position.half, (), 0, int(dummy))
    _check_range("controller", position.controller, (), 0, int(dummy))
    start, _ = _pile(position.turn, position.round, players, game.variant)
    _check_range("hands", position.hands, (players, K), 0, COPIES)
    _check_range("returned", position.returned, (players,), 0, position.hands[:, CHOPSTICKS])
    _check_range("tableaus", position.tableaus, (tableaus, K), 0, COPIES)
    bare = position.tableaus @ NIGIRI_POINTS[:K].astype(np.int64)
    _check_range("wasabi", position.wasabi, (tableaus,), 0, position.tableaus[:, WASABI])
    _check_range("nigiri_points", position.nigiri_points, (tableaus,), bare, bare * WASABI_FACTOR)
    _check_range("puddings", position.puddings, (tableaus,), 0, COPIES[PUDDING])
    _check_range("scores", position.scores, (tableaus,), 0, game.max_score)
    _check_range("upcoming", position.upcoming, (len(DECK) - start,), 0, K - 1)
    _check_range("pending", position.pending, (2,), 0, NUM_PLAYS - 1)
    if dummy:
        _check_range("drawn", position.drawn, (), 0, K - 1)


def _check_range(name: str, value: Any, shape: tuple[int, ...], low: Any, high: Any) -> None:
    array = np.asarray(value)
    if array.dtype.kind not in "iu" or array.shape != shape:
        wanted = f"integers of shape {shape}" if shape else "an integer"
        raise SettingError(f"{name} must be {wanted}, not {array.dtype} of shape {array.shape}.")
    wrong = (array < low) | (array > high)
    if wrong.any():
        least, most = (np.broadcast_to(bound, shape)[wrong].flat[0] for bound in (low, high))
        raise SettingError(f"{name} has {array[wrong].flat[0]} where {least} to {most} is possible.")


def _check_counts(position: Position, game: SushiGo) -> None:
    dummy = game.variant == DUMMY
    for seat, hand in enumerate(position.hands.sum(1)):
        cards = game.hand_size - position.turn + (dummy and seat == position.controller)
        if hand != cards:
            raise SettingError(f"hand {seat} must have {cards} cards in turn {position.turn}, not {hand}.")
    for seat, laid in enumerate(position.tableaus.sum(1)):
        if laid != position.turn:
            raise SettingError(f"tableau {seat} must have {position.turn} cards in turn {position.turn}, not {laid}.")
    upcoming = np.bincount(position.upcoming, minlength=K)
    gone = _out_of_sight(position.hands, position.tableaus, position.puddings) - upcoming
    if (gone < 0).any():
        cards_over = ", ".join(CARDS[card] for card in np.flatnonzero(gone < 0))
        raise SettingError(f"the position holds more of these than the deck has: {cards_over}.")
    if dummy and position.hands[position.controller, position.drawn] == 0:
        raise SettingError("drawn must be a card in the controller's hand.")


def _pile(turn: int, round_: int, players: int, variant: str) -> tuple[int, int]:
    """Places in the deck where the cards not yet dealt begin, and where the next round does."""
    size, dummy = hand_size(players, variant), variant == DUMMY
    stop = (round_ + 1) * (players + dummy) * size
    return (stop - size + turn + 1 if dummy else stop), stop


def _count(names: Any, where: str) -> NDArray[Any]:
    return np.bincount(np.asarray(card_types(names, where), np.int64), minlength=K)


def _lay_in_order(names: Sequence[str | int], where: str) -> tuple[int, int]:
    """Uncovered wasabi and nigiri points of cards laid in this order."""
    open_wasabi = points = 0
    for card in card_types(names, where):
        worth = int(NIGIRI_POINTS[card])
        if worth and open_wasabi:
            open_wasabi, worth = open_wasabi - 1, worth * WASABI_FACTOR
        points += worth
        open_wasabi += card == WASABI
    return open_wasabi, points


def _out_of_sight(hands: Counts, tableaus: Counts, puddings: Counts) -> NDArray[np.int64]:
    """int64[12]: cards neither in a hand nor on the table; `SettingError` for more than the deck has."""
    left: NDArray[np.int64] = COPIES.astype(np.int64) - hands.sum(0, dtype=np.int64) - tableaus.sum(0, dtype=np.int64)
    left[PUDDING] -= int(puddings.sum())
    for card in np.flatnonzero(left < 0):
        raise SettingError(f"the position has {COPIES[card] - left[card]} {CARDS[card]}, the deck {COPIES[card]}.")
    return left


def _shuffled(counts: NDArray[np.int64], seed: int) -> Counts:
    cards = np.repeat(np.arange(K, dtype=np.uint8), counts)
    for i in range(len(cards) - 1, 0, -1):
        bits = np.uint64(draw(np.uint64(seed), np.uint64(i)))  # compiled code gives Python's own int back
        j = int(below(bits, np.uint64(i + 1)))
        cards[i], cards[j] = cards[j], cards[i]
    return cards
