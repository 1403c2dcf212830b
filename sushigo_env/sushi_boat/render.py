"""A table as text. It shows what the game's observation setting shows to all, and so nothing secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sushigo_env.sushi_boat.cards import (
    COLOUR_OF,
    COLOURS,
    DISHES,
    MENU_VARIANT,
    MENUS,
    ONIGIRI,
    PLACES,
    PLATES,
    SPACES,
    STAFF,
    STAFF_SPACES,
    TAKOYAKI,
    TUNNEL,
)
from sushigo_env.sushi_boat.challenge import TAKOYAKI_GUESSES
from sushigo_env.sushi_boat.reasons import ASKED
from sushigo_env.sushi_boat.state import CHOOSE_SPACE, EFFECTS, NONE

if TYPE_CHECKING:
    from sushigo_env.sushi_boat.game import SushiBoat

_WIDTH = max(map(len, PLATES)) + 2
NOTHING = "-"


def to_text(game: SushiBoat, index: int = 0) -> str:
    """The table of game `index`: the belt with the places beside it, what lies around it, each player."""
    lines = [_headline(game, index)]
    if game.table.started[index]:
        lines += _belt(game, index)
        lines += _around(game, index)
        for seat in range(game.num_players):
            lines += _player(game, index, seat)
    return "\n".join(line.rstrip() for line in lines)


def _headline(game: SushiBoat, index: int) -> str:
    table = game.table
    if not table.started[index]:
        return "Sushi Boat: not begun"
    if table.done[index]:
        return "Sushi Boat: " + ("stopped" if table.ended[index] else "game over")
    phase, acting, turn = int(table.phase[index]), int(table.to_act[index]), int(table.turn[index])
    asked = ASKED[phase] + (f" for {EFFECTS[table.effect[index]]}" if phase == CHOOSE_SPACE else "")
    return f"Sushi Boat: player_{turn}'s turn; player_{acting} decides: {asked}"


def _belt(game: SushiBoat, index: int) -> list[str]:
    """The belt as it lies: its start below on the left, up to the tunnel, down on the right to the Trash."""
    lines = []
    for left in range(TUNNEL[0], -1, -1):
        right = SPACES - 1 - left
        beside = "(tunnel)" if left in TUNNEL else ", ".join(_places(game, index, left, right))
        lines.append(
            f"  {left:>2} {_on(game, index, left):<{_WIDTH}} {right:>2} {_on(game, index, right):<{_WIDTH}} {beside}"
        )
    return [*lines, f"  {'start':<{_WIDTH + 3}} {'Trash':<{_WIDTH + 3}}"]


def _on(game: SushiBoat, index: int, space: int) -> str:
    plate = int(game.table.belt[index, space])
    if plate == NONE:
        return NOTHING
    hidden = space in TUNNEL
    name = "?" if hidden and game.observation == "strict" else PLATES[plate]
    return f"({name})" if hidden else name


def _places(game: SushiBoat, index: int, *spaces: int) -> Iterable[str]:
    """The places beside some spaces, with who works and who sits there; a closed one only for its staff."""
    config = game.config
    for place, name in enumerate(PLACES):
        closed, position = place not in config.open_places(game.num_players), config.tile_position(place)
        if set(spaces) & set(config.reach[place]) and (not closed or position >= 0):
            name += " (closed)" * closed
            if position >= 0:
                name += f" {STAFF[game.table.tiles[index, position]]}"
            sitting = [seat for seat in range(game.num_players) if game.table.pawns[index, seat] == place]
            yield name + "".join(f" <player_{seat}>" for seat in sitting)


def _around(game: SushiBoat, index: int) -> list[str]:
    table, strict = game.table, game.observation == "strict"
    pile = [DISHES[dish] for dish in table.pile[index, : table.pile_size[index]]][::-1]
    aside = table.tiles[index, STAFF_SPACES:]
    lines = [
        f"  cards left {table.deck_left[index]}, Wasabi cards to come {table.wasabi_left[index]}, "
        f"plates in the bag {table.bag_size[index]}",
        f"  Trash: {_counted(table.trash[index], PLATES)}",
        f"  discard pile, top first: {', '.join(pile[:1] if strict else pile) or NOTHING}"
        + (f" (and {len(pile) - 1} more)" if strict and len(pile) > 1 else ""),
        f"  staff set aside: {', '.join(STAFF[staff] for staff in aside)}",
    ]
    drawn = [PLATES[plate] for plate in table.satsuki[index, : table.num_satsuki[index]]]
    if drawn:
        lines.append(f"  drawn by Satsuki: {', '.join(drawn)}")
    if game.variant == MENU_VARIANT:
        lines.append(f"  menus in their deck: {table.menu_deck_size[index]}")
    return lines


def _player(game: SushiBoat, index: int, seat: int) -> list[str]:
    table = game.table
    counted = game.observation != "strict" or (table.done[index] and not table.ended[index])
    points = game.scores[index, seat] if counted else "?"  # they tell of types below the top
    off = ", off the board" if table.pawns[index, seat] == NONE else ""
    lines = [
        f"player_{seat}  points {points}, yen {table.yen[index, seat]}, cubes {table.cubes[index, seat]}{off}",
        f"    hand:  {_counted(table.hands[index, seat], DISHES)}",
        f"    eaten: {_counted(table.eaten[index, seat], DISHES)}",
        f"    stack: {_stack(game, index, seat)}",
    ]
    if game.variant == MENU_VARIANT:
        held = table.menus[index, seat, : table.num_menus[index, seat]]
        shown = table.done[index] and not table.ended[index]
        lines.append(f"    menus: {'; '.join(MENUS[menu] for menu in held) if shown else len(held)}")
    return lines + _challenge(game, index, seat)


def _stack(game: SushiBoat, index: int, seat: int) -> str:
    """A stack from its bottom; under `strict` what lies below its top is known by colour alone."""
    stack = game.table.stacks[index, seat, : game.table.stack_sizes[index, seat]]
    names = [PLATES[plate] for plate in stack]
    if game.observation == "strict":
        names[:-1] = [COLOURS[COLOUR_OF[plate]] for plate in stack[:-1]]
    return ", ".join(names) or NOTHING


def _challenge(game: SushiBoat, index: int, seat: int) -> list[str]:
    """What a seat has declared, and its guesses once they are in view."""
    table = game.table
    stage = int(table.stage[index])
    if not stage or table.done[index]:
        return []
    dishes = zip((TAKOYAKI, ONIGIRI), table.declared[index, seat], strict=True)
    declared = [DISHES[dish] for dish, done in dishes if done]
    guesses = [COLOURS[colour] for colour in table.guesses[index, seat, : table.num_guesses[index, seat]]]
    lines = [f"    declares: {' and '.join(declared)}"] if declared else []
    if stage == TAKOYAKI_GUESSES and not declared:
        lines.append(f"    guesses: {', '.join(guesses)}")
    return lines


def _counted(counts: Any, names: tuple[str, ...]) -> str:
    """Counts by kind in words: `2 Gyoza, Fugu`; a dash for none."""
    parts = [f"{count} {names[kind]}" if count > 1 else names[kind] for kind, count in enumerate(counts) if count]
    return ", ".join(parts) or NOTHING
