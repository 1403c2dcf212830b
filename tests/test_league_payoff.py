"""The payoff matrix against sums made by hand."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sushigo_train.league import PayoffMatrix

from sushigo_env.errors import SettingError


def matrix(num_players: int, *names: str, decay: float = 0.5) -> PayoffMatrix:
    made = PayoffMatrix(num_players, decay=decay, prior=4)
    for name in names:
        made.add(name)
    return made


def test_an_untried_pair_has_the_fair_share():
    assert matrix(4, "a", "b").win_share("a", "b") == 0.25
    assert matrix(5, "a", "b").games("a", "b") == 0


def test_results_stand_beside_the_prior():
    payoff = matrix(4, "a", "b", "c")
    payoff.update("a", "b", 4.5, 6)
    payoff.update("a", "b", 1.5, 6)
    assert payoff.win_share("a", "b") == (4.5 + 1.5 + 4 / 4) / (6 + 6 + 4)
    assert payoff.row("a") == {"b": 7 / 16, "c": 0.25}
    assert payoff.row("b") == {"a": 0.25, "c": 0.25}, "one b among three a is another game"


def test_between_two_one_result_is_both_entries():
    payoff = matrix(2, "a", "b")
    payoff.update("a", "b", 5, 6)
    assert payoff.win_share("a", "b") == 7 / 10
    assert payoff.win_share("b", "a") == 3 / 10
    assert payoff.games("b", "a") == 6


def test_what_was_long_ago_fades_to_the_fair_share():
    payoff = matrix(2, "a", "b", "c", decay=0.5)
    payoff.update("a", "b", 8, 8)
    payoff.update("c", "b", 8, 8)
    payoff.fade("a")
    assert payoff.games("a", "b") == payoff.games("b", "a") == 4
    assert payoff.win_share("a", "b") == (4 + 2) / (4 + 4)
    assert payoff.games("c", "b") == 8, "they have not moved"
    for _ in range(60):
        payoff.fade("a")
    assert payoff.win_share("a", "b") == pytest.approx(0.5)


def test_a_copy_inherits_row_and_column():
    payoff = matrix(3, "a", "b")
    payoff.update("a", "b", 3, 4)
    payoff.update("b", "a", 1, 4)
    payoff.add("a-1", like="a")
    assert payoff.names == ("a", "b", "a-1")
    assert payoff.win_share("a-1", "b") == payoff.win_share("a", "b") == (3 + 4 / 3) / 8
    assert payoff.win_share("b", "a-1") == payoff.win_share("b", "a") == (1 + 4 / 3) / 8
    assert payoff.games("a-1", "a") == payoff.games("a", "a-1") == 0
    payoff.update("a", "b", 4, 4)
    assert payoff.games("a-1", "b") == 4, "the copy has stopped learning"


def test_who_goes_takes_its_results_along():
    payoff = matrix(3, "a", "b", "c")
    payoff.update("a", "c", 3, 4)
    payoff.remove("b")
    assert payoff.names == ("a", "c")
    assert payoff.games("a", "c") == 4
    payoff.add("b")
    assert payoff.games("a", "b") == payoff.games("b", "c") == 0


def test_as_an_array():
    payoff = matrix(4, "a", "b")
    payoff.update("b", "a", 8, 12)
    np.testing.assert_array_equal(payoff.as_array(), [[np.nan, 0.25], [9 / 16, np.nan]])
    assert payoff.as_array().dtype == np.float64
    assert PayoffMatrix(2).as_array().shape == (0, 0)


@pytest.mark.parametrize("names", [(), ("a",), ("a", "b", "c")])
def test_through_json_and_back(names: tuple[str, ...]):
    payoff = matrix(4, *names, decay=0.7)
    if names[1:]:
        payoff.update("a", "c", 2.5, 7)
    back = PayoffMatrix.from_dict(json.loads(json.dumps(payoff.to_dict(), allow_nan=False)))
    assert back.to_dict() == payoff.to_dict()
    np.testing.assert_array_equal(back.as_array(), payoff.as_array())
    back.add("new")
    assert back.names == (*names, "new")


def test_what_cannot_be_is_told():
    payoff = matrix(2, "a", "b")
    with pytest.raises(SettingError, match="no player 'x'; it has a, b"):
        payoff.update("a", "x", 1, 1)
    with pytest.raises(SettingError, match="3 games of 'a' give win shares of 0 to 3 in all, not 4"):
        payoff.update("a", "b", 4, 3)
    with pytest.raises(SettingError, match="'a' against itself"):
        payoff.win_share("a", "a")
    with pytest.raises(SettingError, match="a player 'b' already"):
        payoff.add("b")
    for wrong, told in (
        ({"num_players": 1}, "at least 2 players"),
        ({"decay": 0.0}, "decay must be above 0"),
        ({"prior": 0.0}, "prior must be above 0"),
    ):
        with pytest.raises(SettingError, match=told):
            PayoffMatrix(**({"num_players": 2} | wrong))


def test_who_starts_again_forgets_or_becomes_a_copy():
    payoff = matrix(3, "a", "b", "c")
    payoff.update("a", "b", 3, 4)
    payoff.update("c", "a", 2, 4)
    payoff.update("c", "b", 1, 8)
    payoff.reset("a", like="c")
    assert payoff.games("a", "b") == payoff.games("c", "b") == 8
    assert payoff.games("a", "c") == payoff.games("c", "a") == 0
    payoff.reset("a")
    assert payoff.row("a") == {"b": 1 / 3, "c": 1 / 3}
    assert payoff.names == ("a", "b", "c")
    assert payoff.games("c", "b") == 8
