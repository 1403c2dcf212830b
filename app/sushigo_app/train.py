"""`sushigo train`: from a recipe to a player."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sushigo_app.console import folder, help_text, print_json
from sushigo_app.ending import INTERRUPTED
from sushigo_app.options import OnlyGame, check_game

if TYPE_CHECKING:
    from sushigo_train.recipes import Recipe

HELP = help_text(
    """
    Train a player by a recipe: the fast self-play learner, or MaskablePPO of sb3-contrib.

    RECIPE is one of those that [bold]--list[/bold] names, or a .toml file of your own; [bold]--set[/bold] changes a
    setting, and may be given many times. Everything lands in the run's folder: settings, a log, TensorBoard's files,
    checkpoints, and policy.safetensors, which plays wherever an agent is named.

    Ctrl-C saves and stops. [bold]--resume[/bold] goes on with a run from its last checkpoint, however it ended.
    """,
    "sushigo train self_play_2p --set decisions=2_000_000 --out runs/first",
    "sushigo train self_play_4p --show > mine.toml",
    "sushigo train boat_self_play_2p --set minutes=5 --out runs/boat",
    "sushigo train --resume runs/first",
    "sushigo arena runs/first/policy.safetensors greedy --players 2",
)
NEEDS = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "pydantic")


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("train", help=HELP)(train)


def train(
    recipe: Annotated[str | None, typer.Argument(metavar="RECIPE", help="By name, or a .toml file.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting on top of the recipe's.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", parser=folder, help="The run's folder; default one under runs/.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="RUN", parser=folder, help="Go on with the run in this folder.")
    ] = None,
    game: OnlyGame = None,
    show: Annotated[bool, typer.Option("--list", help="Name the recipes, and stop.")] = False,
    show_settings: Annotated[
        bool, typer.Option("--show", help="Print the recipe with every setting, as TOML, and stop.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead: the recipes, or how the run ended.")
    ] = False,
) -> None:
    """Train, with a panel that tells how it goes."""
    check_installed()
    if show:
        return print_recipes(json, game)
    chosen, run = _what(recipe, settings or [], out, resume)
    check_game(f"the recipe {chosen.name}" if resume is None else f"the run {resume}", chosen.settings.game, game)
    if show_settings:
        return print_settings(chosen)
    if run is None:
        from sushigo_experiments.files import new_folder

        run = new_folder(Path("runs") / f"{chosen.name}-{datetime.now():%Y%m%d-%H%M%S}")
    finished, strength = run_recipe(chosen, run, resume=resume is not None, quiet=json)
    told = {spec: found._asdict() for spec, found in strength.items()}
    if json:
        print_json({"run": str(run), "finished": finished, "policy": str(run / "policy.safetensors"), "strength": told})
    elif finished:
        typer.echo(f"Player: {run / 'policy.safetensors'}", err=True)
    if not finished:
        raise stopped(run)


def stopped(run: Path) -> typer.Exit:
    """Say how a run that Ctrl-C has stopped goes on; gives what ends the command."""
    typer.echo(f"Stopped and saved; go on with: sushigo train --resume {shlex.quote(str(run))}", err=True)
    return typer.Exit(INTERRUPTED)


def check_installed() -> None:
    """`SettingError` that says what to install, if anything that training needs is missing."""
    from sushigo_env.errors import SettingError

    missing = [package for package in NEEDS if find_spec(package) is None]
    if missing:
        raise SettingError(f"training needs {', '.join(missing)}; install them with: pip install 'sushigo-env[train]'.")


def print_recipes(json: bool, game: str | None = None) -> None:
    """Name the recipes (of a game), and what each is for."""
    from sushigo_train import recipes

    found = {name: recipes.describe(name) for name in recipes.names(game)}
    if json:
        print_json(found)
    else:
        width = max(map(len, found), default=0)
        for name, words in found.items():
            typer.echo(f"{name:{width}}  {words}")


def print_settings(recipe: Recipe) -> None:
    """Print a recipe with every setting."""
    from sushigo_train.recipes import as_toml

    typer.echo(as_toml(recipe), nl=False)


def run_recipe(recipe: Recipe, run: Path, *, resume: bool = False, quiet: bool = False) -> tuple[bool, dict[str, Any]]:
    """Train by `recipe` in the folder `run`, with a panel unless `quiet`.

    Whether the run was finished (else Ctrl-C has stopped it), and the player's strength by the last evaluation.
    """
    from sushigo_experiments.files import prepare_folder

    new = not run.exists()
    prepare_folder(run)
    try:
        return _run_there(recipe, run, resume, quiet)
    finally:
        if new and not any(run.iterdir()):  # what could not begin leaves nothing
            run.rmdir()


def _run_there(recipe: Recipe, run: Path, resume: bool, quiet: bool) -> tuple[bool, dict[str, Any]]:
    """`run_recipe` in a folder that is there."""
    from sushigo_experiments.files import one_run_at_a_time
    from sushigo_train.settings import Settings

    from sushigo_app.training_panel import Panel

    settings = recipe.settings
    with one_run_at_a_time(run), _ctrl_c() as asked, Panel(recipe, run, quiet) as panel:
        if isinstance(settings, Settings):
            from sushigo_train.self_play import train as learn

            strength = learn(settings, run, resume=resume, report=panel.tell, should_stop=lambda: bool(asked))
        else:
            from sushigo_train.sb3 import train_sb3

            strength = train_sb3(settings, run, resume=resume, report=panel.tell, should_stop=lambda: bool(asked))
    return not asked, dict(strength)


def _what(recipe: str | None, on_top: list[str], out: Path | None, resume: Path | None) -> tuple[Recipe, Path | None]:
    """The recipe, and the run's folder if the command line names one."""
    from sushigo_train import recipes

    if (recipe is None) == (resume is None):
        raise typer.BadParameter("give a recipe (--list names them), or a run to --resume, but not both.")
    if resume is not None:
        if out is not None:
            raise typer.BadParameter("a resumed run stays in its folder; leave --out away.")
        from sushigo_train.run_folder import read_settings

        told = read_settings(resume)
        return recipes.made(resume.name, told["settings"] | {"learner": told["learner"]}, on_top), resume
    assert recipe is not None
    chosen = recipes.read(recipe, on_top)
    return chosen, out


@contextmanager
def _ctrl_c() -> Iterator[list[int]]:
    """Gather SIGINT and SIGTERM in the list that this gives; a second one ends the program as usual."""
    asked: list[int] = []

    def ask(number: int, frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        with suppress(OSError):  # it may have nobody to tell
            typer.echo("Saving; once more to stop at once.", err=True)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
