"""Figures in words, the same on the page and on the screen."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from sushigo_env import games
from sushigo_experiments.settings import Settings
from sushigo_experiments.statistics import Estimate


class Words(NamedTuple):
    """An estimate as it is printed: `26.1%` and `25.2 to 27.0` (empty where there is no interval)."""

    mean: str
    interval: str


def percent(estimate: Estimate) -> Words:
    """A win share in percent."""
    return _words(estimate, 100, "%")


def points(estimate: Estimate) -> Words:
    """A score or a margin."""
    return _words(estimate, 1, "")


def against_fair(estimate: Estimate, players: int) -> str:
    """`above` or `below` if the whole interval of a win share lies on that side of a fair share, else nothing."""
    fair = 1 / players
    if estimate.low is not None and estimate.low > fair:
        return "above"
    return "below" if estimate.high is not None and estimate.high < fair else ""


def of_game(settings: Settings) -> str:
    """` of Sushi Boat`, or nothing for the usual game."""
    return "" if settings.game == games.DEFAULT else f" of {games.find(settings.game).title}"


def table_of(settings: Settings) -> str:
    """A kind of table: `4 players`, or `Sushi Boat, 3 players` where it is not the usual game."""
    game = "" if settings.game == games.DEFAULT else f"{games.find(settings.game).title}, "
    return f"{game}{settings.players} players"


def command(settings: Settings) -> str:
    """The command line that plays a tournament again."""
    parts = ["sushigo", "arena", *settings.agents, "--players", str(settings.players)]
    parts += ["--deals", str(settings.deals), "--seed", str(settings.seed)]
    usual = Settings(settings.agents, settings.players, settings.deals, game=settings.game)
    for name, default in (("passing", usual.passing), ("variant", usual.variant), ("game", games.DEFAULT)):
        value = getattr(settings, name)
        if value != default:
            parts += [f"--{name}", value]
    return shlex.join(parts)


def _words(estimate: Estimate, scale: float, unit: str) -> Words:
    mean = f"{scale * estimate.mean:.1f}{unit}"
    if estimate.low is None or estimate.high is None:
        return Words(mean, "")
    return Words(mean, f"{scale * estimate.low:.1f} to {scale * estimate.high:.1f}")
