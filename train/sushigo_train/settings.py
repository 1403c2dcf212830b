"""Every setting of the fast self-play learner, in one typed place; recipes and the command line fill it in."""

from __future__ import annotations

from dataclasses import dataclass, field

from sushigo_agents.advice import check_adviser

from sushigo_env import games
from sushigo_env.api.contract import BatchedGame
from sushigo_env.errors import SettingError
from sushigo_env.seeding import game_seeds
from sushigo_train.checks import check_finite, check_widths
from sushigo_train.league import LeagueSettings

DEVICES = ("auto", "cpu", "cuda")
BF16 = ("auto", "on", "off")


@dataclass(frozen=True)
class Settings:
    """A run of the fast learner: the table, the budget, PPO, the league. `SettingError` says what is allowed.

    The defaults are for four players of Sushi Go!. PPO is Schulman et al., "Proximal Policy Optimization Algorithms"
    (2017).
    """

    game: str = games.DEFAULT
    """By name, as in `sushigo_env.games`."""
    num_players: int = 4
    variant: str = "standard"
    observation: str = "memory"
    """What the learner sees: one of the game's observation settings, such as `memory` or `full`."""
    decisions: int = 20_000_000
    """How many decisions of learning seats the run lasts; the schedules end with it."""
    minutes: float = 0.0
    """If above 0, the run lasts this long at most; its weights then depend on the machine's speed."""
    seed: int = 1

    num_games: int = 512
    """Games of an iteration, each played to its end."""
    win_weight: float = 1.0
    """What winning pays: 1 shared by the winners, -1 by the others, times this."""
    margin_weight: float = 0.05
    """What a point of margin over the best other seat pays, when points are counted: a signal early in the game."""
    final_margin_weight: float = 0.01
    """Where the weight of the margin goes in a straight line: what counts in the end is to win."""

    widths: tuple[int, ...] = (256, 256)
    """Of the trunk's layers."""
    epochs: int = 2
    """Passes over an iteration's decisions."""
    minibatch: int = 4096
    """Decisions an update."""
    microbatch: int = 2048
    """Decisions that go through the network at once; so few that its activations stay in the processor's cache."""
    learning_rate: float = 2e-3
    final_learning_rate: float = 1e-4
    entropy: float = 0.03
    """Weight of the policy's entropy; this and the learning rate go to their finals in a straight line."""
    final_entropy: float = 0.003
    gamma: float = 1.0
    lam: float = 0.95
    """The lambda of generalised advantage estimation."""
    clip: float = 0.2
    value_weight: float = 0.5
    max_gradient: float = 0.5
    """Norm that the gradient is clipped to."""

    adviser: str = ""
    """One of `sushigo_agents.advice.ADVISERS`, whose advice the network is told; empty: nobody."""
    teacher: str = ""
    """Spec of an agent to learn from at first, in the learner's own positions: what it would play there is imitated."""
    teacher_decisions: int = 1_000_000
    """Decisions over which the teacher's weight in the loss falls from 1 to 0 in a straight line."""

    device: str = "auto"
    """`cpu`, `cuda`, or `auto`: a GPU if there is one."""
    threads: int = 0
    """That learn side by side; 0: one a core. The same seed gives the same weights with as many."""
    bf16: str = "auto"
    """Autocast to bfloat16: `on`, `off`, or `auto`: where the processor or the GPU computes in it."""

    evaluate_every: int = 2_000_000
    """Decisions between evaluations; 0: only at the end."""
    evaluate_deals: int = 250
    """Deals against each of `evaluate_against`, each played once in every seat."""
    evaluate_against: tuple[str, ...] = ("random", "greedy", "rival")
    checkpoint_every: int = 1_000_000
    """Decisions between checkpoints."""

    league: LeagueSettings = field(default_factory=LeagueSettings)

    def __post_init__(self) -> None:
        check_finite(self)
        self.table(1)
        game_seeds(self.seed, 1)
        for name, allowed in (("device", DEVICES), ("bf16", BF16)):
            if getattr(self, name) not in allowed:
                raise SettingError(f"{name} must be one of {', '.join(allowed)}, not {getattr(self, name)!r}.")
        at_least_one = (
            "decisions",
            "num_games",
            "epochs",
            "minibatch",
            "microbatch",
            "evaluate_deals",
            "teacher_decisions",
        )
        for name in (*at_least_one, "checkpoint_every"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, not {getattr(self, name)}.")
        at_least_zero: tuple[str, ...] = (
            "minutes",
            "win_weight",
            "margin_weight",
            "final_margin_weight",
            "final_learning_rate",
            "entropy",
            "final_entropy",
        )
        for name in (*at_least_zero, "value_weight", "threads", "evaluate_every"):
            if not getattr(self, name) >= 0:
                raise SettingError(f"{name} must be 0 or more, not {getattr(self, name)}.")
        for name in ("learning_rate", "clip", "max_gradient"):
            if not getattr(self, name) > 0:
                raise SettingError(f"{name} must be above 0, not {getattr(self, name)}.")
        for name in ("gamma", "lam"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingError(f"{name} must be from 0 to 1, not {getattr(self, name)}.")
        check_widths(self.widths)
        check_adviser(self.adviser)
        if self.win_weight == 0 == self.margin_weight:
            raise SettingError("win_weight and margin_weight must not both be 0: then nothing is worth learning.")

    def table(self, num_games: int) -> BatchedGame:
        """Games of this kind of table."""
        kind = {"variant": self.variant, "observation": self.observation}
        return games.find(self.game).new(num_games, self.num_players, **kind)
