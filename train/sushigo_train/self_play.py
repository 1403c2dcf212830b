"""The fast self-play learner: PPO by whole games, against itself and a league. Reads from top to bottom.

An iteration is some hundred games, played side by side to their end. The learner holds all seats of some games (pure
self-play) and one seat of each of the others, whose other seats belong to an opponent that the league draws. Every
choice of the learner is a row to learn from. At the iteration's end the network is updated a few dozen times.

Nothing random hangs on what came before but the weights: an iteration's games and minibatches come from the run's seed
and the iteration's number alone. So a run that was killed and resumed comes to the very weights (on one thread) that it
would have come to.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sushigo_agents.network import Metadata, Network
from sushigo_agents.policy import Policy
from sushigo_agents.registry import load

from sushigo_env.api.contract import Agent, BatchedGame
from sushigo_env.errors import SettingError
from sushigo_env.seeding import game_seeds, key_of
from sushigo_train._allocation import keep_memory
from sushigo_train.evaluation import Strength, evaluate
from sushigo_train.inputs import GAMES as GAMES_TO_SEE
from sushigo_train.inputs import inputs_of, with_advice
from sushigo_train.league import SCRATCH, League
from sushigo_train.league.settings import MAIN
from sushigo_train.ppo import Learner, Player, Rates
from sushigo_train.rollout import Rollout, collect, seat
from sushigo_train.run_folder import RunFolder
from sushigo_train.settings import Settings
from sushigo_train.sharing import Anchor

NewGame = Callable[[int], BatchedGame]

PLAN, GAMES, MINIBATCHES, ORDERS, WEIGHTS, TEACHING = range(6)
"""What an iteration's key is used for."""


@dataclass
class Counters:
    """How far a run has come."""

    iteration: int = 0
    decisions: int = 0
    seconds: float = 0.0
    """Of playing and learning, evaluations and checkpoints left out."""


class SelfPlay:
    """Learners, the frozen players that they meet, and the league that brings them together.

    `new_game(B)` makes the games to learn; the default is the table of `settings`.
    """

    def __init__(self, settings: Settings, new_game: NewGame | None = None) -> None:
        make = new_game or settings.table
        self.settings, self.game, self.inputs = settings, make(settings.num_games), inputs_of(make(GAMES_TO_SEE))
        if settings.adviser:
            self.inputs = with_advice(self.inputs, self.game.num_actions)
        self.league = League(settings.league, settings.num_players)
        self.counters = Counters()
        seed = key_of(settings.seed, 0, WEIGHTS)
        self.learners = {
            role: Learner(role, settings, self.inputs, self.game.num_actions, seed) for role in settings.league.roles
        }
        table = (self.game.name, settings.num_players, settings.variant)
        threads = self.learners[MAIN].threads
        self.opponents: dict[str, Agent] = {spec: Anchor(spec, table, threads) for spec in settings.league.anchors}
        self.opponents |= self.learners
        self.teacher = Anchor(settings.teacher, table, threads) if settings.teacher else None
        for part, helper in (("teacher", self.teacher), ("adviser", self.learners[MAIN].adviser)):
            if helper and helper.observation != settings.observation:
                raise SettingError(
                    f"the {part} {helper.name} sees {helper.observation!r}, the learner {settings.observation!r}; "
                    "they must see the same."
                )

    def iterate(self, rates: Rates) -> dict[str, Any]:
        """Play an iteration's games, learn from them, and do as the league says; figures for the log."""
        began = time.perf_counter()
        settings, league, counters = self.settings, self.league, self.counters
        key = key_of(settings.seed, counters.iteration + 1)
        role = league.role_of(counters.iteration)
        seating = seat(league.plan(role, settings.num_games, key_of(key, PLAN)), role, settings.num_players)
        seeds = game_seeds(key_of(key, GAMES), settings.num_games)
        weights = settings.win_weight, rates.margin_weight
        rollout = collect(self.game, seeds, seating, self.learners[role], self.opponents, *weights)
        played = time.perf_counter()
        taught = self._taught(rollout, rates, key_of(key, TEACHING))
        figures = self.learners[role].learn(rollout, rates, key_of(key, MINIBATCHES), taught)
        for match, shares in zip(seating.matches, rollout.shares, strict=True):
            league.report(role, match.opponent, 0 if match.opponent == role else shares, match.games)
        if not np.isfinite([*figures.values()]).all():
            raise SettingError(
                f"learning has diverged in iteration {counters.iteration + 1}: its figures are no numbers any more; "
                "lower learning_rate. The last checkpoint is from before."
            )
        counters.iteration += 1
        counters.decisions += rollout.decisions
        self._obey(role, rollout.decisions, key)
        ended = time.perf_counter()
        counters.seconds += ended - began
        return {
            "role": role,
            **figures,
            "mean_score": rollout.mean_score,
            "learning_rate": rates.learning_rate,
            "entropy_weight": rates.entropy,
            "margin_weight": rates.margin_weight,
            "teacher_weight": rates.teacher,
            "decisions_per_s": rollout.decisions / (ended - began),
            "playing_share": (played - began) / (ended - began),
            "environment_share": rollout.environment_s / (ended - began),
            "against": {
                match.opponent: share / match.games
                for match, share in zip(seating.matches, rollout.shares, strict=True)
                if match.opponent != role
            },
        }

    def _taught(self, rollout: Rollout, rates: Rates, key: int) -> NDArray[np.int64] | None:
        """What the teacher would play in the learner's rows, while there is one who counts."""
        if self.teacher is None or rates.teacher == 0:
            return None
        keys = game_seeds(key, len(rollout.actions))
        seen = np.ascontiguousarray(rollout.inputs[:, : self.game.layout.size])
        return self.teacher.act(seen, rollout.action_mask, keys).astype(np.int64)

    def _obey(self, role: str, decisions: int, key: int) -> None:
        """Freeze and restart who is to be."""
        learner, league = self.learners[role], self.league
        orders = league.after_iteration(role, decisions, key_of(key, ORDERS))
        if orders.freeze:
            name = f"{role}-{self.counters.iteration:06d}"
            self._freeze(name, learner.network.arrays())
            for gone in league.snapshot(role, name, self.counters.decisions):
                del self.opponents[gone.name]
        if orders.restart is not None:
            if orders.restart == SCRATCH:
                learner.network.begin(key_of(key, WEIGHTS))
            else:
                learner.network.take(self.learners[orders.restart].network.arrays())
            learner.forget()
            league.restarted(role, orders.restart)

    def _freeze(self, name: str, weights: dict[str, NDArray[np.float32]]) -> None:
        player = Player(name, self.settings, self.inputs, self.game.num_actions)
        player.network.take(weights)
        self.opponents[name] = player

    def network(self) -> Network:
        """The main learner's network as it is shipped."""
        return Network(self.learners[MAIN].network.shipped())

    def strength(self) -> dict[str, Strength]:
        """How strong the main learner is now, playing its likeliest action."""
        settings = self.settings
        table = settings.num_players, settings.variant
        metadata = Metadata.of_table(*table, settings.observation, settings.game, settings.adviser)
        agent = Policy(self.network(), metadata, name=MAIN)
        return evaluate(agent, *table, settings.evaluate_deals, settings.evaluate_against, settings.game)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights of all learners and frozen players, and the optimisers' state: for a checkpoint."""
        found = {f"{role}/{name}": a for role, own in self.learners.items() for name, a in own.arrays().items()}
        frozen = {m.name: self.opponents[m.name] for m in self.league.pool if m.kind != "anchor"}
        for member, player in frozen.items():
            assert isinstance(player, Player)
            found |= {f"{member}/{name}": array for name, array in player.network.arrays().items()}
        return found

    def facts(self) -> dict[str, Any]:
        """The league and the counters: for a checkpoint."""
        return {"league": self.league.to_dict(), "counters": vars(self.counters)}

    def take(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        """Go on from what `arrays` and `facts` gave."""
        self.league = League.from_dict(self.settings.league, facts["league"])
        self.counters = Counters(**facts["counters"])
        by_owner: dict[str, dict[str, NDArray[Any]]] = {}
        for name, array in arrays.items():
            owner, _, rest = name.partition("/")
            by_owner.setdefault(owner, {})[rest] = array
        for role, learner in self.learners.items():
            learner.take(by_owner.pop(role))
        for name, weights in by_owner.items():
            self._freeze(name, weights)


def train(
    settings: Settings,
    run_dir: Path,
    *,
    resume: bool = False,
    report: Callable[[dict[str, Any]], None] = lambda entry: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Strength]:
    """Train, and tell how strong the policy became against each of `evaluate_against`; it lies in the run's folder.

    `report` is told every line of the log, and on resuming `refused`: a sentence for each damaged checkpoint.
    `should_stop` is asked after each iteration: if it says so the run is saved and left there, to be resumed. Errors
    as `run_folder.RunFolder`.
    """
    prepare(settings)
    folder = RunFolder(run_dir, "self_play", settings, resume)
    run = SelfPlay(settings)
    for spec in settings.evaluate_against:  # what is wrong with them is better known now than in the end
        load(spec, run.game.name, settings.num_players, settings.variant)
    if folder.last is not None:
        run.take(folder.last.arrays, folder.last.facts)
        report({"refused": list(folder.last.refused)})
    folder.begin()
    counters, began = run.counters, time.perf_counter() - run.counters.seconds
    strength: dict[str, Strength] = {}

    past, stopped = _past(settings, counters, began), False

    def tell(entry: dict[str, Any]) -> None:
        so_far = {"decisions": counters.decisions, "seconds": counters.seconds, "past": round(past, 4)}
        entry = {"iteration": counters.iteration, **so_far, **entry}
        folder.log(entry)
        report(entry)

    def measure() -> None:
        strength.update(run.strength())
        against = {f"{spec}/{name}": v for spec, found in strength.items() for name, v in found._asdict().items()}
        tell({"evaluation": True} | against)

    if past >= 1 and folder.last is not None:
        folder.export(run.network())  # a kill may have come between
        measure()
    elif counters.iteration == 0 and settings.evaluate_every:
        measure()  # where the learning curve begins
    while (past < 1 and not stopped) or counters.iteration == 0:
        before = counters.decisions
        figures = run.iterate(_rates(settings, past, counters.decisions))
        past = _past(settings, counters, began)
        tell(figures)
        stopped = should_stop() and past < 1
        if stopped or past >= 1 or _due(settings.checkpoint_every, before, counters.decisions):
            folder.save(counters.iteration, run.arrays(), run.facts(), run.network())
        if not stopped and (past >= 1 or _due(settings.evaluate_every, before, counters.decisions)):
            measure()
    folder.close()
    return strength


def prepare(settings: Settings) -> None:
    """Set what is the whole process's: PyTorch's own threads (see `ppo`), and how memory is kept."""
    keep_memory()
    if settings.device != "cuda":
        torch.set_num_threads(1)


def _past(settings: Settings, counters: Counters, began: float) -> float:
    """How much of the run is over, 0 to 1."""
    by_time = (time.perf_counter() - began) / 60 / settings.minutes if settings.minutes else 0.0
    return min(1.0, max(by_time, counters.decisions / settings.decisions))


def _rates(settings: Settings, past: float, decisions: int) -> Rates:
    def falling(first: float, last: float) -> float:
        return first + (last - first) * past

    return Rates(
        falling(settings.learning_rate, settings.final_learning_rate),
        falling(settings.entropy, settings.final_entropy),
        falling(settings.margin_weight, settings.final_margin_weight),
        max(0.0, 1 - decisions / settings.teacher_decisions) if settings.teacher else 0.0,
    )


def _due(period: int, before: int, now: int) -> bool:
    """Whether another `period` of decisions is full; never if it is 0."""
    return period > 0 and now // period > before // period
