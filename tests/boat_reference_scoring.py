"""The plain reference's scoring of Sushi Boat: runs, sets, side dishes, Gyoza, cubes, menus."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.boat_facts import MENU_COLOURS, OFF, Values, colour_of, type_of

WHITE = 4


@dataclass
class Player:
    """What one player has: plates from the bottom up, dishes by name, the place of the pawn."""

    yen: int = 2
    cubes: int = 0
    place: int = OFF
    stack: list[int] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    eaten: list[str] = field(default_factory=list)
    menus: list[int] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    guesses: list[int] = field(default_factory=list)


def run_points(stack: list[int]) -> int:
    """Each run of one colour: its size less one. Whites neither count nor break a run."""
    coloured = [colour_of(plate) for plate in stack if colour_of(plate) != WHITE]
    runs: list[int] = []
    for at, colour in enumerate(coloured):
        if at > 0 and coloured[at - 1] == colour:
            runs[-1] += 1
        else:
            runs.append(1)
    return sum(run - 1 for run in runs)


def set_points(stack: list[int], values: Values) -> int:
    """Sets of different types, each as large as can be: usually 1 for 3 types, 7 for 6."""
    types = [type_of(plate) for plate in stack]
    points = 0
    while types:
        one_of_each = set(types)
        points += values.set_points[len(one_of_each) - 1]
        for kind in one_of_each:
            types.remove(kind)
    return points


def dish_points(eaten: list[int], values: Values) -> list[int]:
    """Most side dishes eaten, second most, all who tie; a tie for most leaves no second; none eaten, no points."""
    counts = sorted({count for count in eaten if count > 0}, reverse=True)
    points = [0] * len(eaten)
    if counts:
        most = [seat for seat, count in enumerate(eaten) if count == counts[0]]
        for seat in most:
            points[seat] = values.most_dishes
        if len(most) == 1 and len(counts) > 1:
            for seat, count in enumerate(eaten):
                if count == counts[1]:
                    points[seat] = values.second_dishes
    return points


def standing_points(player: Player, values: Values) -> int:
    """What a player's points are before the side dishes' majority and the menus."""
    return run_points(player.stack) + set_points(player.stack, values) + player.eaten.count("Gyoza") + player.cubes


def sole_most(counts: list[int], seat: int) -> bool:
    """Whether `seat` alone has the most."""
    return all(counts[seat] > count for other, count in enumerate(counts) if other != seat)


def menu_is_met(menu: int, players: list[Player], seat: int, values: Values) -> bool:
    """Whether what a menu asks for is there at the end."""
    player = players[seat]
    colours = [colour_of(plate) for plate in player.stack]
    types = [type_of(plate) for plate in player.stack]
    plates = [len(other.stack) for other in players]
    dishes = [len(other.eaten) for other in players]
    if 7 <= menu <= 12:
        return all(colours.count(colour) >= 4 for colour in MENU_COLOURS[menu - 7])
    if 13 <= menu <= 18:
        return types.count(menu - 13) >= values.menu_plates
    return {
        0: sole_most(plates, seat),
        1: len(set(types)) == 7 and dishes[seat] >= 2,
        2: dishes[seat] == 0,
        3: sole_most([other.cubes for other in players], seat),
        4: colours.count(WHITE) >= 3,
        5: sole_most([-count for count in plates], seat),
        6: dishes[seat] >= 5,
        19: sole_most(dishes, seat),
    }[menu]


def menu_points(players: list[Player], seat: int, values: Values) -> int:
    """The menus of a player that are met, each with its points."""
    return sum(values.menu_points[menu] for menu in players[seat].menus if menu_is_met(menu, players, seat, values))


def final_points(players: list[Player], values: Values) -> list[int]:
    """Everyone's points at the end of the game."""
    majority = dish_points([len(player.eaten) for player in players], values)
    return [
        standing_points(player, values) + majority[seat] + menu_points(players, seat, values)
        for seat, player in enumerate(players)
    ]


def cubes_kept(declared: list[str], guesses: list[int], hidden: list[int]) -> int:
    """The cubes kept of a challenge, from the colours guessed and the two hidden ones."""
    if "Onigiri" in declared:
        return 3 if "Takoyaki" in declared else 2
    if len(guesses) < 3:
        return in_common(guesses, hidden)
    return max(
        in_common(guesses[:extra] + guesses[extra + 1 :], hidden) + (guesses[extra] in hidden)
        for extra in range(len(guesses))
    )


def in_common(guesses: list[int], hidden: list[int]) -> int:
    """How many guesses can be paired with a hidden plate each: one hidden plate answers one guess."""
    left = list(hidden)
    for guess in guesses:
        if guess in left:
            left.remove(guess)
    return len(hidden) - len(left)
