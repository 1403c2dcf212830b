"""How a challenge goes at the plain Sushi Boat reference's table."""

from __future__ import annotations

from tests.boat_facts import DISHES, TUNNEL, colour_of
from tests.boat_reference_effects import Effects
from tests.boat_reference_scoring import cubes_kept

IN_A_CHALLENGE = ("Takoyaki", "Onigiri")


class Challenge(Effects):
    """Dishes declared, then guesses, then the hidden plates. The turn goes on with MOVE."""

    def begin_challenge(self) -> None:
        """Whoever holds a Takoyaki or an Onigiri may declare it, in turn order."""
        self.phase = "DECLARE"
        self.queue = self.in_turn_order()
        self.next_to_declare()

    def declarable(self, seat: int) -> list[str]:
        """The dishes that a player may still declare in this challenge."""
        player = self.players[seat]
        return [dish for dish in IN_A_CHALLENGE if dish in player.hand and dish not in player.declared]

    def next_to_declare(self) -> None:
        """Ask the first in the queue who has something to declare; when there is nobody, the guesses begin."""
        while self.queue and not self.declarable(self.queue[0]):
            self.queue.pop(0)
        if self.queue:
            self.to_act = self.queue[0]
        else:
            self.begin_guesses()

    def do_declare(self, number: int) -> None:
        """A dish is eaten for what it does in a challenge; the same player is asked for the other one."""
        self.eat_dish(DISHES[number])
        self.own.declared.append(DISHES[number])
        self.next_to_declare()

    def do_decline(self) -> None:
        """Nothing, or nothing more, to declare."""
        self.queue.pop(0)
        self.next_to_declare()

    def begin_guesses(self) -> None:
        """Two guesses of everyone who declared nothing, then three of those with a Takoyaki alone."""
        order = self.in_turn_order()
        two_cubes = [seat for seat in order if not self.players[seat].declared]
        three_cubes = [seat for seat in order if self.players[seat].declared == ["Takoyaki"]]
        self.queue = [seat for seat in two_cubes for _ in range(2)] + [seat for seat in three_cubes for _ in range(3)]
        self.phase = "GUESS"
        self.next_to_guess()

    def next_to_guess(self) -> None:
        """Ask the next, or reveal."""
        if self.queue:
            self.to_act = self.queue.pop(0)
        else:
            self.end_challenge()

    def do_guess(self, colour: int) -> None:
        """A cube on a colour."""
        self.own.guesses.append(colour)
        self.next_to_guess()

    def end_challenge(self) -> None:
        """The two hidden plates are brought out, and everyone keeps the cubes that were right."""
        hidden = [colour_of(plate) for plate in (self.belt[space] for space in TUNNEL) if plate is not None]
        for _ in range(self.belt[: TUNNEL[0]].count(None) + len(TUNNEL)):
            if self.can_draw():
                self.feed(self.draw_plate())
        for player in self.players:
            player.cubes += cubes_kept(player.declared, player.guesses, hidden)
            player.declared, player.guesses = [], []
        self.to_act, self.phase = self.turn, "MOVE"
