"""`sushigo quickstart`: the main job in a few minutes."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sushigo_app.arena import print_summary
from sushigo_app.console import folder, help_text, notes, print_json, progress_bar, screen
from sushigo_env import _threads, games

if TYPE_CHECKING:
    from sushigo_experiments.summary import Summary
    from sushigo_experiments.training import Training
    from sushigo_train.recipes import Recipe

HELP = help_text(
    """
    Train an agent by self-play for two minutes, play a tournament of all agents for 2 and for 4 players, and one of
    Sushi Boat, and write the page that tells it.

    The trained agent plays at the tables for 2, against the scripted agents and those of the zoo. Each run trains anew,
    in a folder of its own in DIR; Ctrl-C saves and stops the training.

    The first run also compiles the game and the agents, for up to a minute; later runs are spared that.
    """,
    "sushigo quickstart",
    "sushigo quickstart --minutes 10 --out runs/first --json",
    "sushigo quickstart --minutes 0",
)
RECIPE = "quickstart"
"""What is trained by: a recipe's name, or the path of its file."""
DEALS = {("sushi_go", 2): 1000, ("sushi_go", 4): 250, ("sushi_boat", 3): 500}
"""Game and seats at a table -> deals a match."""
TRAINED = "trained here"
WHO = "Learned from nothing, just now: see its training below."
"""What the trained agent is called on screen and page, and who it is."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("quickstart", help=HELP)(quickstart)


def quickstart(
    out: Annotated[
        Path, typer.Option(metavar="DIR", parser=folder, help="Where the page, the figures and the training go.")
    ] = Path("sushigo-quickstart"),
    minutes: Annotated[
        float, typer.Option(min=0, help="How long to train; 0: not at all, which needs no PyTorch.")
    ] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Train, play, print, write."""
    from sushigo_experiments.files import prepare_folder, write_json
    from sushigo_experiments.report import check_installed, write_report
    from sushigo_experiments.story import Story, verdict

    check_installed()
    recipe = _recipe(minutes) if minutes else None
    prepare_folder(out)
    training = None if recipe is None else _train(recipe, out, json)
    names = {training.policy: TRAINED} if training else {}
    summaries: list[Summary] = []
    about: dict[str, str] = {}
    for (game, players), deals in DEALS.items():
        played, who = _tournament(game, players, deals, training)
        summaries.append(played)
        about |= who
        if not json:
            print_summary(Story(names).renamed(played))
    for summary in summaries:
        other = "" if summary.settings.game == games.DEFAULT else f"{summary.settings.game}_"
        write_json(out / f"results_{other}{summary.settings.players}_players.json", summary.as_json())
    story = Story(names, about, training)
    page = out / "report.html"
    write_report(page, summaries, story)
    if json:
        told = {"training": training.as_json() if training else None}
        print_json(told | {"tournaments": [summary.as_json() for summary in summaries]})
    else:
        for summary in summaries:
            screen().print(verdict(story.renamed(summary)), highlight=False, markup=False)
    typer.echo(f"Page: {page.resolve()}", err=True)


def _recipe(minutes: float) -> Recipe:
    """The recipe, for so many minutes; `SettingError` where what it needs is not installed."""
    from sushigo_app import train
    from sushigo_env.errors import SettingError

    try:
        train.check_installed()
    except SettingError as error:
        raise SettingError(f"{str(error).rstrip('.')}, or leave the training out: --minutes 0.") from error
    from sushigo_train import recipes

    return recipes.read(RECIPE, [f"minutes={minutes}"])


def _train(recipe: Recipe, out: Path, quiet: bool) -> Training:
    """Train in a new folder in `out`; leaves the command if Ctrl-C stops it."""
    from sushigo_experiments.files import new_folder
    from sushigo_experiments.training import read_training

    from sushigo_app.train import run_recipe, stopped

    _compile(recipe)
    run = new_folder(out / "training")
    finished, _ = run_recipe(recipe, run, quiet=quiet)
    if not finished:
        raise stopped(run)
    return read_training(run, recipe.name, _threads.cores())


def _compile(recipe: Recipe) -> None:
    """Train for a few games, so that compiling takes none of the run's time."""
    from sushigo_train.self_play import train
    from sushigo_train.settings import Settings

    assert isinstance(recipe.settings, Settings)
    few = replace(recipe.settings, num_games=8, decisions=1, minutes=0, evaluate_deals=1)
    with notes().status("compiling"), tempfile.TemporaryDirectory() as thrown_away:
        train(few, Path(thrown_away))


def _tournament(game: str, players: int, deals: int, training: Training | None) -> tuple[Summary, dict[str, str]]:
    """All agents at tables for so many, the trained one too if it is made for them; and who they are."""
    from sushigo_agents.registry import specs
    from sushigo_experiments.settings import Settings
    from sushigo_experiments.store import Store
    from sushigo_experiments.story import about
    from sushigo_experiments.summary import summarise
    from sushigo_experiments.tournament import load_teams, play, total_games

    here = training if training and (games.DEFAULT, training.players) == (game, players) else None
    settings = Settings((*([here.policy] if here else []), *specs(game, players)), players, deals, game=game)
    teams = load_teams(settings, _threads.cores())
    with (
        Store(None, settings) as store,
        progress_bar(f"{games.find(game).title}, {players} players", total_games(settings)) as progress,
    ):
        play(settings, teams, store, progress)
        summary = summarise(settings, store)
    who: dict[str, str] = {spec: about(spec, agent) for spec, agent in zip(settings.agents, teams[0], strict=True)}
    return summary, who | ({here.policy: WHO} if here else {})
