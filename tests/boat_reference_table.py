"""What lies on the table of the plain Sushi Boat reference, and how chance, bag, belt and deck work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.boat_facts import (
    BELT,
    CALIFORNIA,
    CARDS,
    DECK_SIZE,
    DISHES,
    MENUS,
    PLATES,
    STAFF,
    STAFF_TILES,
    WASABI_CARDS,
    Values,
)
from tests.boat_reference_scoring import Player, final_points, standing_points


class Table:
    """The parts of one game, by `values`. `chance(n)` gives 0 to n - 1, and is all that is random."""

    def __init__(self, num_players: int, with_menus: bool, chance: Callable[[int], int], values: Values) -> None:
        self.values = values
        self.num_players = num_players
        self.with_menus = with_menus
        self.chance = chance
        self.draws = 0
        self.refills = 0  # how often an empty bag took the Trash: rare, so tests want to know that it came up
        self.done = False
        self.phase = "START"
        self.back = "START"  # the phase that goes on after a sub-decision
        self.effect = ""  # the dish or staff that asks for a space
        self.turn = self.to_act = 0
        self.queue: list[int] = []  # seats still to be asked, one entry a question
        self.players = [Player() for _ in range(num_players)]
        self.bag = [kind for kind in range(CALIFORNIA) for _ in range(values.plates[kind])]
        self.trash: list[int] = []
        self.belt: list[int | None] = [None] * BELT
        self.deck_left = DECK_SIZE[num_players]
        self.wasabi_left = WASABI_CARDS
        self.pool = [card for card, copies in enumerate(values.card_copies()) for _ in range(copies)]
        self.discard: list[str] = []
        self.tiles: list[str] = []
        self.satsuki: list[int] = []
        self.offered: list[int] = []
        self.menu_deck: list[int] = []

    @property
    def own(self) -> Player:
        """The player who decides now."""
        return self.players[self.to_act]

    def in_turn_order(self) -> list[int]:
        """All seats, from the one whose turn it is to the left."""
        return [(self.turn + i) % self.num_players for i in range(self.num_players)]

    def random(self, n: int) -> int:
        """One of 0 to n - 1, by chance."""
        self.draws += 1
        return self.chance(n)

    def set_up(self) -> None:
        """First player, staff, menus, belt, in this order."""
        self.turn = self.to_act = self.random(self.num_players)
        tiles = list(STAFF_TILES)
        self.tiles = [tiles.pop(self.random(len(tiles))) for _ in STAFF_TILES]
        if self.with_menus:
            menus = list(range(MENUS))
            self.menu_deck = [menus.pop(self.random(len(menus))) for _ in range(MENUS)]
        for _ in range(BELT):
            self.feed(self.draw_plate())
        for _ in range(3):
            self.trash.append(self.bag.pop(self.random(len(self.bag))))
        self.bag += [CALIFORNIA] * self.values.plates[CALIFORNIA]

    def trash_to_bag(self) -> None:
        """All plates of the Trash go back into the bag, which is kept in order of kind."""
        self.bag = sorted(self.bag + self.trash)
        self.trash = []

    def can_draw(self) -> bool:
        """Whether there is a plate to draw."""
        return len(self.bag) + len(self.trash) > 0

    def draw_plate(self) -> int:
        """A plate from the bag, which the Trash fills if it is empty. There must be one."""
        if not self.bag:
            self.refills += 1
            self.trash_to_bag()
        return self.bag.pop(self.random(len(self.bag)))

    def to_the_bag(self, plate: int) -> None:
        """A plate goes back into the bag."""
        self.bag = sorted([*self.bag, plate])

    def put_on_belt(self, space: int, plate: int) -> bool:
        """Put a plate on a space, pushing the block that begins there up to the first gap; whether a plate fell."""
        pushed: int | None = plate
        while pushed is not None and space < BELT:
            self.belt[space], pushed = pushed, self.belt[space]
            space += 1
        if pushed is None:
            return False
        self.trash.append(pushed)
        return True

    def feed(self, plate: int) -> bool:
        """A plate enters at the start of the belt; whether one fell into the Trash at its end."""
        return self.put_on_belt(0, plate)

    def refill(self, arrow: str) -> None:
        """Green: until the belt is full. Red: until the first plate falls."""
        while self.can_draw() and (arrow == "red" or None in self.belt):
            if self.feed(self.draw_plate()):
                return

    def take_from_belt(self, space: int) -> int:
        """The plate that lies on a space, taken away."""
        plate = self.belt[space]
        assert plate is not None
        self.belt[space] = None
        return plate

    def turn_up_card(self) -> int | None:
        """The number of the dish card on top of the deck, None for a Wasabi card; it leaves the deck."""
        turned_up = DECK_SIZE[self.num_players] - self.deck_left
        wasabi = turned_up >= self.num_players and self.random(self.deck_left) < self.wasabi_left
        self.deck_left -= 1
        if wasabi:
            self.wasabi_left -= 1
            return None
        return self.pool.pop(self.random(len(self.pool)))

    def scores(self) -> list[int]:
        """Points by seat: final ones when the game is over, before it without side dishes' majority and menus."""
        values = self.values
        if self.done:
            return final_points(self.players, values)
        return [standing_points(player, values) for player in self.players]

    def standings(self) -> list[tuple[int, int]]:
        """Points and yen by seat; the greatest pair wins, and all who have it."""
        return [(points, player.yen) for points, player in zip(self.scores(), self.players, strict=True)]

    def guesses_seen(self, viewer: int) -> list[list[int]]:
        """By seat, the guesses of the challenge in progress that `viewer` may know of.

        One's own; and those made with two cubes once all of them are in, which the players of Takoyaki have to see.
        """
        two_cubes = [seat for seat, player in enumerate(self.players) if "Takoyaki" not in player.declared]
        all_in = not set(self.queue) & set(two_cubes) and self.to_act not in two_cubes
        return [
            list(player.guesses) if seat == viewer or (seat in two_cubes and all_in) else []
            for seat, player in enumerate(self.players)
        ]

    def legal(self) -> list[int]:
        """The actions, in order, that the player to act may take."""
        raise NotImplementedError

    def snapshot(self) -> dict[str, Any]:
        """The whole table in numbers; counts by kind, lists in the order of the stack or pile."""
        players = self.players
        return {
            "to_act": self.to_act,
            "phase": self.phase,
            "deck_left": self.deck_left,
            "wasabi_left": self.wasabi_left,
            "pool": counts(self.pool, len(CARDS)),
            "bag": counts(self.bag, len(PLATES)),
            "trash": counts(self.trash, len(PLATES)),
            "belt": [-1 if plate is None else plate for plate in self.belt],
            "discard": [DISHES.index(dish) for dish in self.discard],
            "tiles": [STAFF.index(tile) for tile in self.tiles],
            "pawns": [player.place for player in players],
            "yen": [player.yen for player in players],
            "cubes": [player.cubes for player in players],
            "hands": [[player.hand.count(dish) for dish in DISHES] for player in players],
            "eaten": [[player.eaten.count(dish) for dish in DISHES] for player in players],
            "stacks": [list(player.stack) for player in players],
            "satsuki": list(self.satsuki),
            "declared": [[int(dish in p.declared) for dish in ("Takoyaki", "Onigiri")] for p in players],
            "guesses": [list(player.guesses) for player in players],
            "menus": [list(player.menus) for player in players],
            "offered": list(self.offered),
            "menu_deck": list(self.menu_deck),
            "legal": self.legal(),
            "scores": self.scores(),
            "draws": self.draws,
            "done": self.done,
        }

    def place_position(self, position: dict[str, Any]) -> None:
        """Set the table to a snapshot of a START, MOVE, ACT, EAT or END, in which the player to act has the turn."""
        self.turn = self.to_act = position["to_act"]
        self.phase = position["phase"]
        self.deck_left, self.wasabi_left = position["deck_left"], position["wasabi_left"]
        self.pool = spread(position["pool"])
        self.bag, self.trash = spread(position["bag"]), spread(position["trash"])
        self.belt = [None if plate < 0 else plate for plate in position["belt"]]
        self.discard = [DISHES[dish] for dish in position["discard"]]
        self.tiles = [STAFF[tile] for tile in position["tiles"]]
        self.menu_deck = list(position["menu_deck"])
        self.draws = position["draws"]
        for seat, player in enumerate(self.players):
            player.place, player.yen = position["pawns"][seat], position["yen"][seat]
            player.cubes, player.menus = position["cubes"][seat], list(position["menus"][seat])
            player.stack = list(position["stacks"][seat])
            player.hand = [DISHES[dish] for dish in spread(position["hands"][seat])]
            player.eaten = [DISHES[dish] for dish in spread(position["eaten"][seat])]


def counts(things: list[int], kinds: int) -> list[int]:
    """How many there are of each of `kinds` kinds."""
    found = Counter(things)
    return [found[kind] for kind in range(kinds)]


def spread(kinds: list[int]) -> list[int]:
    """The things that were counted, in order of kind."""
    return [kind for kind, count in enumerate(kinds) for _ in range(count)]
