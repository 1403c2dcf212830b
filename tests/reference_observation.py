"""What each seat of the plain reference game knows, followed event by event, as a person with a perfect memory would.

Each viewer keeps a list of the cards known to be in each hand. Holding a hand shows all of it. Whatever is laid is
seen by all and leaves what is known of that hand; chopsticks taken back are seen to go into it. Hands are passed in
the open, so what is known of them goes along.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sushigo_env.sushi_go.cards import CARDS
from tests.reference import COPIES, Reference, nigiri_points

SCORE_OFFSET = 6
"""A final total may be as low as -6."""
Observation = dict[str, NDArray[np.uint8] | int]


def counts(cards: list[str]) -> NDArray[np.uint8]:
    """uint8[12]: how many of each card type."""
    return np.array([cards.count(name) for name in CARDS], np.uint8)


class ObservedReference(Reference):
    """The reference game, with every seat's knowledge of every hand."""

    def observe(self, seat: int, setting: str) -> Observation:
        """Every field of the engine's observations, by name, as `seat` sees it under `memory`, `table` or `full`."""
        seats = [(seat + i) % self.num_players for i in range(self.num_players)]
        others, tables = seats[1:], seats + [2] * self.has_dummy
        known = {other: self._known(seat, other, setting) for other in others}
        on_tables = [self.tableaus[table] for table in tables]
        observation: Observation = {
            "own_hand": counts(self.hand_left(seat)),
            "other_hands": np.array([counts(known[other]) for other in others]),
            "unseen": self._unseen(seat, known, setting),
            "tableaus": np.array([counts(tableau) for tableau in on_tables]),
            "wasabi": np.array([nigiri_points(tableau)[1] for tableau in on_tables], np.uint8),
            "nigiri_points": np.array([nigiri_points(tableau)[0] for tableau in on_tables], np.uint8),
            "puddings": np.array([self.puddings[table] for table in tables], np.uint8),
            "scores": np.array([self.totals[table] + SCORE_OFFSET for table in tables], np.uint8),
            "unknown_cards": np.array([len(self.hands[other]) - len(known[other]) for other in others], np.uint8),
            "hand_sizes": np.array(
                [len(self.hand_left(seat))] + [len(self.hands[other]) for other in others], np.uint8
            ),
            "turn": self.turn,
            "round": self.round,
            "direction": self.direction(),
        }
        if self.has_dummy:
            observation["pile_size"] = len(self.pile)
            observation["controls"] = int(seat == self.controller and not self.done)
            observation["half"] = self.half
            observation["pending"] = counts(list(self.pending[seat]))
        return observation

    def _known(self, viewer: int, holder: int, setting: str) -> list[str]:
        """The cards that `viewer` may name in the hand of `holder`."""
        if setting == "full":
            return self.hands[holder]
        if setting == "memory":
            return self.memory[viewer][holder]
        return []

    def _unseen(self, viewer: int, known: dict[int, list[str]], setting: str) -> NDArray[np.uint8]:
        """The deck less all that `viewer` has seen: in `table`, less what can be seen at this moment."""
        seen = list(self.hands[viewer])
        for cards in known.values():
            seen += cards
        for tableau, puddings in zip(self.tableaus, self.puddings, strict=True):
            seen += tableau + ["pudding"] * puddings
        if setting != "table":
            seen += self.discards
        return np.array([COPIES[name] - seen.count(name) for name in CARDS], np.uint8)

    def _deal(self) -> None:
        self.memory: list[list[list[str]]] = [[[] for _ in range(self.num_players)] for _ in range(self.num_players)]
        super()._deal()
        self._look_at_own_hands()

    def _look_at_own_hands(self) -> None:
        for viewer in range(self.num_players):
            self.memory[viewer][viewer] = list(self.hands[viewer])

    def _draw(self) -> None:
        """The drawn card is known to its drawer alone."""
        super()._draw()
        self._look_at_own_hands()

    def _lay(self, holder: int, seat: int, card: str) -> None:
        super()._lay(holder, seat, card)
        for hands in self.memory:
            if card in hands[holder]:
                hands[holder].remove(card)

    def _take_back_chopsticks(self, seat: int) -> None:
        super()._take_back_chopsticks(seat)
        for hands in self.memory:
            hands[seat].append("chopsticks")

    def _pass_hands(self) -> None:
        """The memories of hands go round with the hands; then each seat looks at the hand it was given."""
        direction = self.direction()
        super()._pass_hands()
        for viewer, hands in enumerate(self.memory):
            self.memory[viewer] = [hands[-1], *hands[:-1]] if direction == 0 else [*hands[1:], hands[0]]
        self._look_at_own_hands()
