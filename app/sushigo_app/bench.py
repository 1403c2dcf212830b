"""`sushigo bench`: how fast games are played here."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from sushigo_app.console import WIDTH, help_text, print_json, progress_bar, screen
from sushigo_app.options import Game
from sushigo_env import _threads
from sushigo_env.games import DEFAULT

if TYPE_CHECKING:
    from sushigo_experiments.timing import Rate

HELP = help_text(
    """
    Measure decisions a second: whole games, dealing and scoring included, the median of five repeats.

    transition: reset and step alone. environment: with observations and action masks. random_play: with a uniform
    choice from the mask too. aec_raw, aec, aec_wrapped, parallel: PettingZoo, one game at a time. gymnasium_vector:
    a learner against random opponents. sb3_vec: the VecEnv of Stable-Baselines3, all seats learning. rollouts,
    rollouts_quick: games played on as a search does it, at random or by a rule of thumb. training: the fast learner in
    self-play, updates included. training_ppo: MaskablePPO with the same network. Without options: all of these, for 2
    and 4 players, in batches of 1 to 65,536, in one thread and in all.

    In sushi_boat seats take turns, so there is no parallel, and in sb3_vec one seat a game learns, against random
    opponents; rollouts, rollouts_quick and training_ppo are for sushi_go alone.
    """,
    "sushigo bench",
    "sushigo bench --what environment --players 4 --games 1024 --threads 1 --json",
    "sushigo bench --game sushi_boat --what transition --players 3",
)


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("bench", help=HELP)(bench)


def bench(
    what: Annotated[str | None, typer.Option(help="Only this; default all.", show_default=False)] = None,
    players: Annotated[int | None, typer.Option(help="Seats at a table; default 2 and 4.", show_default=False)] = None,
    games: Annotated[int | None, typer.Option(help="Games in a batch.", show_default=False)] = None,
    threads: Annotated[int | None, typer.Option(help="Threads; default one and all.", show_default=False)] = None,
    game: Game = DEFAULT,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list of rows instead of a table.")] = False,
) -> None:
    """Measure and print."""
    from sushigo_experiments.timing import cases, measure

    todo = cases(what, players, games, threads, _threads.cores(), game)
    rates = []
    with progress_bar("measuring", len(todo)) as progress:
        for case in todo:
            rates.append(measure(case))
            progress(1)
    if json:
        print_json([asdict(rate) for rate in rates])
        return
    print_rates(rates)


def print_rates(rates: list[Rate]) -> None:
    """Print a row a case."""
    console = screen()
    console.width = max(console.width, WIDTH)
    others = {rate.game for rate in rates} - {DEFAULT}
    where = f" ({', '.join(sorted(others))})" if others else ""
    console.print(f"Decisions a second, of 5 repeats{where}", style="bold", highlight=False)
    table = Table(box=SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column("what", overflow="fold")
    for name in ("seats", "games", "threads", "median", "slowest", "fastest", "mean\ntotal"):
        table.add_column(name, justify="right", no_wrap=True)
    for rate in rates:
        speeds = (f"{speed:,.0f}" for speed in (rate.decisions_per_s, rate.slowest, rate.fastest))
        counts = (str(rate.players), f"{rate.games:,}", str(rate.threads))
        table.add_row(rate.what, *counts, *speeds, f"{rate.mean_score:.1f}")
    console.print(table)
