"""The league: which learner trains, against whom, and who is frozen into the pool.

It deals in names, counts and win shares. The weights, the games and the updates are the learner's, which asks

    role = league.role_of(iteration)                          whose turn is it?
    for match in league.plan(role, games, key): ...           whom does it meet, in how many games?
        league.report(role, match.opponent, shares, games)    how did that go?
    orders = league.after_iteration(role, decisions, key)     is it to be frozen, or to start again?

After Vinyals et al. (Nature, 2019), scaled down: main learners and main exploiters, no league exploiters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sushigo_env.errors import SettingError
from sushigo_env.seeding import draw as bits
from sushigo_train.league.matchmaking import as_duel, draw, priorities
from sushigo_train.league.payoff import PayoffMatrix
from sushigo_train.league.pool import Kind, Member, Pool
from sushigo_train.league.settings import EXPLOITER, LeagueSettings

SCRATCH = "scratch"
"""Where a learner starts again that takes nobody's weights."""


class Match(NamedTuple):
    """Games in which one seat is the learner's, and all others are `opponent`'s; itself for pure self-play."""

    opponent: str
    games: int


@dataclass(frozen=True)
class Orders:
    """What to do after an iteration, in this order."""

    freeze: bool = False
    """Save the weights and call `snapshot`."""
    restart: str | None = None
    """Take the weights of this live learner, or new ones for `SCRATCH`, and call `restarted`."""


class League:
    """Live learners, a pool of frozen players, and the payoff matrix of them all, at tables of `num_players`."""

    def __init__(self, settings: LeagueSettings, num_players: int) -> None:
        self.settings = settings
        self.payoff = PayoffMatrix(num_players, settings.decay)
        self.pool = Pool(settings.pool_size)
        self._learned = dict.fromkeys(settings.roles, 0)  # decisions since it was last frozen
        for role in settings.roles:
            self.payoff.add(role)
        for spec in settings.anchors:
            self.pool.add(Member(spec, "anchor", spec=spec))
            self.payoff.add(spec)

    def role_of(self, iteration: int) -> str:
        """Who learns in an iteration (0, 1, ...): a fixed schedule, exploiters' turns spread evenly."""
        settings = self.settings
        share = settings.exploiter_share if settings.exploiters else 0.0
        before, after = int(iteration * share), int((iteration + 1) * share)
        if after > before:
            return settings.roles[settings.mains + before % settings.exploiters]
        return settings.roles[(iteration - before) % settings.mains]

    def plan(self, role: str, games: int, key: int) -> list[Match]:
        """Share out an iteration's games: pure self-play first (`opponent` is `role`), then each opponent once.

        An exploiter plays the main learner alone. A main learner plays `self_play` of its games against itself, the
        rest against members of the pool and the other main learners, drawn by `priorities` of its row, the anchors at
        least as often as `anchor_share` says. The same `key` (0 to 2**64 - 1) gives the same plan. `SettingError` for
        an unknown role or negative games.
        """
        self._check(role)
        if games < 0:
            raise SettingError(f"games must be 0 or more, not {games}.")
        settings = self.settings
        if _is_exploiter(role):
            return [Match(self.target(role), games)]
        others = [*self.pool.names, *(other for other in settings.roles[: settings.mains] if other != role)]
        alone = int(settings.self_play * games + 0.5) if others else games
        counts = {role: alone}
        slots = min(settings.opponents, games - alone)
        if slots:
            row = self.payoff.row(role)
            chances = priorities(
                [row[other] for other in others], self.payoff.num_players, settings.weighting, settings.power
            )
            chances = self._with_anchors(others, chances)
            for slot, index in enumerate(draw(chances, slots, key)):
                share = (games - alone + slot) // slots  # adds up to what is left
                counts[others[index]] = counts.get(others[index], 0) + share
        return [Match(opponent, count) for opponent, count in counts.items() if count]

    def _with_anchors(self, others: list[str], chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """`chances` (float64[n], adding up to 1), the anchors' raised to `anchor_share` in all if less."""
        share = self.settings.anchor_share
        anchors = np.isin(others, self.settings.anchors)
        now = chances[anchors].sum()
        if not 0 < now < share or anchors.all():
            return chances
        raised: NDArray[np.float64] = np.where(anchors, chances * share / now, chances * (1 - share) / (1 - now))
        return raised

    def report(self, role: str, opponent: str, shares_sum: float, games: float) -> None:
        """Tell how games went in which one seat of `role` sat among seats of `opponent`: its win shares added up.

        Pure self-play may be told too and counts for nothing. Errors as `PayoffMatrix.update`.
        """
        self._check(role)
        if opponent != role:
            self.payoff.update(role, opponent, shares_sum, games)

    def after_iteration(self, role: str, decisions: int, key: int) -> Orders:
        """What to do now that `role` has learned from so many more `decisions`; its old results fade.

        A main learner is frozen every `snapshot_every` decisions. An exploiter is frozen when it beats its main by
        the margin, or its patience ends; then it starts again, from where `key` decides.
        """
        self._check(role)
        settings = self.settings
        self._learned[role] += decisions
        self.payoff.fade(role)
        if not _is_exploiter(role):
            return Orders(freeze=self._learned[role] >= settings.snapshot_every)
        if self._learned[role] < settings.exploiter_patience and not self.exploits(role):
            return Orders()
        chance = int(bits(np.uint64(key), np.uint64(1))) / 2**64  # number 0 of a key is `plan`'s
        return Orders(True, self.target(role) if chance < settings.exploiter_from_main else SCRATCH)

    def snapshot(self, role: str, name: str, decisions: int, weights: str | None = None) -> list[Member]:
        """Freeze `role` into the pool as `name`; returns the members that had to go, whose files are of no more use.

        `decisions` are what the whole run has learned from so far; `weights` is the file's name,
        `NAME.safetensors` unless given. `SettingError` for an unknown role, a name that is taken, or decisions
        fewer than an earlier snapshot's.
        """
        self._check(role)
        if name in self._learned:
            raise SettingError(f"a snapshot cannot be named {name!r}, as a live learner is; choose another name.")
        kind: Kind = "exploiter" if _is_exploiter(role) else "snapshot"
        member = Member(name, kind, weights=weights or f"{name}.safetensors", born_at=decisions, parent=role)
        dropped = self.pool.add(member)
        self.payoff.add(name, like=role)
        for gone in dropped:
            self.payoff.remove(gone.name)
        self._learned[role] = 0
        return dropped

    def restarted(self, role: str, origin: str) -> None:
        """Forget the results of `role`, which has started again as a copy of `origin`, or from `SCRATCH`."""
        self._check(role)
        self.payoff.reset(role, like=None if origin == SCRATCH else origin)
        self._learned[role] = 0

    def target(self, role: str) -> str:
        """The main learner that an exploiter plays: the k-th plays the k-th, beginning again after the last."""
        settings = self.settings
        return settings.roles[(settings.roles.index(role) - settings.mains) % settings.mains]

    def exploits(self, role: str) -> bool:
        """Whether an exploiter beats its main by the margin, over games enough."""
        target, settings = self.target(role), self.settings
        duel = as_duel(self.payoff.win_share(role, target), self.payoff.num_players)
        return self.payoff.games(role, target) >= settings.exploiter_games and bool(
            duel >= 0.5 + settings.exploiter_margin
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, for checkpoints: all but the settings."""
        return {"payoff": self.payoff.to_dict(), "pool": self.pool.to_dict(), "learned": dict(self._learned)}

    @classmethod
    def from_dict(cls, settings: LeagueSettings, told: Mapping[str, Any]) -> League:
        """Go on with the league that `to_dict` told of. Settings may have changed, but not learners and anchors.

        `SettingError` if those have.
        """
        league = cls(settings, told["payoff"]["num_players"])
        payoff, pool = PayoffMatrix.from_dict(told["payoff"]), Pool.from_dict(told["pool"])
        anchors = {member.name for member in pool if member.kind == "anchor"}
        if set(told["learned"]) != set(settings.roles) or anchors != set(settings.anchors):
            had = ", ".join([*told["learned"], *sorted(anchors)])
            raise SettingError(f"the league to go on with has learners and anchors {had}; settings must name the same.")
        payoff.decay, pool.size = settings.decay, settings.pool_size
        league.payoff, league.pool, league._learned = payoff, pool, dict(told["learned"])
        return league

    def _check(self, role: str) -> None:
        if role not in self._learned:
            raise SettingError(f"the league has no learner {role!r}; it has {', '.join(self._learned)}.")


def _is_exploiter(role: str) -> bool:
    return role.partition("_")[0] == EXPLOITER
