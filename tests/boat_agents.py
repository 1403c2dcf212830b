"""Positions of Sushi Boat made by hand, and what an agent does in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_env import seeding
from sushigo_env.sushi_boat import plays
from sushigo_env.sushi_boat.cards import KINDS, MENU_VARIANT, NUM_DISHES, NUM_MENUS, SPACES
from sushigo_env.sushi_boat.game import SushiBoat
from sushigo_env.sushi_boat.state import BY_HIROSHI, CHOOSE_MENU, CHOOSE_TILE, EAT, END, NONE, SATSUKI_DRAW
from tests.boat_tools import give_stack, new_game, put

FIRST_DISH, LAST_DISH = plays.DISH, plays.DISH + NUM_DISHES


def kind_of(colour: int, kind: int) -> int:
    """A coloured plate's kind."""
    return colour * 6 + kind


def scene(
    phase: int,
    *,
    players: int = 2,
    variant: str = "standard",
    belt: dict[int, int] | None = None,
    stack: list[int] | None = None,
    trash: list[int] | None = None,
    bag: list[int] | None = None,
    **fields: Any,
) -> SushiBoat:
    """A game in which seat 0 is asked in `phase`, in its last turn unless told; plates lie only where told."""
    game = new_game(players, variant)
    laid = belt or {}
    by_staff = CHOOSE_TILE <= phase <= SATSUKI_DRAW or fields.get("effect", 0) >= BY_HIROSHI
    usual: dict[str, Any] = {"phase": phase, "turn": 0, "to_act": 0, "deck_left": 0, "wasabi_left": 0, "yen": [0] * 5}
    usual["back"] = EAT if by_staff else END
    spaces = [laid.get(space, NONE) for space in range(SPACES)]
    put(game, belt=spaces, filled=sum(1 << space for space in laid), **(usual | fields))
    for name, plates in (("trash", trash), ("bag", bag)):
        if plates is not None:
            counts = np.bincount(plates, minlength=KINDS)
            put(game, **{name: counts.tolist(), f"{name}_size": len(plates)})
    give_stack(game, 0, stack or [])
    if variant == MENU_VARIANT and "menu_deck_size" not in fields:
        _lay_out_menus(game, phase)
    return game


def _lay_out_menus(game: SushiBoat, phase: int) -> None:
    """All menus that nobody holds, and that are not offered in `phase`, are in their deck."""
    table = game.table
    if phase != CHOOSE_MENU:
        put(game, offered=[NONE, NONE], num_offered=0)
    used = {*table.menus[0].ravel().tolist(), *table.offered[0].tolist()}
    deck = [menu for menu in range(NUM_MENUS) if menu not in used]
    put(game, menu_deck=[*deck, *[NONE] * (NUM_MENUS - len(deck))], menu_deck_size=len(deck))


def action_of(agent: Any, game: SushiBoat) -> str:
    """What the agent does in game 0, in words."""
    seat = int(game.to_act[0])
    row = game.observe("memory")[0, seat : seat + 1], game.legal()[0, seat : seat + 1], np.zeros(1, np.uint64)
    return plays.describe(int(agent.act(*row)[0]))


def mixed_actions(game: SushiBoat, step: int) -> NDArray[np.int32]:
    """int32[B]: random actions; every second game buys dishes and keeps them, so that hands grow full."""
    mask = game.legal_acting().copy()
    hoards = (np.arange(game.num_games) % 2 == 1) & mask.any(axis=1)
    buys = hoards & mask[:, plays.BUY]
    mask[buys] = False
    mask[buys, plays.BUY] = True
    kept = mask.copy()
    kept[:, FIRST_DISH:LAST_DISH] = False
    kept[:, [plays.ORDER, *range(plays.ORDER_MENU, min(plays.KEEP, game.num_actions))]] = False
    can_keep = hoards & kept.any(axis=1) & ~mask[:, plays.DECLINE]
    mask[can_keep] = kept[can_keep]
    return seeding.uniform_actions(mask, seeding.decision_keys(game.seeds, 0, step))
