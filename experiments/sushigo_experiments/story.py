"""A tournament in a few sentences: who wins, who the agents are, and how one of them was trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sushigo_agents import zoo

from sushigo_env.api.contract import Agent
from sushigo_env.errors import AgentError
from sushigo_experiments.summary import Row, Summary
from sushigo_experiments.training import Training
from sushigo_experiments.words import of_game, percent


@dataclass(frozen=True)
class Story:
    """What a page tells beside its tournaments' figures; all of it may be left out."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Spec of an agent -> what it is called, where the spec is no name to read."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Spec of an agent -> a line on who it is."""
    training: Training | None = None
    """How one of the agents came to be."""

    def name(self, spec: str) -> str:
        """What an agent is called."""
        return self.names.get(spec, spec)

    def renamed(self, summary: Summary) -> Summary:
        """`summary` with every agent called by its name."""
        settings = replace(summary.settings, agents=tuple(map(self.name, summary.settings.agents)))
        rows = tuple(replace(row, agent=self.name(row.agent), field=self._field(row.field)) for row in summary.rows)
        return replace(
            summary,
            settings=settings,
            rows=rows,
            totals={self.name(spec): totals for spec, totals in summary.totals.items()},
        )

    def _field(self, told: str | tuple[str, ...]) -> str | tuple[str, ...]:
        return self.name(told) if isinstance(told, str) else tuple(map(self.name, told))


def verdict(summary: Summary) -> str:
    """Who wins the mixed tables, and how sure that is: one sentence."""
    first, second = summary.ranking()[:2]
    low, high = first.win_share.low, second.win_share.high
    apart = low is not None and high is not None and low > high
    table = f"tables for {summary.settings.players}{of_game(summary.settings)}"
    return (
        f"At {table}, {first.agent} comes first with {_share(first)}, then "
        f"{second.agent} with {_share(second)}{'' if apart else '; that is too close to be sure'}."
    )


def growth(training: Training) -> str:
    """How the player was trained: one sentence."""
    last = training.points[-1]
    cores = "1 core" if training.cores == 1 else f"{training.cores} cores"
    return (
        f"Trained from nothing by playing against {_listed(['itself', *training.anchors])}: "
        f"{last.decisions / 1e6:.2f} M decisions in {last.seconds / 60:.1f} minutes of playing and learning on {cores}."
    )


def results_of(agent: str, summary: Summary) -> str:
    """What share of the wins `agent` has against each field: one sentence."""
    shares = [f"{percent(row.win_share).mean} against {row.field}" for row in _best_first(agent, summary)]
    return f"At tables for {summary.settings.players}, {agent} has {_listed(shares)}."


def about(spec: str, agent: Agent) -> str:
    """Who an agent is: what its card says if it is of the zoo, else the first line of its class's docstring."""
    if spec.startswith("zoo:"):
        return _of_the_zoo(spec)
    return (type(agent).__doc__ or "").strip().partition("\n")[0].replace("`", "")


def _of_the_zoo(spec: str) -> str:
    try:
        cards = [card for card in zoo.cards(spec.removeprefix("zoo:")) if card.variant == "standard"]
    except AgentError:
        cards = []  # weights may be new, and their card not yet written
    trained = [f"{card.decisions / 1e6:,.0f} M decisions for {card.num_players}" for card in cards]
    return f"Trained before, and shipped with this package{': ' + _listed(trained) + ' players' if trained else ''}."


def _best_first(agent: str, summary: Summary) -> list[Row]:
    rows = [row for row in summary.rows if row.agent == agent and not row.mixed]
    return sorted(rows, key=lambda row: -row.win_share.mean)


def _share(row: Row) -> str:
    """A win share and its interval."""
    share = percent(row.win_share)
    return f"{share.mean} ({share.interval})" if share.interval else share.mean


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
