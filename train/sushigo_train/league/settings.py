"""The settings of a league, checked at once."""

from __future__ import annotations

from dataclasses import dataclass

from sushigo_env.errors import SettingError
from sushigo_train.checks import check_finite
from sushigo_train.league.matchmaking import Weighting, priorities
from sushigo_train.league.payoff import PayoffMatrix
from sushigo_train.league.pool import Pool

MAIN, EXPLOITER = "main", "exploiter"


@dataclass(frozen=True)
class LeagueSettings:
    """Who learns, against whom, and when it is frozen. `SettingError` says what is allowed."""

    self_play: float = 0.5
    """Share of a main learner's games in which all seats are its own; the rest are against the pool."""
    opponents: int = 4
    """Against how many members at most in an iteration: few large batches are faster than many small ones."""
    weighting: Weighting = "hard"
    """How opponents are drawn from the pool: `hard`, `even` or `uniform`."""
    power: float = 2.0
    """Of `hard`: the higher, the more the hardest opponents stand out."""
    decay: float = 0.98
    """What a learner's results count for after an iteration that it has learned from."""
    anchors: tuple[str, ...] = ("greedy",)
    """Specs of scripted agents that stay in the pool for ever."""
    anchor_share: float = 0.25
    """Of the games against the pool, how many are against anchors at least, however many others there are by then."""
    pool_size: int = 16
    """Most frozen learners in the pool; the anchors come on top."""
    snapshot_every: int = 5_000_000
    """Decisions that a main learner learns from between two snapshots."""
    mains: int = 1
    exploiters: int = 0
    """Main exploiters: they play the present main learner alone, to find what it does wrong."""
    exploiter_share: float = 0.25
    """Share of the iterations in which an exploiter learns, if there are any."""
    exploiter_margin: float = 0.2
    """An exploiter is frozen when its win share against the main, as between two, is this far over 1/2."""
    exploiter_games: int = 500
    """Games against the main (faded) that such a win share must rest on."""
    exploiter_patience: int = 10_000_000
    """Decisions after which an exploiter is frozen in any case."""
    exploiter_from_main: float = 0.5
    """Probability that an exploiter starts again from the main's weights, rather than from scratch."""

    def __post_init__(self) -> None:
        check_finite(self)
        for name in ("self_play", "anchor_share", "exploiter_share", "exploiter_from_main"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingError(f"{name} must be from 0 to 1, not {getattr(self, name)}.")
        if not 0 < self.exploiter_margin < 0.5:
            raise SettingError(f"exploiter_margin must be between 0 and 0.5, not {self.exploiter_margin}.")
        least = {"opponents": 1, "snapshot_every": 1, "mains": 1, "exploiters": 0}
        for name, low in (least | {"exploiter_games": 1, "exploiter_patience": 1}).items():
            if getattr(self, name) < low:
                raise SettingError(f"{name} must be at least {low}, not {getattr(self, name)}.")
        if self.exploiters and self.exploiter_share == 1:
            raise SettingError("exploiter_share must be below 1: else the main learner never learns.")
        if len(set(self.anchors)) < len(self.anchors) or set(self.anchors) & set(self.roles):
            raise SettingError(f"anchors must differ, and from {', '.join(self.roles)}, not {', '.join(self.anchors)}.")
        priorities([0.5], 2, self.weighting, self.power)
        PayoffMatrix(2, self.decay)
        Pool(self.pool_size)

    @property
    def roles(self) -> tuple[str, ...]:
        """Names of the live learners: `main`, `main_2`, ..., `exploiter`, `exploiter_2`, ..."""
        return (*_numbered(MAIN, self.mains), *_numbered(EXPLOITER, self.exploiters))


def _numbered(name: str, count: int) -> list[str]:
    return [name if i == 1 else f"{name}_{i}" for i in range(1, count + 1)]
