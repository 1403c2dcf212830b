"""`sushigo review`: recorded games gone over move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sushigo_app.console import folder, help_text, print_json, progress_bar, screen
from sushigo_env import _threads

if TYPE_CHECKING:
    from sushigo_experiments.review import GameReview, ReviewSettings
    from sushigo_experiments.review_games import Line

HELP = help_text(
    """
    Go over recorded games of Sushi Go! move by move: what each seat played, what a search finds better, and what that
    lost.

    Losses are in chance of winning and in points. The luck of the deals is told apart from play, and each seat's three
    costliest moves are named. Games typed in by hand do as well; every one is checked before the first is gone over.

    With [bold]--out[/bold] each game gets a page, DIR/game_LINE.html, listed in DIR/index.html.
    """,
    "sushigo review games.jsonl",
    "sushigo review games.jsonl --iterations 10000 --out reviews",
    "sushigo review games.jsonl --policy zoo:self_play --json",
)
LEGEND = """\
In shares of a victory: start + luck of the deals + own moves + the others' moves = result. What one's own moves lost
the others' mistakes may win back, so own may be below -100%.
"""
ITERATIONS = 2000
MOST_IN_TIME = 100_000
"""Iterations of a decision, by default; with --time-ms at most."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("review", help=HELP)(review)


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Game records, one a line.", show_default=False)],
    iterations: Annotated[
        int | None, typer.Option(help="Iterations of the search a decision; default 2000.", show_default=False)
    ] = None,
    time_ms: Annotated[float, typer.Option(help="Think so many milliseconds a decision instead; 0: no clock.")] = 0,
    policy: Annotated[str, typer.Option(help="An agent with a network to guide the search, as zoo:self_play.")] = "",
    seed: Annotated[int, typer.Option(help="Decides the positions that are sampled.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads; default one a core.", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print each review as a line of JSON instead.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", parser=folder, help="Write a page a game here.")] = None,
) -> None:
    """Review every game of a file."""
    from sushigo_experiments.review import ReviewSettings, check_settings
    from sushigo_experiments.review_games import read_games

    if iterations is None:
        iterations = MOST_IN_TIME if time_ms else ITERATIONS
    settings = ReviewSettings(iterations, time_ms, policy, seed)
    games = read_games(file)
    for line in games:
        check_settings(settings, line.record)
    _review_all(games, settings, _threads.cores() if threads is None else threads, json, out)


def _review_all(games: list[Line], settings: ReviewSettings, threads: int, json: bool, out: Path | None) -> None:
    from sushigo_experiments import review_page
    from sushigo_experiments.files import prepare_folder
    from sushigo_experiments.review import count_decisions, review_game

    if out is not None:
        review_page.check_installed()
        prepare_folder(out)
    reviews = []
    with progress_bar("reviewing", sum(map(count_decisions, games))) as progress:
        for number, line in enumerate(games):
            if number == 0 and not json:
                screen().print(LEGEND, style="dim")
            found = review_game(line, settings, threads, progress)
            if json:
                print_json(found.as_json())
            else:
                print_review(found, screen())
            if out is not None:
                review_page.write_page(out, found)
                reviews.append(found)
                index = review_page.write_index(out, reviews)  # each time, so that a run that is stopped leaves one
    if out is not None:
        typer.echo(f"Pages: {index.resolve()}", err=True)


def print_review(review: GameReview, console: Console) -> None:
    """Print a headline, the parts of every seat's result, and its costliest moves."""
    from sushigo_experiments import review_words as words

    console.print(words.headline(review), style="bold", soft_wrap=True, highlight=False, markup=False)
    console.print(_parts(review))
    for seat in review.seats:
        name = words.seat_name(seat.seat, review.players)
        console.print(Text(f"{name} {words.lost(seat)}; {words.luck(seat)}."))
        for move in seat.costliest:
            style = {"blunder": "red", "mistake": "yellow"}.get(words.mark(move), "")
            console.print(Padding(Text(f"{words.costly(move)}.", style=style), (0, 0, 0, 2)))
    console.print()


def _parts(review: GameReview) -> Table:
    """A seat a row: its total, and what its result is made of, in percent of a victory."""
    from sushigo_experiments.review_words import percent, seat_name, signed

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("seat", no_wrap=True)
    for name in ("points", "start", "luck", "own", "others", "result"):
        table.add_column(name, justify="right", no_wrap=True)
    for seat in review.seats:
        parts = (percent(seat.start), *map(signed, (sum(seat.luck), seat.own, seat.others)), percent(seat.result))
        table.add_row(seat_name(seat.seat, review.players), str(seat.total), *parts)
    for place in range(review.players, len(review.totals)):
        table.add_row(seat_name(place, review.players), str(review.totals[place]), style="dim")
    return table
