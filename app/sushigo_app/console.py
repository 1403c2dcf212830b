"""What every command shares: the two consoles, JSON, tables, help, progress."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text


def screen() -> Console:
    """The console on standard output; what a program would read goes through `print_json`."""
    return Console()


def notes() -> Console:
    """The console on standard error: progress, notes and errors."""
    return Console(stderr=True)


class Spec:
    """A spec in a cell, which may be a path: where it needs several lines, they end behind / : , or a dot."""

    def __init__(self, spec: str, style: str = "") -> None:
        self._spec, self._style = spec, style
        self._parts = re.split(r"(?<=[/:,])|(?<=\.)(?=[a-z])", spec)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Its longest part, and all of it."""
        return Measurement(max(map(cell_len, self._parts)), cell_len(self._spec))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As many parts in a line as have room there."""
        lines = [""]
        for part in self._parts:
            fits = cell_len(lines[-1] + part) <= options.max_width
            lines[-1:] = [lines[-1] + part] if fits or not lines[-1] else [lines[-1], part]
        yield Text("\n".join(lines), self._style, overflow="fold")


WIDTH = 80
"""Columns that tables of numbers need; a narrower screen wraps them, and cuts nothing off."""


def print_table(table: Table) -> None:
    """Print a table of numbers, which a narrow screen is not to break or cut off."""
    console = screen()
    least = Measurement.get(console, console.options.update_width(10 * WIDTH), table).minimum
    console.width = max(console.width, WIDTH, least)
    console.print(table)


def print_json(value: Any) -> None:
    """Write one line of JSON to standard output, untouched by colours and line lengths."""
    typer.echo(json.dumps(value))


def folder(name: str | Path) -> Path:
    """The folder that an option names; not the working folder for a name left empty, as by an unset variable."""
    if not str(name):
        raise typer.BadParameter("the name of the folder is empty.")
    return Path(name)


def help_text(prose: str, *examples: str) -> str:
    """A command's help: paragraphs without their line ends, then the examples, a line each."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in prose.strip().split("\n\n")]
    return "\n\n".join([*paragraphs, "[bold]Examples[/bold]", "\n".join(f"  {example}" for example in examples)])


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Any]:
    """A bar on standard error, where that is a terminal; gives a function to be told how many more are done."""
    console = notes()
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
