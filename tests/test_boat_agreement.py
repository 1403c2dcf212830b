"""What holds the engine against the reference, tried on the reference itself: it agrees, finds faults, meets all."""

from collections import Counter

import numpy as np
import pytest

from tests.boat_agreement import STYLES, chance_of, check_games, choose
from tests.boat_facts import ACTIONS, DISHES, STAFF
from tests.boat_reference import Reference

FIELDS = list(Reference(2, False, chance_of(0)).snapshot())


class ReferenceEngine:
    """The reference behind the engine's interface."""

    def __init__(self, num_games, num_players, menus):
        self.num_games, self.num_players, self.menus = num_games, num_players, menus
        self.games = []

    def reset(self, *, seeds):
        self.games = [Reference(self.num_players, self.menus, chance_of(int(seed))) for seed in seeds]

    def legal(self):
        mask = np.zeros((self.num_games, self.num_players, len(ACTIONS) if self.menus else 119), np.bool_)
        for i, game in enumerate(self.games):
            mask[i, game.to_act, game.legal()] = True
        return mask

    def step(self, actions):
        for game, row in zip(self.games, actions.tolist(), strict=True):
            if not game.done:
                game.step(row[game.to_act])


def snapshot_of(engine, i):
    return engine.games[i].snapshot()


def test_the_reference_agrees_with_itself():
    seen = check_games(ReferenceEngine(5, 4, True), snapshot_of, True, first_seed=3)
    assert seen["decisions"] > 5 * 100


@pytest.mark.parametrize("field", sorted(set(FIELDS) - {"to_act", "phase", "done", "legal"}))
def test_a_difference_in_any_field_is_found(field):
    def wrong(engine, i):
        table = snapshot_of(engine, i)
        return table | {field: [table[field], "wrong"]} if table["draws"] > 40 else table

    with pytest.raises(AssertionError, match=f"(?s)seed 7.*  {field} is"):
        check_games(ReferenceEngine(1, 3, True), wrong, True, first_seed=7)


def test_a_difference_in_a_mask_is_found():
    engine = ReferenceEngine(1, 3, False)
    mask_of = engine.legal

    def one_more():
        mask = mask_of()
        mask[0, 1, 0] = True
        return mask

    engine.legal = one_more
    with pytest.raises(AssertionError, match="mask of seat"):
        check_games(engine, snapshot_of, False, first_seed=7)


def test_a_style_chooses_by_its_weights():
    keys = [int(key) << 11 for key in np.linspace(0, 2**53 - 1, 1000)]
    chosen = Counter(choose([12, 13], "ACT", {"pass": 3.0}, key) for key in keys)
    assert chosen[13] == pytest.approx(750, abs=2)
    assert {choose([12, 13], "ACT", {"pass": 0.0}, key) for key in keys} == {12}
    assert {choose([13], "ACT", {"pass": 0.0}, key) for key in keys} == {13}


def test_the_styles_meet_everything_that_the_rules_know():
    seen: Counter[str] = Counter()
    for num_players, games in ((2, 12), (5, 24)):
        for style in STYLES:
            seen += check_games(ReferenceEngine(games, num_players, True), snapshot_of, True, 11, style)
    phases = ["START", "MOVE", "ACT", "EAT", "END"]
    wanted = {f"visit {staff}" for staff in STAFF}
    wanted |= {f"Momoko for {staff}" for staff in STAFF if staff != "Momoko"}
    wanted |= {f"space for {name}" for name in ("Edamame", "Tempura", "Hiroshi", "Yuki & Takeshi", "Akiko")}
    wanted |= {f"special {dish}" for dish in DISHES} | {f"{phase} play Edamame" for phase in phases}
    wanted |= {f"{phase} {verb}" for phase in phases for verb in ("place", "special order", "order a menu")}
    wanted |= {"DECLARE play Takoyaki", "DECLARE play Onigiri", "DECLARE decline", "both declared", "seat taken"}
    wanted |= {"row paid for", "EAT eat nothing", "TRASH trash", "bag refilled", "Mochi for nothing"}
    wanted |= {f"SATSUKI {plate} {end}" for plate in ("first", "second") for end in ("top", "bottom")}
    wanted |= {f"DISCARD discard {dish}" for dish in DISHES}
    assert sorted(wanted - set(seen)) == []
