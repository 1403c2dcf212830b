"""A second Sushi Go!, plain and slow, written from the rules alone: the oracle the engine is held against.

Cards are names, a hand is a list of names, a tableau a list of names in the order they were laid. Nothing of the
engine is used but the names of the cards and the numbering of the plays. `tests/reference_observation.py` adds what
each seat knows.
"""

from __future__ import annotations

from typing import Any

from sushigo_env.sushi_go.cards import CARDS
from sushigo_env.sushi_go.plays import PLAYS

COPIES = {
    "tempura": 14,
    "sashimi": 14,
    "dumpling": 14,
    "maki_1": 6,
    "maki_2": 12,
    "maki_3": 8,
    "salmon_nigiri": 10,
    "squid_nigiri": 5,
    "egg_nigiri": 5,
    "pudding": 10,
    "wasabi": 6,
    "chopsticks": 4,
}
NIGIRI = {"salmon_nigiri": 2, "squid_nigiri": 3, "egg_nigiri": 1}
ICONS = {"maki_1": 1, "maki_2": 2, "maki_3": 3}
WAIT = 96
ACTION = {play: action for action, play in enumerate(PLAYS)}
IN_DECK_ORDER = {(a, b): (a, b) if CARDS.index(a) <= CARDS.index(b) else (b, a) for a in CARDS for b in CARDS}
"""Any two cards -> the same two as the deck lists them."""


def dumpling_points(count: int) -> int:
    """1, 3, 6, 10, 15 for 1, 2, 3, 4, 5 or more."""
    return [0, 1, 3, 6, 10, 15][min(count, 5)]


def nigiri_points(tableau: list[str]) -> tuple[int, int]:
    """Points of the nigiri in the order laid, and the wasabi left with no nigiri on them."""
    points = open_wasabi = 0
    for card in tableau:
        if card == "wasabi":
            open_wasabi += 1
        elif card in NIGIRI:
            if open_wasabi > 0:
                open_wasabi -= 1
                points += 3 * NIGIRI[card]
            else:
                points += NIGIRI[card]
    return points, open_wasabi


def icons(tableau: list[str]) -> int:
    """Maki icons of a tableau."""
    return sum(ICONS.get(card, 0) for card in tableau)


def maki_points(all_icons: list[int]) -> list[int]:
    """Most icons 6, second 3; ties split, remainder ignored; a tie for most leaves no second; no icons, no points."""
    points = [0] * len(all_icons)
    places = sorted({count for count in all_icons if count > 0}, reverse=True)
    if not places:
        return points
    firsts = [seat for seat, count in enumerate(all_icons) if count == places[0]]
    for seat in firsts:
        points[seat] = 6 // len(firsts)
    if len(firsts) == 1 and len(places) > 1:
        seconds = [seat for seat, count in enumerate(all_icons) if count == places[1]]
        for seat in seconds:
            points[seat] = 3 // len(seconds)
    return points


def pudding_points(puddings: list[int]) -> list[int]:
    """Most +6, fewest -6, split towards zero; all equal, nothing; with two tableaus nobody loses."""
    points = [0] * len(puddings)
    most, fewest = max(puddings), min(puddings)
    if most == fewest:
        return points
    for seat, count in enumerate(puddings):
        if count == most:
            points[seat] = 6 // puddings.count(most)
        elif count == fewest and len(puddings) > 2:
            points[seat] = -(6 // puddings.count(fewest))
    return points


def round_points(tableaus: list[list[str]]) -> list[dict[str, int]]:
    """Each tableau's points of a round by kind."""
    maki = maki_points([icons(tableau) for tableau in tableaus])
    return [
        {
            "tempura": 5 * (tableau.count("tempura") // 2),
            "sashimi": 10 * (tableau.count("sashimi") // 3),
            "dumpling": dumpling_points(tableau.count("dumpling")),
            "nigiri": nigiri_points(tableau)[0],
            "maki": maki[seat],
        }
        for seat, tableau in enumerate(tableaus)
    ]


class Reference:
    """One game, from given deals: `deals[round][seat]` is a hand; the dummy's pile, top first, is the third 'hand'."""

    def __init__(
        self, num_players: int, variant: str, passing: str, deals: list[list[list[str]]], first_controller: int = 0
    ) -> None:
        self.num_players = num_players
        self.has_dummy = variant == "two_player_dummy"
        self.passing = passing
        self.deals = deals
        self.tables = num_players + self.has_dummy
        self.controller = first_controller
        self.round = self.turn = self.half = 0
        self.done = False
        self.hands: list[list[str]] = []
        self.pile: list[str] = []
        self.tableaus: list[list[str]] = []
        self.pending: list[tuple[str, ...]] = []
        self.rounds: list[list[dict[str, int]]] = []
        self.discards: list[str] = []
        self.puddings = [0] * self.tables
        self.totals = [0] * self.tables
        self.pudding_points = [0] * self.tables
        self.winners: list[int] = []
        self._deal()

    @property
    def scores(self) -> list[int]:
        """Points so far by seat, the dummy left out."""
        return self.totals[: self.num_players]

    def to_move(self) -> set[int]:
        """The seats that must choose now: everyone, but the controller alone where it picks the dummy's card."""
        if self.done:
            return set()
        return {self.controller} if self.half == 1 else set(range(self.num_players))

    def legal(self, seat: int) -> set[int]:
        """The actions that `seat` may take now."""
        if self.done:
            return set()
        if self.half == 1:
            if seat != self.controller:
                return {WAIT}
            return {ACTION[(card,)] for card in self.hand_left(seat)}
        hand = self.hands[seat]
        plays = {ACTION[(card,)] for card in hand}
        for_dummy = 1 if self.has_dummy and seat == self.controller else 0
        if "chopsticks" in self.tableaus[seat] and len(hand) >= 2 + for_dummy:
            for i, first in enumerate(hand):
                for second in hand[i + 1 :]:
                    plays |= self._pairs(seat, *IN_DECK_ORDER[first, second])
        return plays

    def _pairs(self, seat: int, first: str, second: str) -> set[int]:
        """The plays that lay these two cards: also the other way round if that comes to something else."""
        plays = {ACTION[first, second]}
        if first != second and (second, first) in ACTION:
            table = self.tableaus[seat]
            if nigiri_points([*table, first, second]) != nigiri_points([*table, second, first]):
                plays.add(ACTION[second, first])
        return plays

    def hand_left(self, seat: int) -> list[str]:
        """The seat's hand without the cards it has chosen but not yet revealed."""
        hand = list(self.hands[seat])
        for card in self.pending[seat]:
            hand.remove(card)
        return hand

    def step(self, actions: list[int]) -> None:
        """Everyone's action; in the variant a turn takes two steps, and in the second only the controller's counts."""
        if self.has_dummy and self.half == 0:
            self.pending = [PLAYS[action] for action in actions]
            self.half = 1
            return
        if self.has_dummy:
            dummy_card = PLAYS[actions[self.controller]]
            laid = [*self.pending, dummy_card]
            self.pending = [(), ()]
            self.half = 0
        else:
            laid = [PLAYS[action] for action in actions]
        self._reveal(laid)
        if self.hands[0]:
            self._pass_hands()
            self.turn += 1
            self._draw()
        else:
            self._end_round()

    def _deal(self) -> None:
        self.turn = 0
        self.half = 0
        self.hands = [list(hand) for hand in self.deals[self.round][: self.num_players]]
        self.pile = list(self.deals[self.round][self.num_players]) if self.has_dummy else []
        self.tableaus = [[] for _ in range(self.tables)]
        self.pending = [()] * self.num_players
        self._draw()

    def _draw(self) -> None:
        """The controller of the variant takes the pile's top card into hand."""
        if self.has_dummy:
            self.hands[self.controller].append(self.pile.pop(0))

    def _reveal(self, laid: list[tuple[str, ...]]) -> None:
        """All cards go to the table at once, then used chopsticks go back into the hands they were used on."""
        for seat, cards in enumerate(laid):
            holder = seat if seat < self.num_players else self.controller
            for card in cards:
                self._lay(holder, seat, card)
        for seat, cards in enumerate(laid):
            if len(cards) == 2:
                self._take_back_chopsticks(seat)

    def _lay(self, holder: int, seat: int, card: str) -> None:
        self.hands[holder].remove(card)
        self.tableaus[seat].append(card)

    def _take_back_chopsticks(self, seat: int) -> None:
        self.tableaus[seat].remove("chopsticks")
        self.hands[seat].append("chopsticks")

    def _pass_hands(self) -> None:
        """Left: seat s passes to seat s + 1. Right in round 2 of alternate passing. The variant's control switches."""
        if self.direction() == 0:
            self.hands = [self.hands[-1], *self.hands[:-1]]
        else:
            self.hands = [*self.hands[1:], self.hands[0]]
        self.controller = 1 - self.controller if self.has_dummy else 0

    def direction(self) -> int:
        """0 if hands go to the left neighbour, 1 if to the right one."""
        return int(self.passing == "alternate" and self.round == 1 and not self.has_dummy)

    def _end_round(self) -> None:
        self.controller = 1 - self.controller if self.has_dummy else 0
        points = round_points(self.tableaus)
        self.rounds.append(points)
        for seat, tableau in enumerate(self.tableaus):
            self.totals[seat] += sum(points[seat].values())
            self.puddings[seat] += tableau.count("pudding")
            self.discards += [card for card in tableau if card != "pudding"]
        self.round += 1
        if self.round < 3:
            self._deal()
        else:
            self._end_game()

    def _end_game(self) -> None:
        self.done = True
        self.turn = 0
        self.tableaus = [[] for _ in range(self.tables)]
        self.pudding_points = pudding_points(self.puddings)
        self.totals = [total + points for total, points in zip(self.totals, self.pudding_points, strict=True)]
        places = [(self.totals[seat], self.puddings[seat]) for seat in range(self.num_players)]
        self.winners = [seat for seat, place in enumerate(places) if place == max(places)]

    def result(self) -> dict[str, Any]:
        """The game's result in the form of game records."""
        return {
            "rounds": self.rounds,
            "puddings": self.puddings,
            "pudding_points": self.pudding_points,
            "totals": self.totals,
            "winners": self.winners,
        }


def play_of(cards: list[str]) -> int:
    """The action that lays these cards as a record spells them; order counts only where the rules make it count."""
    if tuple(cards) in ACTION:
        return ACTION[tuple(cards)]
    return ACTION[IN_DECK_ORDER[cards[0], cards[1]]]


def legal_play_of(game: Reference, seat: int, cards: list[str]) -> int:
    """The legal action of `seat` that means these cards: the pair in deck order where its order makes no difference."""
    action = play_of(cards)
    if action not in game.legal(seat) and len(cards) == 2:
        action = ACTION[IN_DECK_ORDER[cards[0], cards[1]]]
    assert action in game.legal(seat), f"seat {seat} cannot lay {cards} in round {game.round}, turn {game.turn}"
    return action


def replay(record: dict[str, Any]) -> Reference:
    """Play a game record to its end."""
    first = record.get("first_controller", [0])[0]
    game = Reference(record["players"], record["variant"], record["passing"], record["deals"], first)
    for turns in record["plays"]:
        for laid in turns:
            game.step([legal_play_of(game, seat, laid[seat]) for seat in range(game.num_players)])
            if game.has_dummy:
                dummy = legal_play_of(game, game.controller, laid[2])
                game.step([dummy if seat == game.controller else WAIT for seat in range(game.num_players)])
    return game
