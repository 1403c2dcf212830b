"""The command `sushigo`: each part of the project adds its commands here, a file each."""

from __future__ import annotations

import typer

from sushigo_app import agents, arena, bench, quickstart, score
from sushigo_app.console import SentenceGroup

app = typer.Typer(
    cls=SentenceGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Sushi Go! for people who make agents: tournaments, game records, speed.",
)
for part in (quickstart, arena, score, agents, bench):
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


def main() -> None:
    """Entry point of the command."""
    app(prog_name="sushigo")


if __name__ == "__main__":
    main()
