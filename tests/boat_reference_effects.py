"""What staff, side dishes and their sub-decisions do at the plain Sushi Boat reference's table."""

from __future__ import annotations

from tests.boat_facts import (
    DISHES,
    FUGU_PAIRS,
    HAND_LIMIT,
    VISIBLE,
    colour_of,
    opposite,
)
from tests.boat_reference_table import Table

Action = tuple[str, int]


class Effects(Table):
    """Staff, side dishes, and the questions they ask. `back` is the phase that goes on when they are done."""

    def ask(self, phase: str, effect: str = "") -> None:
        """Put a sub-decision to the player to act."""
        self.phase, self.effect = phase, effect

    def go_back(self) -> None:
        """The turn goes on."""
        self.phase = self.back

    # What can be chosen

    def laden(self, spaces: tuple[int, ...] = VISIBLE) -> list[int]:
        """Those of the spaces that can be seen and have a plate."""
        return [space for space in spaces if space in VISIBLE and self.belt[space] is not None]

    def spaces_for(self, effect: str) -> list[int]:
        """The spaces that a dish or a member of the staff may be used on."""
        at = self.values.reach[self.own.place] if self.own.place >= 0 else ()
        if effect == "Hiroshi":
            return self.laden(tuple(opposite(space) for space in at))
        if effect == "Yuki & Takeshi":
            return self.laden(tuple(space + side for space in at for side in (-1, 1)))
        if effect == "Akiko" and self.own.stack:
            top = colour_of(self.own.stack[-1])
            return [space for space in self.laden() if colour_of(self.belt[space] or 0) != top]
        return self.laden()

    def has_target(self, staff: str) -> bool:
        """Whether a member of the staff has something to do for the player's place."""
        if staff in ("Hiroshi", "Yuki & Takeshi", "Akiko"):
            return len(self.spaces_for(staff)) > 0
        return {
            "Satsuki": self.can_draw(),
            "Neko": len(self.trash) > 0,
            "Momoko": True,
            "Sakura": True,
        }[staff]

    def can_play(self, dish: str) -> bool:
        """Whether a dish in hand may be played as a special."""
        stack = len(self.own.stack)
        return {
            "Edamame": stack > 0 and len(self.laden()) > 0,
            "Fugu": stack > 0,
            "Mochi": stack > 0,
            "Tempura": len(self.laden()) > 0,
        }.get(dish, True)

    def options_of_sub_decision(self) -> list[Action]:
        """What may be answered in the phases of this class."""
        own = self.own
        if self.phase == "SPACE":
            return [("space", space) for space in self.spaces_for(self.effect)]
        if self.phase == "TILE":
            home = self.values.tile_position(own.place)
            return [("tile", at) for at, staff in enumerate(self.tiles) if at != home and self.has_target(staff)]
        if self.phase == "TRASH":
            return [("trash", plate) for plate in set(self.trash)]
        if self.phase == "SATSUKI":
            which = ("first", "second")[: len(self.satsuki)]
            return [(f"{plate} {end}", 0) for plate in which for end in ("top", "bottom")]
        if self.phase == "FUGU":
            return [("pair", pair) for pair in range(len(FUGU_PAIRS))]
        if self.phase == "MOCHI":
            return [("depth", depth) for depth in range(1, len(own.stack))]
        assert self.phase == "DISCARD"
        return [("discard", DISHES.index(dish)) for dish in set(own.hand)]

    # Staff

    def use_staff(self, staff: str) -> None:
        """A member of the staff serves the player to act."""
        if staff == "Sakura":
            self.own.cubes += 1
            self.go_back()
        elif staff == "Satsuki":
            for _ in range(2):
                if self.can_draw():
                    self.satsuki.append(self.draw_plate())
            self.ask("SATSUKI")
        elif staff == "Neko":
            self.ask("TRASH")
        elif staff == "Momoko":
            self.ask("TILE")
        else:
            self.ask("SPACE", staff)

    def do_tile(self, position: int) -> None:
        """Momoko's tile and another swap, and the other is used without a second tip."""
        home = self.values.tile_position(self.own.place)
        assert home is not None
        self.tiles[home], self.tiles[position] = self.tiles[position], self.tiles[home]
        self.use_staff(self.tiles[home])

    def do_trash(self, kind: int) -> None:
        """Neko: a plate of choice from the Trash."""
        self.trash.remove(kind)
        self.own.stack.append(kind)
        self.go_back()

    def do_satsuki(self, which: str, end: str) -> None:
        """One of the plates drawn goes to the top or the bottom of the stack, the other back to the bag."""
        kept = self.satsuki.pop(("first", "second").index(which))
        self.own.stack.insert(len(self.own.stack) if end == "top" else 0, kept)
        for plate in self.satsuki:
            self.to_the_bag(plate)
        self.satsuki = []
        self.go_back()

    # Side dishes

    def do_play(self, number: int) -> None:
        """A dish is eaten as a special: first it leaves the hand, then it does what it does."""
        dish = DISHES[number]
        self.back = self.phase
        self.eat_dish(dish)
        if dish in ("Edamame", "Tempura"):
            self.own.yen += 1
            self.ask("SPACE", dish)
        elif dish == "Fugu":
            self.ask("FUGU")
        elif dish == "Mochi" and len(self.own.stack) > 1:
            self.ask("MOCHI")
        elif dish == "Onigiri":
            self.own.yen += 2
        elif dish == "Miso Soup" and self.discard:
            self.take_dish()

    def eat_dish(self, dish: str) -> None:
        """A dish goes from the hand to those eaten."""
        self.own.hand.remove(dish)
        self.own.eaten.append(dish)

    def take_dish(self) -> None:
        """The top of the discard pile comes to the hand; with a third, one has to be discarded."""
        self.own.hand.append(self.discard.pop())
        if len(self.own.hand) > HAND_LIMIT:
            self.ask("DISCARD")
        else:
            self.go_back()

    def do_discard(self, number: int) -> None:
        """The third dish in hand, or another in its place, goes onto the discard pile unused."""
        self.own.hand.remove(DISHES[number])
        self.discard.append(DISHES[number])
        self.go_back()

    def do_chosen_space(self, space: int) -> None:
        """The space that a dish or the staff asked for."""
        plate = self.take_from_belt(space)
        if self.effect == "Tempura":
            self.put_on_belt(space + 1, plate)
        else:
            if self.effect == "Edamame":
                self.belt[space] = self.own.stack.pop()
            self.own.stack.append(plate)
        self.go_back()

    def do_pair(self, pair: int) -> None:
        """Fugu: a plate of one of the two colours gives 3 yen, another sends the own top plate to the Trash."""
        if self.can_draw():
            plate = self.draw_plate()
            if colour_of(plate) in FUGU_PAIRS[pair]:
                self.own.yen += 3
            else:
                self.trash.append(self.own.stack.pop())
            self.to_the_bag(plate)
        self.go_back()

    def do_depth(self, depth: int) -> None:
        """Mochi: the top plate goes below `depth` others."""
        plate = self.own.stack.pop()
        self.own.stack.insert(len(self.own.stack) - depth, plate)
        self.go_back()
