"""The recipe with MaskablePPO of sb3-contrib: self-play, or learners among fixed opponents, at any table.

    train_sb3(SB3Settings(num_players=2, decisions=5_000_000), Path("runs/first"))

The run's folder gets `settings.json`, `log.jsonl`, TensorBoard's files under `tensorboard/`, checkpoints, and with each
of them `policy.safetensors`, which plays: `sushigo arena runs/first/policy.safetensors greedy --players 2`.

Batches are what matters for speed. A rollout is one game long in every environment, so that every advantage sees how
its game ended, and minibatches have a thousand decisions; with SB3's defaults (minibatches of 64, ten epochs) a
decision takes ten times as long. One thread is best: several wait for each other as soon as the machine does anything
else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.utils import set_random_seed
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn
from sushigo_agents import network
from sushigo_agents.policy import Policy

from sushigo_env import sushi_go_v0
from sushigo_env.errors import SettingError
from sushigo_env.seeding import decision_keys, game_seeds
from sushigo_env.sushi_go.cards import DUMMY, ROUNDS, hand_size
from sushigo_env.sushi_go.game import SushiGo
from sushigo_train.checks import check_finite, check_widths
from sushigo_train.evaluation import Strength, evaluate
from sushigo_train.inputs import GAMES, Inputs, inputs_of
from sushigo_train.ppo import device_of
from sushigo_train.run_folder import RunFolder
from sushigo_train.sb3_callbacks import Log, Upkeep
from sushigo_train.sb3_policy import Trunk, from_arrays, policy_tensors, to_arrays
from sushigo_train.settings import DEVICES


@dataclass(frozen=True)
class SB3Settings:
    """Everything that decides a run; `SettingError` for a number that is out of range."""

    game: ClassVar[str] = SushiGo.name
    """The one that this learner plays."""
    num_players: int = 4
    variant: str = "standard"
    observation: str = "memory"
    learners: int | None = None
    """Learning seats of each game; None: all of them, which is self-play."""
    opponents: str | dict[str, float] = "random"
    """Who holds the other seats: a spec, or a mixture of specs with weights."""
    reward: str = "win"
    reward_scale: float = 1.0
    """What rewards are multiplied with: PPO wants returns of about 1, and a margin is tens of points."""
    num_games: int = 128
    n_steps: int | None = None
    """Decisions of each environment in a rollout; None: a game's."""
    batch_size: int = 1024
    """Larger is hardly faster, and makes fewer updates of as many decisions."""
    n_epochs: int = 4
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-4
    """Both this and the next fall in a straight line."""
    ent_coef: float = 0.1
    final_ent_coef: float = 0.005
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    widths: tuple[int, ...] = (256, 256)
    decisions: int = 20_000_000
    """Decisions of all learners together; what SB3 calls timesteps."""
    evaluate_every: int = 2_000_000
    evaluate_deals: int = 200
    """Deals of an evaluation, each played once in every seat."""
    checkpoint_every: int = 1_000_000
    seed: int = 0
    threads: int = 1
    """PyTorch's threads."""
    device: str = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "widths", tuple(self.widths))  # JSON has lists
        check_finite(self)
        check_widths(self.widths)
        game_seeds(self.seed, 1)
        if self.device not in DEVICES:
            raise SettingError(f"device must be one of {', '.join(DEVICES)}, not {self.device!r}.")
        least = dict.fromkeys(("num_games", "n_epochs", "decisions", "evaluate_every", "evaluate_deals", "threads"), 1)
        least |= {"checkpoint_every": 1, "batch_size": 2, "n_steps": 1, "learners": 1}
        for name, low in least.items():
            if getattr(self, name) is not None and getattr(self, name) < low:
                raise SettingError(f"{name} must be at least {low}, not {getattr(self, name)}.")
        for name in ("learning_rate", "clip", "max_grad_norm"):
            if not getattr(self, name) > 0:
                raise SettingError(f"{name} must be above 0, not {getattr(self, name)}.")
        for name in ("final_learning_rate", "ent_coef", "final_ent_coef", "vf_coef"):
            if not getattr(self, name) >= 0:
                raise SettingError(f"{name} must be 0 or more, not {getattr(self, name)}.")
        for name in ("gamma", "gae_lambda"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingError(f"{name} must be from 0 to 1, not {getattr(self, name)}.")

    @property
    def rollout_steps(self) -> int:
        """`n_steps`, or a game's."""
        return self.n_steps or self.game_steps

    @property
    def game_steps(self) -> int:
        """The decisions of a seat in a game; in the variant each turn has two halves."""
        return ROUNDS * hand_size(self.num_players, self.variant) * (2 if self.variant == DUMMY else 1)


def train_sb3(
    settings: SB3Settings,
    run_dir: Path,
    resume: bool = False,
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Strength]:
    """Train, and tell how strong the policy became against each of `evaluation.ANCHORS`.

    `report` is told every line of the log, and on resuming `refused`: a sentence for each damaged checkpoint.
    `should_stop` is asked before each rollout; if it says so, the run is saved and left there. With `resume` the run in
    `run_dir` goes on from its last whole checkpoint, to the very weights that it would have come to (on one thread):
    rollouts are whole games, each rollout's from seeds that the run's seed and its decisions so far decide. Where
    `n_steps` is no multiple of a game's, games go on through rollouts and begin anew at checkpoints alone, so a run
    that was stopped between those comes to other weights.

    `SettingError` for a folder that holds a run already, or none to resume, or one of another table or network.
    """
    folder = RunFolder(run_dir, "sb3", settings, resume, by="decisions")
    torch.set_num_threads(settings.threads)
    model, last = new_model(settings), folder.last
    if last is not None:
        report({"refused": list(last.refused)})
        from_arrays(model.policy, last.arrays)
        model.num_timesteps, model._n_updates = last.facts["decisions"], last.facts["updates"]
    folder.begin(board=False)
    began = time.perf_counter() - (last.facts["seconds"] if last is not None else 0.0)
    restart = _Restart(model, settings)
    writers = [TensorBoardOutputFormat(str(run_dir / "tensorboard")), Log(folder, report)]
    model.set_logger(Logger(str(run_dir), writers))
    strength: dict[str, Strength] = {}

    def evaluation() -> dict[str, Strength]:
        strength.update(
            evaluate(agent(model, settings), settings.num_players, settings.variant, settings.evaluate_deals)
        )
        return strength

    def save() -> None:
        facts: dict[str, float] = {"decisions": model.num_timesteps, "updates": model._n_updates}
        facts["seconds"] = time.perf_counter() - began
        folder.save(model.num_timesteps, to_arrays(model.policy), facts, network.Network(policy_tensors(model)))
        restart()

    restart()
    left = settings.decisions - model.num_timesteps
    upkeep = Upkeep(
        decisions=model.num_timesteps,
        eval_every=settings.evaluate_every,
        checkpoint_every=settings.checkpoint_every,
        evaluation=evaluation,
        save=save,
        restart=restart if settings.rollout_steps % settings.game_steps == 0 else None,
        ent_coef=_falling(settings.ent_coef, settings.final_ent_coef),
        should_stop=should_stop,
    )
    if left > 0:
        model.learn(left, upkeep, reset_num_timesteps=False)
    model.logger.close()
    return strength


def new_model(settings: SB3Settings) -> MaskablePPO:
    """MaskablePPO with the environments of `settings`, untrained; `SettingError` for settings that do not fit."""
    env = sushi_go_v0.sb3_vec_env(
        settings.num_games,
        settings.num_players,
        variant=settings.variant,
        observation=settings.observation,
        learners=settings.learners,
        opponents=settings.opponents,  # type: ignore[arg-type]  # a dict's keys are not seen to be specs
        reward=settings.reward,
    )
    return MaskablePPO(
        "MlpPolicy",
        ScaledReward(env, settings.reward_scale),
        learning_rate=_falling(settings.learning_rate, settings.final_learning_rate),
        n_steps=settings.rollout_steps,
        batch_size=settings.batch_size,
        n_epochs=settings.n_epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip,
        ent_coef=settings.ent_coef,
        vf_coef=settings.vf_coef,
        max_grad_norm=settings.max_grad_norm,
        policy_kwargs={
            "net_arch": [],
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"widths": settings.widths, "inputs": _inputs(settings)},
        },
        seed=settings.seed % 2**32,
        device=device_of(settings.device),
    )


def agent(model: MaskablePPO, settings: SB3Settings, play: str = "argmax") -> Policy:
    """An agent that plays as `model` does now, as the shipped file will."""
    return Policy(network.Network(policy_tensors(model)), _metadata(settings), play=play, name="sb3")


class ScaledReward(VecEnvWrapper):
    """Multiplies rewards by a fixed number; all else is the environment's."""

    def __init__(self, venv: VecEnv, scale: float) -> None:
        super().__init__(venv)
        self._scale = scale

    def reset(self) -> VecEnvObs:
        """Observations at the beginning of new games."""
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        """Observations, scaled rewards, dones, infos."""
        seen, rewards, dones, infos = self.venv.step_wait()
        return seen, rewards * np.float32(self._scale), dones, infos


class _Restart:
    """Begins all games of a model anew, and all randomness, from the run's seed and the decisions so far."""

    def __init__(self, model: MaskablePPO, settings: SB3Settings) -> None:
        self._model, self._seed = model, settings.seed

    def __call__(self) -> None:
        model = self._model
        key = int(decision_keys(np.array([self._seed], np.uint64), 0, model.num_timesteps)[0])
        set_random_seed(key % 2**32)
        assert model.env is not None
        model.env.seed(key)
        model._last_obs = model.env.reset()  # type: ignore[assignment]  # SB3 calls it Any of three
        model._last_episode_starts = np.ones(model.env.num_envs, np.bool_)


def _inputs(settings: SB3Settings) -> Inputs:
    game = SushiGo(GAMES, settings.num_players, variant=settings.variant, observation=settings.observation)
    return inputs_of(game)


def _metadata(settings: SB3Settings) -> network.Metadata:
    return network.Metadata.of_table(settings.num_players, settings.variant, settings.observation)


def _falling(first: float, last: float) -> Callable[[float], float]:
    """A schedule as SB3 has them: from what remains of the run, 1 to 0, or less where a last rollout goes beyond."""
    return lambda remaining: last + (first - last) * max(remaining, 0.0)
