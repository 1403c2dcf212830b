"""The fast learner learns: a trivial game to the full, and Sushi Go! well beyond chance."""

from __future__ import annotations

import numpy as np

from tests.conftest import need

need("torch")

import torch  # noqa: E402
from sushigo_agents import sampling  # noqa: E402
from sushigo_agents.network import Network  # noqa: E402
from sushigo_agents.registry import load  # noqa: E402
from sushigo_train.inputs import inputs_of  # noqa: E402
from sushigo_train.league import LeagueSettings  # noqa: E402
from sushigo_train.network import PolicyNetwork  # noqa: E402
from sushigo_train.ppo import Rates, computes_in_bf16  # noqa: E402
from sushigo_train.self_play import SelfPlay, train  # noqa: E402
from sushigo_train.sharing import Anchor  # noqa: E402

from sushigo_env.seeding import decision_keys, game_seeds  # noqa: E402
from sushigo_env.sushi_go.game import SushiGo  # noqa: E402
from tests.learning import Echo, small  # noqa: E402


def test_a_trivial_game_is_learned_to_the_full():
    torch.set_num_threads(1)
    alone = LeagueSettings(anchors=(), self_play=1.0)
    settings = small(num_games=64, league=alone, win_weight=0.0, margin_weight=1.0, widths=(32,), minibatch=64)
    run = SelfPlay(settings, lambda games: Echo(games, 2))
    before = run.iterate(Rates(5e-3, 0.01, 1.0))["mean_score"]
    for _ in range(30):
        figures = run.iterate(Rates(5e-3, 0.01, 1.0))
    assert before < 1  # of 3 points; the best action is one of seven
    assert figures["mean_score"] > 2.8
    assert figures["entropy"] < 0.3


def test_sushi_go_is_learned_beyond_chance(tmp_path):
    settings = small(decisions=150_000, num_games=64, widths=(64,), evaluate_deals=50, checkpoint_every=10**6)
    strength = train(settings, tmp_path)
    assert strength["random"].win_share > 0.75
    assert strength["random"].mean_score > strength["random"].field_mean_score + 5


def test_the_shipped_network_is_the_trained_one():
    game = SushiGo(256, 3)
    network = PolicyNetwork(inputs_of(game), game.num_actions, (32, 16), seed=4)
    network.take({name: array + 0.01 for name, array in network.arrays().items()})
    game.reset(seeds=game_seeds(1, 256))
    seen = game.observe().reshape(-1, game.layout.size)
    with torch.inference_mode():
        logits, values = network(torch.from_numpy(seen))
    shipped_logits, shipped_values = Network(network.shipped()).forward(seen)
    np.testing.assert_allclose(shipped_logits, logits.numpy(), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(shipped_values, values.numpy(), rtol=1e-3, atol=1e-4)
    mask = game.legal().reshape(len(seen), -1)
    assert (sampling.argmax(shipped_logits, mask) == sampling.argmax(logits.numpy(), mask)).mean() > 0.99


def test_inputs_have_mean_0_and_deviation_1():
    game = SushiGo(256, 4)
    inputs = inputs_of(game)
    game.reset(seeds=game_seeds(123, 256))
    seen = []
    while not game.done.all():
        seen.append(game.observe().reshape(-1, game.layout.size).copy())
        game.step(game.legal().argmax(axis=2).astype(np.int32))
    scaled = (np.concatenate(seen) - inputs.mean) * inputs.scale
    assert np.abs(scaled.mean(axis=0)).mean() < 0.3
    assert 0.5 < np.median(scaled.std(axis=0)) < 1.5


def test_an_anchor_in_copies_chooses_as_one_does():
    game = SushiGo(700, 3)
    game.reset(seeds=game_seeds(3, 700))
    for _ in range(3):
        game.step(game.legal().argmax(axis=2).astype(np.int32))
    seen, mask = game.observe().reshape(2100, -1), game.legal().reshape(2100, -1)
    keys = decision_keys(np.repeat(game.seeds, 3), 0, 0)
    for spec in ("rival", "random"):
        alone = load(spec, "sushi_go", 3).act(seen, mask, keys)
        for rows in (2100, 5):
            shared = Anchor(spec, ("sushi_go", 3, "standard"), 4).act(seen[:rows], mask[:rows], keys[:rows])
            np.testing.assert_array_equal(shared, alone[:rows])


def test_networks_come_from_their_seed_alone():
    inputs = inputs_of(Echo(8, 2))
    one, same, other = (PolicyNetwork(inputs, 8, (16,), seed).arrays() for seed in (1, 1, 2))
    np.testing.assert_array_equal(one["trunk.0.weight"], same["trunk.0.weight"])
    assert (one["trunk.0.weight"] != other["trunk.0.weight"]).any()


def test_bfloat16_is_used_when_asked_for_and_still_learns():
    assert computes_in_bf16("on", torch.device("cpu"))
    assert not computes_in_bf16("off", torch.device("cpu"))
    alone = LeagueSettings(anchors=(), self_play=1.0)
    settings = small(num_games=64, league=alone, margin_weight=1.0, widths=(32,), minibatch=64, bf16="on")
    run = SelfPlay(settings, lambda games: Echo(games, 2))
    scores = [run.iterate(Rates(5e-3, 0.01, 1.0))["mean_score"] for _ in range(20)]
    assert scores[-1] > scores[0] + 1


def test_threads_share_the_work_and_change_nothing_but_the_last_digits():
    """Sums are taken in another order, no more; and the same number of threads gives the very same weights."""
    runs = []
    for threads in (1, 3, 3):
        run = SelfPlay(small(num_games=64, threads=threads, minibatch=2048, microbatch=300, bf16="off"))
        run.iterate(Rates(1e-3, 0.05, 0.05))
        runs.append(run.learners["main"].network.arrays())
    for name, array in runs[0].items():
        np.testing.assert_allclose(runs[1][name], array, atol=2e-4, err_msg=name)
        np.testing.assert_array_equal(runs[1][name], runs[2][name], err_msg=name)
    assert any((runs[1][name] != array).any() for name, array in runs[0].items())  # the work was shared
