"""Where one game stands, as plain arrays: to look at, to change, to set a game to. For search and teaching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.seeding import below, draw
from sushigo_env.sushi_go.cards import CARDS, COPIES, DECK, DUMMY, PUDDING, ROUNDS, WASABI, K, hand_size
from sushigo_env.sushi_go.deals import card_types
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

        The turn follows from the size of the tableaus. Cards not in sight are discarded or still to come, by `seed`.
        `SettingError` for unknown cards or more than the deck has.
        """
        held = np.array([_count(hand, f"hand {seat}") for seat, hand in enumerate(hands)], np.uint8)
        laid = np.array([_count(table, f"tableau {seat}") for seat, table in enumerate(tableaus)], np.uint8)
        turn = int(laid[0].sum())
        kept = np.array(puddings if puddings is not None else [0] * len(laid), np.uint8)
        on_nigiri = [_lay_in_order(table, f"tableau {seat}") for seat, table in enumerate(tableaus)]
        start, _ = _pile(turn, round, len(hands), variant)
        return cls(
            hands=held,
            tableaus=laid,
            wasabi=np.array([open_wasabi for open_wasabi, _ in on_nigiri], np.uint8),
            nigiri_points=np.array([points for _, points in on_nigiri], np.uint8),
            puddings=kept,
            scores=np.array(scores if scores is not None else [0] * len(laid), np.int64),
            upcoming=_shuffled(_out_of_sight(held, laid, kept), seed)[: len(DECK) - start],
            returned=np.zeros(len(held), np.uint8),
            turn=turn,
            round=round,
            controller=controller,
            drawn=NO_CARD if drawn is None else card_types([drawn], "drawn")[0],
        )

    def put(self, game: SushiGo, index: int = 0) -> None:
        """Set game `index` to this position; `SettingError` if its cards or counts are impossible at that table."""
        self._check(game)
        state, players, tableaus = game.table, game.num_players, game.num_tableaus
        known = self.hands.sum(0, dtype=np.int64) + self.tableaus.sum(0, dtype=np.int64)
        known[PUDDING] += int(self.puddings.sum())
        discarded = COPIES.astype(np.int64) - known - np.bincount(self.upcoming, minlength=K)
        start, _ = _pile(self.turn, self.round, players, game.variant)
        seed, episode = state.seed[index], state.episode[index]
        state.rows[index] = 0
        state.seed[index], state.episode[index] = seed, episode
        state.drawn[index] = self.drawn
        state.started[index] = True
        state.hands[index, :players] = self.hands
        state.returned[index, :players] = self.returned
        state.tableaus[index, :tableaus] = self.tableaus
        state.status[index, :, SCORE] = SCORE_OFFSET
        status = np.stack([self.wasabi, self.nigiri_points, self.puddings, self.scores + SCORE_OFFSET], axis=1)
        state.status[index, :tableaus] = status
        state.undealt[index] = np.bincount(self.upcoming, minlength=K)
        state.turn[index], state.round[index] = self.turn, self.round
        state.reversed[index] = game.passing == "alternate" and self.round == 1 and game.variant != DUMMY
        state.half[index], state.controller[index] = self.half, self.controller
        state.first_controller[index] = (self.controller + self.round * game.hand_size + self.turn) % 2
        state.pending[index] = self.pending
        state.deck[index, :start] = np.repeat(np.arange(K), known + discarded)
        state.deck[index, start:] = self.upcoming
        state.plays[index] = NO_CARD

    def _check(self, game: SushiGo) -> None:
        players, tableaus, size = game.num_players, game.num_tableaus, game.hand_size
        if not (0 <= self.turn < size and 0 <= self.round < ROUNDS):
            raise SettingError(f"turn must be 0 to {size - 1} and round 0 to {ROUNDS - 1}.")
        shapes: dict[str, tuple[int, ...]] = {"hands": (players, K), "returned": (players,), "tableaus": (tableaus, K)}
        shapes |= dict.fromkeys(("wasabi", "nigiri_points", "puddings", "scores"), (tableaus,))
        start, _ = _pile(self.turn, self.round, players, game.variant)
        shapes["upcoming"] = (len(DECK) - start,)
        for name, shape in shapes.items():
            if np.shape(getattr(self, name)) != shape:
                raise SettingError(f"{name} must have the shape {shape}, not {np.shape(getattr(self, name))}.")
        if not ((self.scores >= -SCORE_OFFSET) & (self.scores <= game.max_score)).all():
            raise SettingError(f"scores must be {-SCORE_OFFSET} to {game.max_score}, not {self.scores.tolist()}.")
        self._check_counts(game)

    def _check_counts(self, game: SushiGo) -> None:
        dummy = game.variant == DUMMY
        for seat, hand in enumerate(self.hands.sum(1)):
            cards = game.hand_size - self.turn + (dummy and seat == self.controller)
            if hand != cards:
                raise SettingError(f"hand {seat} must have {cards} cards in turn {self.turn}, not {hand}.")
        for seat, laid in enumerate(self.tableaus.sum(1)):
            if laid != self.turn:
                raise SettingError(f"tableau {seat} must have {self.turn} cards in turn {self.turn}, not {laid}.")
            if self.wasabi[seat] > self.tableaus[seat, WASABI]:
                raise SettingError(f"tableau {seat} has fewer wasabi than are said to be open.")
        gone = _out_of_sight(self.hands, self.tableaus, self.puddings) - np.bincount(self.upcoming, minlength=K)
        if (gone < 0).any():
            cards_over = ", ".join(CARDS[card] for card in np.flatnonzero(gone < 0))
            raise SettingError(f"the position holds more of these than the deck has: {cards_over}.")
        if dummy and (self.drawn >= K or self.hands[self.controller, self.drawn] == 0):
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
