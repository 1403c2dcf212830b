"""The command `sushigo`: each part of the project adds its commands here, a file each."""

from __future__ import annotations

import sys

import typer

from sushigo_app import agents, arena, bench, endgames, quickstart, review, score, train, zoo
from sushigo_app.ending import MISUSED, SentenceGroup

app = typer.Typer(
    cls=SentenceGroup,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Sushi Go! and Sushi Boat for people who make agents: training, tournaments, game records, speed.",
)
for part in (quickstart, arena, train, score, review, agents, zoo, endgames, bench):
    part.add_to(app)


@app.callback(invoke_without_command=True)
def _options(
    ctx: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        from sushigo_experiments._version import version as installed

        typer.echo(f"sushigo-env {installed()}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit(MISUSED)


def main() -> None:
    """Entry point of the command."""
    sys.path.append("")  # the working folder, after everything else: agents of one's own are named module:Class
    app(prog_name="sushigo")


if __name__ == "__main__":
    main()
