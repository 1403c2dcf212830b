"""How strong the zoo's agents are: measured, written into their cards, and told as a table.

An agent holds one seat against a field of each other agent in all the rest, as in `sushigo arena`: with the same seed
and number of deals the figures are the same too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sushigo_agents import zoo
from sushigo_agents.base import GAME
from sushigo_agents.match import Result, play_deals
from sushigo_agents.zoo import Card, Regret, Strength

from sushigo_env import games
from sushigo_env.api.contract import Agent
from sushigo_env.errors import SettingError
from sushigo_env.seeding import game_seeds
from sushigo_experiments import endgames
from sushigo_experiments.settings import Settings
from sushigo_experiments.statistics import Estimate, check_installed, share_estimate
from sushigo_experiments.tournament import load_teams
from sushigo_experiments.words import percent

ANCHORS = {"sushi_go": ("random", "greedy", "rival"), "sushi_boat": ("random", "boat_greedy")}
"""Game -> whom every card is measured against, beside the rest of the zoo."""
GAMES = 10_000
"""Games against each field, at least, if nobody asks for another number of deals."""
_REGRET = ["endgame regret"]
"""A column of games whose ends are solved."""
CHUNK = 256
"""Deals that a thread plays side by side; results do not depend on it."""


def fields(name: str, num_players: int, variant: str) -> list[str]:
    """Specs of whom `name` is measured against at a table: the anchors, then the others of the zoo."""
    game = zoo.game_of(name)
    others = zoo.ZooAgent.specs(game, num_players, variant)
    return [*ANCHORS[game], *(spec for spec in others if spec != f"zoo:{name}")]


def enough_deals(num_players: int) -> int:
    """How many deals, each in every rotation of the seats, are `GAMES` games or a few more."""
    return -(-GAMES // num_players)


def measure(
    name: str,
    num_players: int,
    variant: str = "standard",
    *,
    deals: int | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> Card:
    """Play the zoo's `name` against each of `fields`, and write what it came to into its card, field by field.

    `deals` of each field, the games of seed `seed` and on (default: `enough_deals`), in `threads` threads. At tables
    for two its regret in the endgames comes first.
    `progress(games)` is told of each chunk of games. Gives the new card. `AgentError` for a name, weights or a card
    that there is not; `SettingError` for a folder that cannot be written to, said before any game is played.
    """
    check_installed()
    card, path = zoo.card(name, num_players, variant), zoo.path(name, num_players, variant, ".json")
    if not os.access(path.parent, os.W_OK):
        raise SettingError(
            f"the zoo's folder {path.parent} cannot be written to: measure in a checkout, installed as editable."
        )
    wanted = fields(name, num_players, variant)
    if endgames_fit(card.game, num_players, variant):
        card = replace(card, regret=regret(f"zoo:{name}"))
        card.write(path)
    kept = {strength.field: strength for strength in card.strength if strength.field in wanted}
    for field in wanted:
        deals = enough_deals(num_players) if deals is None else deals
        settings = Settings((f"zoo:{name}", field), num_players, deals, seed, variant=variant, game=card.game)
        kept[field] = _strength(field, _play(settings, threads, progress))
        card = replace(card, strength=tuple(kept[each] for each in wanted if each in kept))
        card.write(path)
    return card


def endgames_fit(game: str, num_players: int, variant: str) -> bool:
    """Whether the endgames are of this kind of table."""
    return (game, num_players, variant) == (GAME, 2, "standard")


def regret(spec: str) -> Regret:
    """An agent's regret in all the endgames, as a card tells it."""
    found = endgames.measure(spec)
    low, high = found.regret.interval or (0.0, 0.0)
    return Regret(found.positions, found.regret.mean, (low, high), found.in_support)


def measured_against(cards: Iterable[Card]) -> list[str]:
    """Every field that some card tells of: the anchors first."""
    found = {strength.field for card in cards for strength in card.strength}
    anchors = dict.fromkeys(spec for specs in ANCHORS.values() for spec in specs)
    return [*(spec for spec in anchors if spec in found), *sorted(found - {*anchors})]


def by_game(cards: Iterable[Card]) -> dict[str, list[Card]]:
    """Title of a game -> its cards, for games that have some, in the order of `games.GAMES`."""
    rows = list(cards)
    found = {entry.title: [card for card in rows if card.game == name] for name, entry in games.GAMES.items()}
    return {title: those for title, those in found.items() if those}


def tables(cards: Iterable[Card], make: Callable[[Sequence[Card]], str]) -> str:
    """What `make` makes of each game's cards, under the game's name where there are several."""
    found = by_game(cards)
    if not found:
        return "Nobody lives here yet."
    made = [make(rows) if len(found) == 1 else f"{title}:\n\n{make(rows)}" for title, rows in found.items()]
    return "\n\n".join(made)


def table(rows: Sequence[Card]) -> str:
    """A game's cards as a Markdown table: an agent and kind of table a row; win shares with intervals, and scores."""
    columns, regrets = measured_against(rows), any(card.regret for card in rows)
    against = (f"against `{spec}`" for spec in columns)
    heads = ["agent", "table", *against, *_REGRET[:regrets], "decisions", "hours", "parameters"]
    lines = [heads, ["---"] * len(heads)]
    for card in rows:
        strengths = (card.against(spec) for spec in columns)
        lines.append(
            [
                f"`zoo:{card.name}`",
                zoo.table(card.num_players, card.variant),
                *(in_words(strength) if strength else "" for strength in strengths),
                *[regret_in_words(card.regret)][:regrets],
                f"{card.decisions / 1e6:,.0f} M",
                f"{card.wall_time_s / 3600:.1f}",
                f"{card.parameters:,}",
            ]
        )
    return _markdown(lines)


def short_table(rows: Sequence[Card]) -> str:
    """A game's cards as a Markdown table of win shares and regrets alone, without intervals."""
    columns, regrets = measured_against(rows), any(card.regret for card in rows)
    lines = [["agent", "table", *(f"`{spec}`" for spec in columns), *_REGRET[:regrets]]]
    lines.append(["---"] * len(lines[0]))
    for card in rows:
        strengths = (card.against(spec) for spec in columns)
        shares = (f"{strength.win_share:.1%}" if strength else "" for strength in strengths)
        regret = f"{card.regret.mean:.2f}" if card.regret else ""
        lines.append([f"`zoo:{card.name}`", zoo.table(card.num_players, card.variant), *shares, *[regret][:regrets]])
    return _markdown(lines)


def in_words(strength: Strength) -> str:
    """A strength as `90.0% (89.0 to 91.0), 40.5 v 30.2`."""
    share = percent(Estimate(strength.win_share, *strength.win_share_ci))
    return f"{share.mean} ({share.interval}), {strength.mean_score:.1f} v {strength.field_mean_score:.1f}"


def regret_in_words(regret: Regret | None) -> str:
    """A regret as `0.36 (0.33 to 0.39) points`, if there is one."""
    if regret is None:
        return ""
    low, high = regret.mean_ci
    return f"{regret.mean:.2f} ({low:.2f} to {high:.2f}) points"


def _markdown(lines: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _strength(field: str, played: Result) -> Strength:
    """What the agent at place 0 of the lineup did."""
    shares = share_estimate(played.shares[:, :, 0].mean(axis=1))
    low, high = shares.interval or (0.0, 1.0)
    mean, field_mean = float(played.scores[:, :, 0].mean()), float(played.scores[:, :, 1:].mean())
    return Strength(field, played.shares[:, :, 0].size, shares.mean, (low, high), mean, field_mean)


def _play(settings: Settings, threads: int, progress: Callable[[int], None]) -> Result:
    """One seat of the first agent against the second in all the rest, on all the deals."""
    teams = load_teams(settings, threads)
    seeds = game_seeds(settings.seed, settings.deals)

    def play(team: Sequence[Agent], part: NDArray[np.uint64]) -> Result:
        lineup = [team[0], *[team[1]] * (settings.players - 1)]
        return play_deals(
            lineup,
            settings.new_game,
            part,
            names=[settings.agents[0], *[settings.agents[1]] * (settings.players - 1)],
        )

    results: list[Result] = []
    with ThreadPoolExecutor(threads, thread_name_prefix="zoo") as pool:
        for start in range(0, settings.deals, CHUNK * threads):
            here = seeds[start : start + CHUNK * threads]
            parts = np.array_split(here, min(threads, len(here)))
            results += pool.map(play, teams, parts)
            progress(len(here) * settings.players)
    scores, shares = (np.concatenate([getattr(each, what) for each in results]) for what in ("scores", "shares"))
    return Result(seeds, scores, shares)
