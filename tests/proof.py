"""`make proof`: engine and plain reference side by side over 100,000 random games a table, all cores.

Masks and scores are compared at every step, points by kind, puddings and standings at the end; in one game of twenty
also every byte of every seat's observation under every setting, and the record. Half of the games are played at
random, in the other half all seats are fond of three cards, which brings on ties and full tableaus. The first
disagreement stops it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from sushigo_env.sushi_go.cards import CARDS
from tests.agreement import check_games
from tests.strategies import TABLES, Table

CHUNK, OBSERVED = 500, 25


def check(table: Table, first_seed: int, count: int) -> tuple[Table, int, float]:
    """Play a chunk of games; the table, the decisions compared, the seconds it took."""
    began = time.perf_counter()
    fond_of = random.Random(first_seed).sample(CARDS, 3) if first_seed // CHUNK % 2 else []
    decisions = check_games(table, first_seed, count, observed=min(OBSERVED, count), favourites=fond_of)
    return table, decisions, time.perf_counter() - began


def prove(games: int, workers: int, console: Console) -> int:
    """Compare `games` games at every table; prints what was compared. 0 if all agreed, 1 if not."""
    chunks = [(table, at, min(CHUNK, games - at)) for at in range(0, games, CHUNK) for table in TABLES]
    decisions: Counter[Table] = Counter()
    seconds = dict.fromkeys(TABLES, 0.0)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    began = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool, Progress(*columns, console=console) as progress:
        task = progress.add_task("games compared", total=games * len(TABLES))
        waiting = {pool.submit(check, *chunk): chunk for chunk in chunks}
        for future in as_completed(waiting):
            try:
                table, taken, took = future.result()
            except AssertionError as error:
                pool.shutdown(cancel_futures=True)
                console.print(f"They disagree: {error}", style="red", markup=False)
                return 1
            decisions[table] += taken
            seconds[table] += took
            progress.advance(task, waiting[future][2])
    summary = RichTable(title=f"Engine and reference agree ({time.perf_counter() - began:.0f} s)")
    for heading in ("table", "games", "decisions", "games observed", "process seconds"):
        summary.add_column(heading, justify="left" if heading == "table" else "right")
    for table in TABLES:
        observed = sum(min(OBSERVED, count) for of, _, count in chunks if of == table)
        numbers = (f"{n:,}" for n in (games, decisions[table], observed, round(seconds[table])))
        summary.add_row(str(table), *numbers)
    console.print(summary)
    return 0


def main() -> int:
    """Read the arguments and go."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="games at each table")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    arguments = parser.parse_args()
    return prove(arguments.games, arguments.workers, Console())


if __name__ == "__main__":
    sys.exit(main())
