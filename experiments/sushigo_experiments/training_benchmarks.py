"""The training loops that are timed: games played by a network, and the network's updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sushigo_env.games import Entry

if TYPE_CHECKING:
    from sushigo_experiments.benchmarks import Run

WIDTHS, EPOCHS, MINIBATCH = (256, 256), 2, 4096
"""The same for both learners: a trunk that policy and value share, passes over the data, decisions an update."""


def training(game: Entry, players: int, games: int, threads: int) -> Run:
    """An iteration of the fast learner in pure self-play: whole games, then `EPOCHS` passes of updates."""
    from sushigo_train.league import LeagueSettings
    from sushigo_train.ppo import Rates
    from sushigo_train.self_play import SelfPlay, prepare
    from sushigo_train.settings import Settings

    from sushigo_experiments.benchmarks import Played

    league = LeagueSettings(anchors=(), self_play=1.0, snapshot_every=10**12)
    settings = Settings(
        game=game.name,
        num_players=players,
        num_games=games,
        widths=WIDTHS,
        epochs=EPOCHS,
        minibatch=MINIBATCH,
        threads=threads,
        league=league,
    )
    prepare(settings)
    learner = SelfPlay(settings)

    def run() -> Played:
        before = learner.counters.decisions
        figures = learner.iterate(Rates(settings.learning_rate, settings.entropy, settings.margin_weight))
        seats = games * players
        return Played(learner.counters.decisions - before, figures["mean_score"] * seats, seats)

    return run


def training_ppo(players: int, games: int, threads: int) -> Run:
    """The same with MaskablePPO of sb3-contrib on the native VecEnv, every seat learning."""
    from sushigo_train.sb3 import SB3Settings, new_model

    from sushigo_experiments.benchmarks import Played

    model = new_model(
        SB3Settings(
            num_players=players,
            num_games=games,
            widths=WIDTHS,
            n_epochs=EPOCHS,
            batch_size=MINIBATCH,
            reward="score",
            reward_scale=1.0,
        )
    )

    def run() -> Played:
        before = model.num_timesteps
        model.learn(1, reset_num_timesteps=False)
        points = float(model.rollout_buffer.rewards.sum())
        return Played(model.num_timesteps - before, points, games * players)

    return _with_threads(threads, run)


def _with_threads(threads: int, run: Callable[[], Any]) -> Run:
    """`run` with so many threads of PyTorch's, and as many as before afterwards."""
    import torch

    def threaded() -> Any:
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        try:
            return run()
        finally:
            torch.set_num_threads(before)

    return threaded
