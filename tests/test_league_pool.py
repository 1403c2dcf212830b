"""The pool: who stays, and who goes when one too many comes."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from sushigo_train.league import Member, Pool

from sushigo_env.errors import SettingError


def born(at: int) -> Member:
    return Member(f"main-{at}", "snapshot", weights=f"main-{at}.safetensors", born_at=at, parent="main")


def ages(pool: Pool) -> list[int]:
    return [member.born_at for member in pool if member.kind != "anchor"]


def filled(size: int, births: range) -> Pool:
    pool = Pool(size)
    pool.add(Member("greedy", "anchor", spec="greedy"))
    for at in births:
        pool.add(born(at))
    return pool


def test_the_first_to_go_by_hand():
    pool = filled(4, range(1, 5))
    # of 1 2 3 4 5 the newest two and the oldest stay: 2 has (3 - 1) / (5 - 2), 3 has (4 - 2) / (5 - 3)
    assert pool.add(born(5)) == [born(2)]
    assert ages(pool) == [1, 3, 4, 5]
    # of 1 3 4 5 9: 3 has (4 - 1) / (9 - 3), 4 has (5 - 3) / (9 - 4)
    assert pool.add(born(9)) == [born(4)]
    assert ages(pool) == [1, 3, 5, 9]


def test_until_the_pool_is_full_nobody_goes():
    assert ages(filled(8, range(8))) == list(range(8))


def test_old_ones_stay_at_growing_gaps_and_the_newest_all():
    pool = filled(12, range(0, 1000, 5))
    kept = ages(pool)
    assert len(kept) == 12
    assert kept[0] == 0, "back to the start"
    assert kept[-6:] == [970, 975, 980, 985, 990, 995]
    gaps = [later - earlier for earlier, later in pairwise(kept)]
    assert gaps[6:] == [5] * 5
    assert gaps[:6] == sorted(gaps[:6], reverse=True)
    assert gaps[0] > 10 * gaps[5] > 10 * 5


def test_anchors_stay_for_ever_and_take_no_room():
    pool = filled(3, range(100))
    assert pool["greedy"].kind == "anchor"
    assert len(pool) == 4
    assert "main-99" in pool
    assert "main-50" not in pool


def test_of_those_born_together_the_oldest_goes():
    pool = Pool(2)
    twins = [Member(name, "exploiter", weights=name, born_at=7) for name in ("a", "b", "c")]
    assert [pool.add(twin) for twin in twins] == [[], [], [twins[1]]]


def test_a_smaller_pool_lets_more_go():
    pool = filled(8, range(8))
    pool.size = 4
    assert len(pool.add(born(8))) == 5
    assert ages(pool)[-2:] == [7, 8]


def test_through_json_and_back():
    pool = filled(4, range(20))
    back = Pool.from_dict(json.loads(json.dumps(pool.to_dict())))
    assert list(back) == list(pool)
    assert back.add(born(20)) == pool.add(born(20))


def test_what_cannot_be_is_told():
    pool = filled(4, range(3))
    with pytest.raises(SettingError, match="a member 'main-2' already"):
        pool.add(born(2))
    with pytest.raises(SettingError, match="'main--1' was born at -1, before 'main-2' at 2"):
        pool.add(born(-1))
    with pytest.raises(SettingError, match="no member 'x'; it has greedy, main-0"):
        pool["x"]
    with pytest.raises(SettingError, match="size must be at least 2, not 1"):
        Pool(1)
    with pytest.raises(SettingError, match="'x' must have a spec if it is an anchor, else weights"):
        Member("x", "snapshot", spec="greedy")
    with pytest.raises(SettingError, match="kind must be one of anchor, snapshot, exploiter"):
        Member("x", "friend", spec="greedy")  # type: ignore[arg-type]  # that is the point
