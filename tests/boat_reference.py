"""A second Sushi Boat, plain and slow, written from the rules alone: the oracle the engine is held against.

One player decides at a time. Nothing of the engine is used, not even its names and numbers: `tests/boat_facts.py` has
this side's own, and `Values`, which a table may have otherwise than usual. The table is told in
`tests/boat_reference_table.py`, staff and side dishes in `tests/boat_reference_effects.py`, challenges in
`tests/boat_reference_challenge.py`, scores in `tests/boat_reference_scoring.py`; here is how a game and its turns go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.boat_facts import (
    ACTIONS,
    CARDS,
    DISHES,
    NUMBER,
    OFF,
    PLACES,
    USUAL,
    Values,
    row_of,
)
from tests.boat_reference_challenge import Challenge
from tests.boat_reference_effects import Action


class Reference(Challenge):
    """One game, from its start or from a `position`, a snapshot of a turn's main phases (START to END)."""

    def __init__(
        self,
        num_players: int,
        menus: bool,
        chance: Callable[[int], int],
        position: dict[str, Any] | None = None,
        values: Values = USUAL,
    ) -> None:
        super().__init__(num_players, menus, chance, values)
        if position is not None:
            self.place_position(position)
            return
        self.set_up()
        if menus:
            self.queue = self.in_turn_order()
            self.ask_for_menu()

    # What is legal

    def legal(self) -> list[int]:
        """The actions, in order, that the player to act may take; none when the game is over."""
        if self.done:
            return []
        return sorted({NUMBER[action] for action in self.options()})

    def options(self) -> list[Action]:
        """What the phase allows."""
        own = self.own
        if self.phase == "START":
            return [("reveal", 0), *self.specials()]
        if self.phase == "MOVE":
            return [*self.moves(), *self.specials()]
        if self.phase == "ACT":
            return [*self.acts(), *self.specials()]
        if self.phase == "EAT":
            plates = self.laden(self.values.reach[own.place])
            return [*([("space", space) for space in plates] or [("eat nothing", 0)]), *self.specials()]
        if self.phase == "END":
            return [("end turn", 0), *self.specials()]
        if self.phase == "DECLARE":
            return [("decline", 0), *(("play", DISHES.index(dish)) for dish in self.declarable(self.to_act))]
        if self.phase == "GUESS":
            return [("guess", colour) for colour in range(5)]
        if self.phase == "MENU":
            return [("keep first", 0), ("keep second", 0)][: len(self.offered)]
        return self.options_of_sub_decision()

    def moves(self) -> list[Action]:
        """The free places; with two players, one in the other's row only for a yen. `seats_to_take` are the others."""
        free = [p for p in range(len(PLACES)) if self.is_open(p) and self.occupant(p) is None]
        return [("place", place) for place in free if self.own.yen > 0 or not self.is_in_the_others_row(place)]

    def acts(self) -> list[Action]:
        """Visit, buy, take a yen or do nothing."""
        own = self.own
        acts = [("take a yen", 0), ("pass", 0)]
        at = self.values.tile_position(own.place)
        if at is not None and own.yen > 0 and self.has_target(self.tiles[at]):
            acts.append(("visit", 0))
        if own.yen > 0 and self.discard:
            acts.append(("buy", 0))
        return acts

    def specials(self) -> list[Action]:
        """What may be done at any time in one's turn."""
        own = self.own
        actions = [("play", DISHES.index(dish)) for dish in own.hand if self.can_play(dish)]
        if own.yen > 0:
            if self.can_draw():
                actions.append(("special order", 0))
            if self.menu_deck:
                actions.append(("order a menu", 0))
            if own.place != OFF or self.phase == "MOVE":
                actions += self.seats_to_take()
        return actions

    def seats_to_take(self) -> list[Action]:
        """The places where others sit."""
        return [
            ("place", player.place)
            for seat, player in enumerate(self.players)
            if seat != self.to_act and player.place != OFF and self.is_open(player.place)
        ]

    def is_open(self, place: int) -> bool:
        """Whether so many players may sit at a place."""
        return self.values.open_to(place, self.num_players)

    def occupant(self, place: int) -> int | None:
        """The seat whose pawn is at a place."""
        for seat, player in enumerate(self.players):
            if player.place == place:
                return seat
        return None

    def is_in_the_others_row(self, place: int) -> bool:
        """With two players: whether a place is in the row of the other's pawn."""
        if self.num_players != 2:
            return False
        other = self.players[1 - self.to_act]
        return other.place != OFF and row_of(other.place) == row_of(place)

    # What happens

    def step(self, action: int) -> None:
        """Take one legal action of the player to act."""
        assert action in self.legal(), f"action {action} is not legal in {self.phase}"
        verb, argument = ACTIONS[action]
        if verb == "space":
            (self.do_eat if self.phase == "EAT" else self.do_chosen_space)(argument)
        elif verb == "play":
            (self.do_declare if self.phase == "DECLARE" else self.do_play)(argument)
        elif verb in ("first top", "first bottom", "second top", "second bottom"):
            self.do_satsuki(*verb.split())
        elif verb in ("keep first", "keep second"):
            self.do_keep(int(verb == "keep second"))
        elif verb in ("place", "tile", "trash", "pair", "depth", "discard", "guess"):
            getattr(self, f"do_{verb}")(argument)
        else:
            getattr(self, "do_" + verb.replace(" ", "_"))()

    def do_reveal(self) -> None:
        """The top card: a dish with its refill, or a challenge."""
        card = self.turn_up_card()
        if card is None:
            self.trash_to_bag()
            self.begin_challenge()
            return
        dish, arrow = CARDS[card]
        self.discard.append(dish)
        self.refill(arrow)
        self.phase = "MOVE"

    def do_place(self, place: int) -> None:
        """The pawn goes to a place, whose occupant is paid and leaves the board."""
        occupant = self.occupant(place)
        if occupant is not None:
            self.pay(occupant)
            self.players[occupant].place = OFF
        elif self.is_in_the_others_row(place):
            self.pay(1 - self.to_act)
        self.own.place = place
        if self.phase == "MOVE":
            self.phase = "ACT"

    def pay(self, to: int) -> None:
        """One yen from the player to act to another."""
        self.own.yen -= 1
        self.players[to].yen += 1

    def do_visit(self) -> None:
        """A tip of one yen to the bank, and the staff beside the place serves."""
        at = self.values.tile_position(self.own.place)
        assert at is not None
        self.own.yen -= 1
        self.back = "EAT"
        self.use_staff(self.tiles[at])

    def do_buy(self) -> None:
        """The top of the discard pile for one yen."""
        self.own.yen -= 1
        self.back = "EAT"
        self.take_dish()

    def do_take_a_yen(self) -> None:
        """One yen from the bank."""
        self.own.yen += 1
        self.phase = "EAT"

    def do_pass(self) -> None:
        """No action."""
        self.phase = "EAT"

    def do_eat(self, space: int) -> None:
        """The plate beside the place goes onto the stack."""
        self.own.stack.append(self.take_from_belt(space))
        self.phase = "END"

    def do_eat_nothing(self) -> None:
        """There is no plate beside the place."""
        self.phase = "END"

    def do_end_turn(self) -> None:
        """The next player's turn, or the end of the game once the deck is empty."""
        if self.deck_left == 0:
            self.done = True
            return
        self.turn = self.to_act = (self.turn + 1) % self.num_players
        self.phase = "START"

    def do_special_order(self) -> None:
        """A plate from the bag onto the belt, for one yen."""
        self.own.yen -= 1
        self.feed(self.draw_plate())

    # Menus

    def do_order_a_menu(self) -> None:
        """Two menus to choose from, for one yen."""
        self.own.yen -= 1
        self.back = self.phase
        self.queue = [self.to_act]
        self.ask_for_menu()

    def ask_for_menu(self) -> None:
        """The next player in the queue sees the two top menus, or the last one."""
        self.to_act = self.queue.pop(0)
        self.offered, self.menu_deck = self.menu_deck[:2], self.menu_deck[2:]
        self.phase = "MENU"

    def do_keep(self, which: int) -> None:
        """One is kept, the other goes under the deck."""
        self.own.menus.append(self.offered.pop(which))
        self.menu_deck += self.offered
        self.offered = []
        if self.queue:
            self.ask_for_menu()
        else:
            self.to_act, self.phase = self.turn, self.back
