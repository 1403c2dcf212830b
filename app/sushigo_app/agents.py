"""`sushigo agents`: who can play."""

from __future__ import annotations

from typing import Annotated

import typer

from sushigo_app.console import help_text, print_json
from sushigo_env import games

HELP = help_text(
    """
    List the agents that specs can begin with.

    A spec is a name, a name with a value or settings, or module:Class of your own.
    """,
    "sushigo agents",
    "sushigo agents --game sushi_go",
    "sushigo arena greedy prefer:tempura my_module:MyAgent --players 4",
)


def add_to(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("agents", help=HELP)(agents)


def agents(
    game: Annotated[
        str | None, typer.Option(help=f"Only those that play it: {' or '.join(games.GAMES)}.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON list instead.")] = False,
) -> None:
    """Print the names."""
    from sushigo_agents.registry import names as agent_names

    names = agent_names(game)
    if json:
        print_json(names)
    else:
        typer.echo("\n".join(names))
