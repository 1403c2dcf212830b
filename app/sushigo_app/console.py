"""What every command shares: the two consoles, JSON, tables, help, progress."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn


def screen() -> Console:
    """The console on standard output; what a program would read goes through `print_json`."""
    return Console()


def notes() -> Console:
    """The console on standard error: progress, notes and errors."""
    return Console(stderr=True)


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
