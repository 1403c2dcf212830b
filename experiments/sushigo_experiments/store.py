"""Finished games of a tournament in one SQLite file, written chunk by chunk.

A chunk is one transaction: a killed run leaves whole chunks behind and goes on from there. A game is a row of `games`:
its match, deal and rotation; by seat the index of the agent (in the list `agents` of `settings`), the final total, and
its part of the victory, each as a JSON list. Any other program can read it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sushigo_agents.files import temporary_name

from sushigo_env.errors import SettingError
from sushigo_experiments._version import version
from sushigo_experiments.settings import Settings

FORMAT = 1
"""Raised with every change of the tables."""
LOWEST, HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max
"""What a total is kept in."""
_SCHEMA = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    match INTEGER NOT NULL, deal INTEGER NOT NULL, rotation INTEGER NOT NULL,
    agents TEXT NOT NULL, totals TEXT NOT NULL, shares TEXT NOT NULL,
    PRIMARY KEY (match, deal, rotation)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Games:
    """Games of one match: `seats`, `totals` and `shares`, each [D, R, P] by deal, rotation and seat."""

    seats: NDArray[np.int64]
    """int64[D, R, P]: index of the agent in each seat."""
    totals: NDArray[np.int32]
    """int32[D, R, P]: final totals."""
    shares: NDArray[np.float64]
    """float64[D, R, P]: each seat's part of the victory; the parts of a game add up to 1."""


class Store:
    """The games played so far under one set of settings, in a file, or in memory where `path` is None.

    `SettingError` if the file cannot be read or written, or holds a tournament of other settings or another version.
    """

    def __init__(self, path: Path | None, settings: Settings) -> None:
        self._path, self._settings = path, settings
        self._wanted = {"format": FORMAT, "version": version(), **settings.identity()}
        if path is not None and not path.exists():
            self._create(path)
        with self._sentences():
            self._connection = sqlite3.connect(":memory:" if path is None else path)
            try:
                if path is None:
                    self._fill(self._connection)
                self._check()
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; it may be opened again."""
        self._connection.close()

    def deals_played(self, match: int) -> NDArray[np.int64]:
        """int64[N]: the deals of a match that are finished, in all rotations."""
        query = "SELECT deal FROM games WHERE match = ? GROUP BY deal HAVING COUNT(*) = ? ORDER BY deal"
        with self._sentences():
            rows = self._connection.execute(query, (match, self._settings.players)).fetchall()
        return np.array([deal for (deal,) in rows], np.int64)

    def add(self, match: int, deals: NDArray[np.int64], games: Games) -> None:
        """Write the games of some deals, all or none of them."""
        columns = [json_rows(array) for array in (games.seats, games.totals, games.shares)]
        rotations = games.seats.shape[1]
        rows = [
            (match, int(deals[i // rotations]), i % rotations, *values)
            for i, values in enumerate(zip(*columns, strict=True))
        ]
        with self._sentences(), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?)", rows)

    def games(self, match: int) -> Games:
        """The games of a match on the first deals, as many as the settings say; all of them must be there."""
        shape = (self._settings.deals, self._settings.players, self._settings.players)
        query = "SELECT agents, totals, shares FROM games WHERE match = ? AND deal < ? ORDER BY deal, rotation"
        with self._sentences():
            rows = self._connection.execute(query, (match, shape[0])).fetchall()
            agents, totals, shares = (_table(column) for column in zip(*rows, strict=True))
            _check_games(agents, totals, shares, len(self._settings.agents))
            return Games(
                agents.reshape(shape), totals.astype(np.int32).reshape(shape), shares.astype(np.float64).reshape(shape)
            )

    def _create(self, path: Path) -> None:
        temporary = temporary_name(path)
        try:
            with self._sentences():
                connection = sqlite3.connect(temporary)
                try:
                    self._fill(connection)
                finally:
                    connection.close()
                os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)

    def _fill(self, connection: sqlite3.Connection) -> None:
        connection.executescript(_SCHEMA)
        rows = [(name, json.dumps(value)) for name, value in self._wanted.items()]
        connection.executemany("INSERT INTO settings VALUES (?, ?)", rows)
        connection.commit()

    def _check(self) -> None:
        """Raise if the file's settings are not ours."""
        rows = self._connection.execute("SELECT name, value FROM settings").fetchall()
        found: dict[str, Any] = {name: json.loads(value) for name, value in rows}
        for name, wanted in self._wanted.items():
            if found.get(name) != wanted:
                raise SettingError(
                    f"{self._path} holds a tournament with {name} {_words(found.get(name))}, not {_words(wanted)}; "
                    "choose another folder, or delete the file."
                )

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn what SQLite, the disk or a damaged file raise into one sentence."""
        try:
            yield
        except SettingError:
            raise
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            raise SettingError(
                f"{self._path} is no usable file of results ({error}); choose another folder, or delete the file."
            ) from error


def json_rows(array: NDArray[Any]) -> list[str]:
    """The last axis of `array` as JSON lists, in order; written in one go, which is ten times as fast."""
    rows = json.dumps(array.reshape(-1, array.shape[-1]).tolist(), separators=(",", ":"))
    return [f"[{row}]" for row in rows[2:-2].split("],[")]


def _table(column: Sequence[str]) -> NDArray[Any]:
    """A column of JSON lists as an array [games, P], of the type that its numbers have."""
    return np.array(json.loads(f"[{','.join(column)}]"))


def _check_games(agents: NDArray[Any], totals: NDArray[Any], shares: NDArray[Any], known: int) -> None:
    """`ValueError` for what no game comes to: the file may be damaged, or written by others."""
    if agents.dtype.kind != "i" or agents.min() < 0 or agents.max() >= known:
        raise ValueError(f"seats must hold agents 0 to {known - 1}")
    if totals.dtype.kind != "i" or not (LOWEST <= totals.min() <= totals.max() <= HIGHEST):
        raise ValueError("totals must be whole numbers of points")
    if shares.dtype.kind not in "if" or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("shares must lie in 0 to 1")
    if not np.allclose(shares.sum(axis=1), 1):
        raise ValueError("the shares of a game must add up to 1")


def _words(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)
