"""Random streams: the published generator, fair choices, streams that differ, results that do not hang on batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sushigo_env import seeding
from sushigo_env.errors import SettingError
from tests import strategies

MANY = 60_000


def fair(i, choices):
    return seeding.below(np.uint64(seeding.draw(np.uint64(5), np.uint64(i))), np.uint64(choices))


def evenly(counts):
    return len(counts) == 1 or stats.chisquare(counts).pvalue > 0.001


def keys_of(count, seed=7):
    return seeding.decision_keys(seeding.game_seeds(seed, count), 0, 0)


@pytest.mark.parametrize(
    ("seed", "numbers"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_streams_are_splitmix64_as_published(seed, numbers):
    drawn = [int(seeding.draw(np.uint64(seed), np.uint64(i))) for i in range(len(numbers))]
    assert drawn == numbers


def test_mix_gives_each_number_once():
    assert len({int(seeding.mix(np.uint64(i))) for i in range(20_000)}) == 20_000


@pytest.mark.parametrize("choices", [1, 2, 3, 7, 12, 96, 108])
def test_choices_below_n_are_fair(choices):
    chosen = [fair(i, choices) for i in range(20_000)]
    counts = np.bincount(chosen, minlength=choices)
    assert len(counts) == choices
    assert evenly(counts)


@pytest.mark.parametrize("legal", [[0], [95], [3, 4], [0, 1, 2, 50, 95], list(range(12)), list(range(96))])
def test_uniform_actions_are_uniform_over_the_mask(legal):
    mask = np.zeros((MANY, 96), np.bool_)
    mask[:, legal] = True
    counts = np.bincount(seeding.uniform_actions(mask, keys_of(MANY)), minlength=96)
    assert counts[legal].sum() == MANY
    assert evenly(counts[legal])


@pytest.mark.parametrize("what", ["seats", "decisions", "seeds"])
def test_choices_of_neighbouring_streams_are_independent(what):
    """The joint choices of two streams that differ in one number fill all pairs evenly."""
    first = seeding.game_seeds(11, MANY)
    other = {"seats": (first, 1, 0), "decisions": (first, 0, 1), "seeds": (first + np.uint64(1), 0, 0)}[what]
    mask = np.ones((MANY, 8), np.bool_)
    a = seeding.uniform_actions(mask, seeding.decision_keys(first, 0, 0))
    b = seeding.uniform_actions(mask, seeding.decision_keys(*other))
    assert evenly(np.bincount(a * 8 + b, minlength=64))


def test_no_two_decisions_share_a_key():
    seeds, seats, decisions = np.meshgrid(np.arange(200), np.arange(5), np.arange(30), indexing="ij")
    keys = seeding.decision_keys(seeds.ravel().astype(np.uint64), seats.ravel(), decisions.ravel())
    assert len(np.unique(keys)) == keys.size


def test_no_two_episodes_of_neighbouring_seeds_share_a_key():
    keys = {int(seeding.episode_key(np.uint64(s), np.uint64(e))) for s in range(150) for e in range(150)}
    assert len(keys) == 150 * 150


@given(strategies.masks(), strategies.seeds())
def test_a_choice_is_legal_and_an_empty_row_gives_zero(rows, seed):
    mask = np.array(rows, np.bool_)
    actions = seeding.uniform_actions(mask, seeding.game_seeds(seed, len(mask)))
    for row, action in zip(mask, actions, strict=True):
        assert row[action] if row.any() else action == 0


@given(strategies.seeds(), st.integers(1, 30))
def test_a_row_gets_the_key_it_would_get_alone(seed, count):
    seeds = seeding.game_seeds(seed, count)
    together = seeding.decision_keys(seeds, np.arange(count), np.arange(count) * 3)
    alone = [seeding.decision_keys(seeds[i : i + 1], i, i * 3)[0] for i in range(count)]
    assert together.tolist() == alone


def test_seeds_of_a_batch_count_up_and_wrap_around():
    assert seeding.game_seeds(5, 3).tolist() == [5, 6, 7]
    assert seeding.game_seeds(2**64 - 1, 2).tolist() == [2**64 - 1, 0]
    assert seeding.game_seeds(np.int64(4), 1).tolist() == [4]


def test_without_a_seed_the_operating_system_gives_one():
    drawn = np.concatenate([seeding.game_seeds(None, 50), seeding.game_seeds(None, 50)])
    assert drawn.dtype == np.uint64
    assert len(np.unique(drawn)) == 100


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True, np.int64(-3)])
def test_a_bad_seed_is_named(seed):
    with pytest.raises(SettingError, match=r"^seed must be an integer from 0 to 2\*\*64 - 1, not .*\.$"):
        seeding.game_seeds(seed, 1)


def test_permutations_are_the_keys_and_each_place_is_as_likely():
    assert sorted(seeding.permutation(1000, 7)) == list(range(1000))
    assert (seeding.permutation(1000, 7) == seeding.permutation(1000, 7)).all()
    assert (seeding.permutation(1000, 7) != seeding.permutation(1000, 8)).any()
    assert seeding.permutation(0, 7).size == 0
    where = np.array([seeding.permutation(5, key) for key in range(20_000)])
    counts = np.array([np.bincount(column, minlength=5) for column in where.T])
    assert np.abs(counts - 4000).max() < 5 * np.sqrt(4000)


def test_keys_of_counters_differ_and_hang_on_their_order():
    keys = {seeding.key_of(1, a, b) for a in range(50) for b in range(50)}
    assert len(keys) == 2500
    assert seeding.key_of(1, 2, 3) == seeding.key_of(seeding.key_of(1, 2), 3)
    assert all(0 <= key < 2**64 for key in keys)
