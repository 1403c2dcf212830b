"""A game's whole state in plain numbers and lists, by name: for comparing, for looking at, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sushigo_env.sushi_boat.state import NONE, PHASES

if TYPE_CHECKING:
    from sushigo_env.sushi_boat.game import SushiBoat


def _plain(values: Any) -> list[Any]:
    """A field's values with -1 for nothing."""
    return [-1 if value == NONE else int(value) for value in values]


def snapshot(game: SushiBoat, index: int) -> dict[str, Any]:
    """Game `index` of a batch; lists by seat have one entry a player, `stacks` and `discard` their top last."""
    table, seats = game.table, range(game.num_players)
    pile, offered = int(table.pile_size[index]), int(table.num_offered[index])
    return {
        "to_act": int(game.to_act[index]),
        "phase": PHASES[table.phase[index]],
        "deck_left": int(table.deck_left[index]),
        "wasabi_left": int(table.wasabi_left[index]),
        "pool": _plain(table.pool[index]),
        "bag": _plain(table.bag[index]),
        "trash": _plain(table.trash[index]),
        "belt": _plain(table.belt[index]),
        "discard": _plain(table.pile[index, :pile]),
        "tiles": _plain(table.tiles[index]),
        "pawns": [_plain(table.pawns[index])[seat] for seat in seats],
        "yen": [int(table.yen[index, seat]) for seat in seats],
        "cubes": [int(table.cubes[index, seat]) for seat in seats],
        "hands": [_plain(table.hands[index, seat]) for seat in seats],
        "eaten": [_plain(table.eaten[index, seat]) for seat in seats],
        "stacks": [_plain(table.stacks[index, seat, : table.stack_sizes[index, seat]]) for seat in seats],
        "satsuki": _plain(table.satsuki[index, : table.num_satsuki[index]]),
        "declared": [_plain(table.declared[index, seat]) for seat in seats],
        "guesses": [_plain(table.guesses[index, seat, : table.num_guesses[index, seat]]) for seat in seats],
        "menus": [_plain(table.menus[index, seat, : table.num_menus[index, seat]]) for seat in seats],
        "offered": _plain(table.offered[index, :offered]),
        "menu_deck": _plain(table.menu_deck[index, : table.menu_deck_size[index]]),
        "legal": game.legal_actions(index),
        "scores": game.scores[index].tolist(),
        "draws": int(table.num_chances[index]),
        "done": bool(table.done[index]),
    }
