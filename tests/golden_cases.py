"""The golden games as score sheets: what every seat lays, turn by turn. The deals follow from that.

A round has a row a seat and a column a turn; `wa+eg` are two cards laid with chopsticks, in that order. In the
two-player variant the third row is the dummy's, the fourth the pile, top first. A sheet shows each tableau at a glance,
so its points can be counted by hand; `tests/test_golden.py` does.
"""

from __future__ import annotations

from dataclasses import dataclass

from sushigo_env.sushi_go.cards import CARDS, DUMMY

Laid = list[list[str]]
"""The cards of each seat in one turn."""

CODES = dict(zip(("te", "sa", "du", "m1", "m2", "m3", "sn", "sq", "eg", "pu", "wa", "ch"), CARDS, strict=True))


@dataclass(frozen=True)
class GoldenGame:
    """A game to be told: its settings, its deals, its plays, as records have them."""

    title: str
    players: int
    variant: str
    passing: str
    first_controller: int | None
    deals: list[list[list[str]]]
    plays: list[list[Laid]]


@dataclass(frozen=True)
class Case:
    """A golden game as a sheet."""

    title: str
    players: int
    rounds: tuple[str, str, str]
    passing: str = "left"
    first_controller: int | None = None
    """Who opens the two-player variant; None in the standard game."""

    def game(self) -> GoldenGame:
        """The game of this sheet, deals and all."""
        variant = "standard" if self.first_controller is None else DUMMY
        deals, plays = [], []
        for number, sheet in enumerate(self.rounds):
            rows = [[[CODES[code] for code in cell.split("+")] for cell in row.split()] for row in sheet.split("\n")]
            rows = [row for row in rows if row]
            pile = [cards[0] for cards in rows.pop()] if variant == DUMMY else []
            turns = [list(laid) for laid in zip(*rows, strict=True)]
            way = -1 if self.passing == "alternate" and number == 1 else 1
            opener = ((self.first_controller or 0) + number * len(turns)) % 2
            deals.append(_deal(turns, self.players, way, opener, pile))
            plays.append(turns)
        return GoldenGame(self.title, self.players, variant, self.passing, self.first_controller, deals, plays)


def _deal(turns: list[Laid], players: int, way: int, opener: int, pile: list[str]) -> Laid:
    """The hands, and the pile if there is one, from which these plays can be laid.

    A hand was dealt what is ever laid from it, but for the chopsticks that went back into it and what came to it from
    the pile. The controller always holds the hand that the opener was dealt, since control switches with the hands.
    """
    hands: Laid = [[] for _ in range(players)]
    returned = [0] * players
    for turn, laid in enumerate(turns):
        seats = [*range(players), (opener + turn) % 2]
        held = [(seat - way * turn) % players for seat in seats]
        for hand, cards in zip(held, laid, strict=False):
            for card in cards:
                if card == "chopsticks" and returned[hand]:
                    returned[hand] -= 1
                else:
                    hands[hand].append(card)
        for hand, cards in zip(held, laid, strict=False):
            returned[hand] += len(cards) == 2
    for card in pile:
        hands[opener].remove(card)
    return [*hands, pile] if pile else hands


CASES = {
    "chopsticks": Case(
        "Chopsticks: wasabi then egg and egg then wasabi; nigiri swapped on one open wasabi; orders that make no "
        "difference; two owned; one of the two cards laid; the last turn they can be used",
        players=2,
        rounds=(
            """
            ch    wa+eg te    te    sa    sa    sa    du    du    m2
            m1    du    ch    eg+wa te    te    sn    ch    sa    pu
            """,
            """
            wa    ch    sq+sn du    du    ch    eg+sn te    te    ch
            wa    m3    sa    ch    sn+sq wa    pu    ch    wa+eg m1
            """,
            """
            ch    ch    te+te sa+sa ch    ch+du m2    m3    ch+m1 pu
            sn    du    du    du    du    du    ch    sn+sq m3    ch
            """,
        ),
    ),
    "victory_by_puddings": Case(
        "Both have the most points; the one with more puddings wins. The fewest puddings cost nothing with two players",
        players=2,
        passing="alternate",
        rounds=(
            """
            sa sa sa sa sa sa pu du du du
            te te te te sq sq m1 m1 m3 m3
            """,
            """
            wa wa sn eg m2 m2 pu te te du
            m2 m2 m2 du du du du du du sn
            """,
            """
            te te te te te pu m1 eg sa sa
            ch pu m1 wa sn te te sq sn sa
            """,
        ),
    ),
    "maki_ties": Case(
        "Maki: two share the most and there is no second; two share the second place; three share the most",
        players=3,
        rounds=(
            """
            m2 m3 te te te te sn eg pu
            m3 m1 m1 sa sa sa du du pu
            m3 wa sq du du du du ch sa
            """,
            """
            m3 m3 sn sn sn pu wa wa sa
            m2 m1 te te sq te te pu du
            m1 m2 sa sa sa sa sa sa pu
            """,
            """
            m2 wa eg wa sn pu te du du
            m2 du du du du du sq eg sa
            m2 sn te te te te te pu sa
            """,
        ),
    ),
    "two_wasabi_seven_dumplings": Case(
        "Two open wasabi take the next two nigiri, the third is bare; seven dumplings; chopsticks passed to the right",
        players=3,
        passing="alternate",
        rounds=(
            """
            wa    wa    sq    sn    eg    du    du    te    te
            du    du    du    du    du    du    du    m2    pu
            m1    sa    sa    sa    sn    sn    pu    te    ch
            """,
            """
            ch    sa+sa sa    m3    m3    te    te    pu    du
            sn    te    te    m1    ch    du    eg    te    te
            du    m2    ch    wa+sq m2    pu    sa    sa    sa
            """,
            """
            m2    m1    sn    sn    eg    te    te    pu    m3
            m2    m2    m2    sq    sa    sa    te    te    wa
            pu    pu    du    du    eg    sn    sa    m1    wa
            """,
        ),
    ),
    "three_fewest_puddings": Case(
        "One seat has all the puddings, the three with none share the loss; a round without maki; three second places",
        players=4,
        rounds=(
            """
            te    te    te    te    pu    pu    sn    sn
            sa    sa    sa    sa    sq    eg    wa    ch
            du    du    du    du    du    du    sn    te
            wa    sq    te    te    du    sa    sn    wa
            """,
            """
            m2    m2    sa    sa    sa    du    du    te
            m2    te    te    te    sn    du    sa    sa
            m1    m1    eg    sa    du    wa    sn    ch
            m2    du    du    sq    eg    te    te    sa
            """,
            """
            pu    m3    pu    pu    ch    sn    eg    du
            m3    m1    wa    sq    m2    m2    eg    sa
            ch    m3+m3 sn    m2    te    sq    m2    m1
            m1    sn    ch    m2+m2 m1    sa    wa    sn
            """,
        ),
    ),
    "shared_victory": Case(
        "Two seats share the victory, equal in points and puddings; all puddings are equal; four share the most maki",
        players=4,
        passing="alternate",
        rounds=(
            """
            m3    te    te    sn    sn    pu    du    du
            m1    m2    sa    sa    sa    eg    pu    te
            m2    m1    du    du    du    wa    sq    pu
            m3    te    te    te    te    pu    sa    eg
            """,
            """
            m2    m2    sa    sa    sa    du    sn    te
            m3    m1    du    du    du    du    te    te
            m2    sa    sa    wa    sn    te    te    ch
            ch    sq+wa sa    eg    du    ch    du+sa te
            """,
            """
            m2    m2    m2    sq    eg    pu    ch    ch
            pu    m2    m1    sn    sn    sn    te    wa
            pu    sa    sa    sn    m1    du    wa    eg
            pu    sn    sn    sa    m2    wa    sq    du
            """,
        ),
    ),
    "four_fewest_puddings": Case(
        "Four seats share the fewest puddings and lose 1 each, not 2; four share the second place in maki for nothing",
        players=5,
        rounds=(
            """
            m3    pu    pu    te    te    du    du
            m2    sa    sa    sa    sn    pu    te
            m2    te    te    te    te    sq    du
            m1    m1    du    du    du    wa    sq
            m2    sa    sa    sa    eg    eg    du
            """,
            """
            pu    pu    m3    sn    sn    wa    sn
            wa    wa    sq    sq    te    sa    m2
            pu    m3    m3    du    du    du    du
            pu    te    te    sa    sa    sa    m3
            pu    m2    m2    m2    eg    sn    sn
            """,
            """
            pu    ch    wa+sn pu    te    te    m1
            m2    m2    du    ch    m3    sn    sa
            m3    m3    te    te    du    sa    sa
            wa    sq    m1    m1    du    eg    m2
            m2    m2    m1    sn    sn    eg    sa
            """,
        ),
    ),
    "four_most_puddings": Case(
        "Four seats share the most puddings, 1 each; the fifth never scores and ends at -6",
        players=5,
        passing="alternate",
        rounds=(
            """
            m3 m3 te te du du pu
            m2 m2 sa sa sa sn pu
            m2 wa sq sn du du du
            m3 te te te eg eg pu
            te sa sa m1 m1 wa ch
            """,
            """
            pu m2 m2 sq te te du
            pu m3 m2 sn sn du du
            pu m2 m2 m2 du sn eg
            wa sn sq m3 sa sa sa
            te sa sa m1 m1 wa ch
            """,
            """
            te te m3 sn sn du sq
            m3 m2 du du wa eg sn
            pu m3 te te du sq sa
            pu m2 m2 sn eg du sa
            te sa sa m1 m1 wa ch
            """,
        ),
    ),
    "dummy_loses_puddings": Case(
        "The dummy has the fewest puddings and loses 6; the controller lays two cards, one of them just drawn, and "
        "once with the last card left for the dummy; the dummy is given chopsticks",
        players=2,
        first_controller=0,
        rounds=(
            """
            ch    te    wa+sq te    du    du    m2    pu    sn
            sa    sa    sa    m3    pu    m1    eg    te    te
            du    sn    te    ch    m2    sa    sq    m3    du
            m2    sn    sq    m1    sa    sq    te    m3    du
            """,
            """
            m1    ch    sa    sa    pu    sa    du    eg+sn ch
            ch    te    te    wa    m3    sn    m2    du+du pu
            te    sa    m2    du    m3    sn    du    m1    ch
            te    m2    du    m3    sn    m2    du    m1    pu
            """,
            """
            wa    ch    sq+sn m1    pu    te    te    du    du
            sa    sa    te    ch    te    m3+m2 pu    m2    du
            eg    du    te    m1    sn    m2    ch    te    wa
            eg    sn    te    m1    m3    te    m2    te    wa
            """,
        ),
    ),
    "dummy_cannot_win": Case(
        "The dummy has the most points and the most puddings, but cannot win; it shares the most maki; player_1 opens",
        players=2,
        first_controller=1,
        rounds=(
            """
            te    te    sn    sn    du    wa    eg    m1    sa
            sa    sa    m2    m1    te    eg    du    sq    du
            m3    sa    sa    sa    du    du    du    du    du
            m3    sa    sa    te    wa    du    du    m1    du
            """,
            """
            te    te    m2    wa    sn    ch    du    m2    te
            m2    m2    ch    sa    sq+sn pu    te    te    m1
            pu    pu    wa    sq    sn    du    m3    wa    te
            m2    pu    sq    sn    pu    m3    wa    te    te
            """,
            """
            m3    m3    sa    sa    sa    du    sn    pu    eg
            m2    m2    m2    te    te    sa    wa    du    pu
            pu    te    te    sa    sa    sa    sn    du    m1
            m3    te    m2    sa    te    du    sn    du    m1
            """,
        ),
    ),
}
"""Name of the file -> the sheet."""
