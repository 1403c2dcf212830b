"""`make proof`: engine and plain reference side by side over many random games at every table, all cores.

Sushi Go!, 100,000 games a table: masks and scores are compared at every step, points by kind, puddings and standings at
the end; in one game of twenty also every byte of every seat's observation under every setting, and the record. Half of
the games are played at random, in the other half all seats are fond of three cards, which brings on ties and full
tableaus.

Sushi Boat, 5,000 games a table: the whole state, all masks and the scores are compared at every decision; in one game
of a hundred also every byte of every seat's observation under every setting. The games take turns at the styles of
`boat_agreement.py`.

A chunk of games ends at its first disagreement, which is told; its games do not count as compared.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from sushigo_env.sushi_go.cards import CARDS
from tests import boat_proof, strategies
from tests.agreement import check_games


@dataclass(frozen=True)
class Proof:
    """What is compared of a game: at `tables`, `games` each, in chunks; of every `every` games one is observed."""

    tables: dict[str, Any]
    games: int
    chunk: int
    every: int
    check: Callable[[Any, int, int, int], int]
    """Table, first seed, games, how many of them to observe -> decisions compared; `AssertionError` if they differ."""

    def observed(self, first: int, count: int) -> int:
        """How many games of a chunk are observed."""
        return -(-(first + count) // self.every) + -first // self.every


def check_sushi_go(table: strategies.Table, first_seed: int, count: int, observed: int) -> int:
    """A chunk of games of Sushi Go!."""
    fond_of = random.Random(first_seed).sample(CARDS, 3) if first_seed // PROOFS["sushi_go"].chunk % 2 else []
    return check_games(table, first_seed, count, observed, favourites=fond_of)


BOAT_TABLES = {str(table): table for table in boat_proof.TABLES}
PROOFS = {
    "sushi_go": Proof({str(table): table for table in strategies.TABLES}, 100_000, 500, 20, check_sushi_go),
    "sushi_boat": Proof(BOAT_TABLES, 5_000, boat_proof.CHUNK, boat_proof.OBSERVED_OF, boat_proof.check),
}


class Chunk(NamedTuple):
    """Games of the seeds `first` to `first + count - 1` at a table."""

    game: str
    table: str
    first: int
    count: int

    @property
    def observed(self) -> int:
        """How many of them are observed."""
        return PROOFS[self.game].observed(self.first, self.count)


class Result(NamedTuple):
    """What came of a chunk: decisions compared, the seconds it took, the disagreement if there was one."""

    decisions: int
    seconds: float
    disagreement: str


def chunks_of(game: str, tables: list[str], first: int, count: int) -> list[Chunk]:
    """The chunks of `count` games at each of some tables, which take turns."""
    size, end = PROOFS[game].chunk, first + count
    return [Chunk(game, table, at, min(size, end - at)) for at in range(first, end, size) for table in tables]


def check(chunk: Chunk) -> Result:
    """Play a chunk of games."""
    began, proof, decisions, told = time.perf_counter(), PROOFS[chunk.game], 0, ""
    try:
        decisions = proof.check(proof.tables[chunk.table], chunk.first, chunk.count, chunk.observed)
    except AssertionError as error:
        told = str(error)
    return Result(decisions, time.perf_counter() - began, told)


def read(kept: Path | None) -> dict[Chunk, Result]:
    """The chunks that agreed, as a file tells them."""
    lines = [json.loads(line) for line in kept.read_text().splitlines()] if kept and kept.exists() else []
    results = {Chunk(*chunk): Result(*result) for chunk, result in lines}
    return {chunk: result for chunk, result in results.items() if not result.disagreement}


def prove(chunks: list[Chunk], workers: int, console: Console, kept: Path | None = None) -> int:
    """Compare the games of all chunks; prints what was compared. 0 if all agreed, 1 if not.

    Results are added to `kept`, a file; chunks that agreed by it are not played again.
    """
    results = {chunk: result for chunk, result in read(kept).items() if chunk in set(chunks)}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool, Progress(*columns, console=console) as progress:
        total, done = (sum(chunk.count for chunk in some) for some in (chunks, results))
        task = progress.add_task("games compared", total=total, completed=done)
        waiting = {pool.submit(check, chunk): chunk for chunk in chunks if chunk not in results}
        for future in as_completed(waiting):
            chunk, result = waiting[future], future.result()
            results[chunk] = result
            if kept:
                with kept.open("a") as file:
                    file.write(json.dumps([chunk, result]) + "\n")
            if result.disagreement:
                console.print(f"They disagree: {result.disagreement}", style="red", markup=False)
            progress.advance(task, chunk.count)
    console.print(summary(results))
    return int(any(result.disagreement for result in results.values()))


def summary(results: dict[Chunk, Result]) -> RichTable:
    """A line for each table."""
    headings = ("table", "games", "decisions", "observed", "disagreements", "seconds")
    told = RichTable(*headings, title="Engine and reference compared", box=None)  # no box: it fits 80 columns
    for column in told.columns[1:]:
        column.justify = "right"
    for game, table in sorted({chunk[:2] for chunk in results}):
        of = {chunk: result for chunk, result in results.items() if chunk[:2] == (game, table)}
        agreed = [chunk for chunk, result in of.items() if not result.disagreement]
        numbers = (
            sum(chunk.count for chunk in agreed),
            sum(result.decisions for result in of.values()),
            sum(chunk.observed for chunk in agreed),
            len(of) - len(agreed),
            round(sum(result.seconds for result in of.values())),
        )
        told.add_row(f"{game} {table}", *(f"{number:,}" for number in numbers))
    return told


def main() -> int:
    """Read the arguments and go."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=PROOFS, help="one game only")
    parser.add_argument("--table", help="one table only, such as 2-left or 2-menus")
    parser.add_argument("--games", type=int, help="games at each table")
    parser.add_argument("--first", type=int, default=0, help="the first game's seed, so that runs can share the work")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--kept", type=Path, help="file of results, with which a run that was stopped goes on")
    given = parser.parse_args()
    chunks = []
    for game in [given.game] if given.game else PROOFS:
        tables = [table for table in PROOFS[game].tables if given.table in (None, table)]
        chunks += chunks_of(game, tables, given.first, given.games or PROOFS[game].games)
    if not chunks:
        parser.error(f"no table {given.table}; tables are {', '.join(t for p in PROOFS.values() for t in p.tables)}")
    return prove(chunks, given.workers, Console(), given.kept)


if __name__ == "__main__":
    sys.exit(main())
