"""`sushigo zoo`: the trained agents, what is known of them, and how strong they are here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from sushigo_app.console import Spec, folder, help_text, print_json, print_table, progress_bar, screen
from sushigo_app.options import OnlyGame, check_game
from sushigo_env import _threads

if TYPE_CHECKING:
    from sushigo_agents.zoo import Card, Strength

LIST_HELP = help_text("List the trained agents, by table, with their win shares.", "sushigo zoo list")
CARD_HELP = help_text(
    """
    Print an agent's card: how it was trained, and how strong it is.

    Without a table, all its cards. With [bold]--json[/bold] a card is a line.
    """,
    "sushigo zoo card self_play --players 4",
    "sushigo zoo card self_play --variant two_player_dummy --json",
)
MEASURE_HELP = help_text(
    """
    Play an agent against the scripted agents of its game and the rest of the zoo, and write its card anew.

    It holds one seat against a field of each, and every deal is played once in each rotation of the seats. Without a
    table, at all its tables. For two players its regret in the endgames is measured too.
    """,
    "sushigo zoo measure self_play",
    "sushigo zoo measure self_play --players 4 --deals 5000",
)

ADD_HELP = help_text(
    """
    Put the player of a training's folder into the zoo of this checkout, in place of what has that name and table.

    Its card tells how it was trained; measure tells how strong it is.
    """,
    "sushigo zoo add runs/first mine",
)


def _name(given: str) -> str:
    return given.removeprefix("zoo:")


Name = Annotated[
    str,
    typer.Argument(metavar="NAME", parser=_name, help="What stands behind zoo: in its spec.", show_default=False),
]
Players = Annotated[int | None, typer.Option(help="Seats at a table; default all.", show_default=False)]
Variant = Annotated[str | None, typer.Option(help="standard, two_player_dummy or menus.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the app."""
    zoo = typer.Typer(rich_markup_mode="rich", no_args_is_help=True, help="The trained agents that travel with this.")
    zoo.command("list", help=LIST_HELP)(list_agents)
    zoo.command("card", help=CARD_HELP)(card)
    zoo.command("measure", help=MEASURE_HELP)(measure)
    zoo.command("add", help=ADD_HELP)(add)
    app.add_typer(zoo, name="zoo")


def list_agents(game: OnlyGame = None, json: Json = False) -> None:
    """Print a row a card."""
    from sushigo_agents import zoo
    from sushigo_experiments.zoo_cards import by_game

    cards = [each for each in zoo.cards() if game in (None, each.game)]
    if json:
        print_json([each.as_json() for each in cards])
        return
    found = by_game(cards)
    if not found:
        typer.echo("The zoo is empty.")
    for title, rows in found.items():
        if len(found) > 1:
            screen().print(title, style="bold")
        print_table(_table_of(rows))


def _table_of(cards: Sequence[Card]) -> Table:
    """A row a card, of one game."""
    from sushigo_agents import zoo
    from sushigo_experiments.zoo_cards import measured_against

    found = measured_against(cards)
    regrets = ["regret"] if any(each.regret for each in cards) else []
    specs = (escape(spec.replace(":", ":\n")) for spec in found)
    table = _table("agent", "table", "decisions", *specs, *regrets)
    for each in cards:
        strengths = (each.against(spec) for spec in found)
        shares = (_percent(strength) if strength else "" for strength in strengths)
        here = zoo.table(each.num_players, each.variant)
        regret = [f"{each.regret.mean:.2f}" if each.regret else ""] if regrets else []
        table.add_row(Spec(f"zoo:{each.name}"), here, f"{each.decisions:,}", *shares, *regret)
    return table


def card(
    name: Name,
    players: Players = None,
    variant: Variant = None,
    game: OnlyGame = None,
    json: Json = False,
) -> None:
    """Print the cards of a name."""
    from sushigo_agents import zoo

    for table in _tables(name, players, variant, game):
        found = zoo.card(name, *table)
        if json:
            print_json(found.as_json())
        else:
            _print_card(found)


def add(
    run: Annotated[Path, typer.Argument(metavar="RUN", parser=folder, help="The folder of a training.")],
    name: Name,
    notes: Annotated[str, typer.Option(help="Words for its card.")] = "",
) -> None:
    """Ship a run's player."""
    from sushigo_app.train import check_installed

    check_installed()
    from sushigo_train.shipping import ship

    _print_card(ship(run, name, notes=notes))


def measure(
    name: Name,
    players: Players = None,
    variant: Variant = None,
    game: OnlyGame = None,
    deals: Annotated[
        int | None, typer.Option(help="Deals against each field; default 10,000 games.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Deal d is the game of seed SEED + d.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads; default one a core.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Play, write, print."""
    from sushigo_experiments import zoo_cards

    for table in _tables(name, players, variant, game):
        count = zoo_cards.enough_deals(table[0]) if deals is None else deals
        games = count * table[0] * len(zoo_cards.fields(name, *table))
        here = f"zoo:{name}, {table[0]} players ({table[1]})"
        with progress_bar(here, games) as progress:
            workers = _threads.cores() if threads is None else threads
            found = zoo_cards.measure(name, *table, deals=count, seed=seed, threads=workers, progress=progress)
        if json:
            print_json(found.as_json())
        else:
            _print_card(found)
    typer.echo("Written into the cards; `make docs` tells it in agents/README.md.", err=True)


def _tables(name: str, players: int | None, variant: str | None, game: str | None) -> list[tuple[int, str]]:
    """The tables asked for: one where the players are told, else all that `name` has (of that variant).

    `SettingError` if `name` is not of the `game` asked for.
    """
    from sushigo_agents import zoo

    from sushigo_env.errors import AgentError

    check_game(f"zoo:{name}", zoo.game_of(name), game)
    if players is not None:
        table = players, variant or "standard"
        zoo.path(name, *table)  # says what there is, if not this
        return [table]
    found = [zoo.TABLES[here] for here in zoo.tables(name)]
    wanted = [table for table in found if variant in (None, table[1])]
    if not wanted:
        there = ", ".join(dict.fromkeys(known for _, known in found))
        raise AgentError(f"zoo:{name} plays no variant {variant!r}; it plays {there}.")
    return wanted


def _print_card(found: Card) -> None:
    console = screen()
    head = f"zoo:{found.name}, {found.num_players} players ({found.variant})"
    console.print(head, style="bold", highlight=False, markup=False)
    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_column(no_wrap=True)
    facts.add_column(overflow="fold")
    recipe = ", ".join(f"{key}={value}" for key, value in found.recipe.items())
    hours = f"{found.wall_time_s / 3600:.2f} h on {found.machine}"
    rows = {"trained": found.trained, "decisions": f"{found.decisions:,}", "time": hours, "recipe": recipe}
    rows |= {"parameters": f"{found.parameters:,}", "version": found.env_version, "layout": found.layout}
    if found.regret:
        from sushigo_experiments.zoo_cards import regret_in_words

        rows["endgame regret"] = f"{regret_in_words(found.regret)}, in support {found.regret.in_support:.0%}"
    for fact, words in (rows | ({"notes": found.notes} if found.notes else {})).items():
        facts.add_row(f"[dim]{fact}[/]", escape(words))
    console.print(facts)
    table = _table("field", "win share", "95% interval", "score", "field's", "games")
    for each in found.strength:
        low, high = (f"{100 * end:.1f}" for end in each.win_share_ci)
        scores = f"{each.mean_score:.1f}", f"{each.field_mean_score:.1f}"
        table.add_row(Spec(each.field), _percent(each), f"{low}-{high}", *scores, f"{each.games:,}")
    if found.strength:
        print_table(table)
    else:
        console.print("Its strength has not been measured.")


def _table(first: str, *others: str) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right", no_wrap=True)
    return table


def _percent(strength: Strength) -> str:
    return f"{100 * strength.win_share:.1f}%"
