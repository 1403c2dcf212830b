"""A game's whole state in plain numbers and lists, by name: for comparing, for looking at, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sushigo_env.sushi_boat.state import NONE, PHASES

if TYPE_CHECKING:
    from sushigo_env.sushi_boat.game import SushiBoat


def _plain(values: Any) -> list[Any]:
    """A field's values with -1 for nothing."""
    return [-1 if value == NONE else value for value in values.tolist()]


def snapshot(game: SushiBoat, index: int) -> dict[str, Any]:
    """Game `index` of a batch; lists by seat have one entry a player, `stacks` and `discard` their top last."""
    table, seats = game.table, range(game.num_players)
    pile, offered = int(table.pile_size[index]), int(table.num_offered[index])
    return {
        "to_act": _plain(table.to_act[index : index + 1])[0],
        "phase": PHASES[table.phase[index]],
        "deck_left": int(table.deck_left[index]),
        "wasabi_left": int(table.wasabi_left[index]),
        "pool": table.pool[index].tolist(),
        "bag": table.bag[index].tolist(),
        "trash": table.trash[index].tolist(),
        "belt": _plain(table.belt[index]),
        "discard": _plain(table.pile[index, :pile]),
        "tiles": table.tiles[index].tolist(),
        "pawns": _plain(table.pawns[index, : game.num_players]),
        "yen": table.yen[index, : game.num_players].tolist(),
        "cubes": table.cubes[index, : game.num_players].tolist(),
        "hands": table.hands[index, : game.num_players].tolist(),
        "eaten": table.eaten[index, : game.num_players].tolist(),
        "stacks": [_plain(table.stacks[index, seat, : table.stack_sizes[index, seat]]) for seat in seats],
        "satsuki": _plain(table.satsuki[index, : table.num_satsuki[index]]),
        "declared": table.declared[index, : game.num_players].tolist(),
        "guesses": [_plain(table.guesses[index, seat, : table.num_guesses[index, seat]]) for seat in seats],
        "menus": [_plain(table.menus[index, seat, : table.num_menus[index, seat]]) for seat in seats],
        "offered": _plain(table.offered[index, :offered]),
        "menu_deck": _plain(table.menu_deck[index, : table.menu_deck_size[index]]),
        "legal": game.legal_actions(index),
        "scores": game.scores[index].tolist(),
        "draws": int(table.num_chances[index]),
        "done": bool(table.done[index]),
    }
