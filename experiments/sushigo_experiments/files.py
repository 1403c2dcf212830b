"""Output folders, and files that are there whole or not at all."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from sushigo_agents.files import in_words, write_whole

from sushigo_env.errors import RecordError, SettingError


def prepare_folder(folder: Path) -> None:
    """Make `folder` if need be and prove that files can be written there, before any work; else `SettingError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SettingError(f"cannot write into the folder {folder}: {in_words(error)}.") from error


def new_folder(path: Path) -> Path:
    """Make the folder `path`, or with a number behind its name if that is there: nothing older is ever touched.

    `SettingError` where that cannot be.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            new = path if number == 1 else path.with_name(f"{path.name}_{number}")
            try:
                new.mkdir()
            except FileExistsError:
                continue
            return new
    except OSError as error:
        raise SettingError(f"cannot make the folder {path}: {in_words(error)}.") from error
    raise AssertionError  # counting does not end


@contextmanager
def one_run_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other runs from writing into `folder`; `SettingError` if one does.

    The lock is SQLite's, on an empty file: it needs nothing more of the system than results do, and ends with the
    process, however that ends.
    """
    path = folder / ".results.lock"
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("PRAGMA journal_mode = MEMORY")  # no second file beside it
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise SettingError(f"cannot write into the folder {folder}: {error}.") from error
            raise SettingError(
                f"another run is writing into the folder {folder}; let it finish, or choose another folder."
            ) from error
        try:
            yield
        finally:
            with suppress(OSError):  # some systems keep a file that is open
                path.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: no reader ever sees half of it; else `SettingError`."""
    write_whole(path, text.encode())


def write_json(path: Path, value: Any) -> None:
    """Write a JSON-ready value as `write_text` does."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def record_lines(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of game records that are not empty, with their numbers; `RecordError` if they cannot be read."""
    try:
        with file.open(encoding="utf-8") as records:
            for number, line in enumerate(records, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise RecordError(f"cannot read {file}: {in_words(error)}.") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"cannot read {file}: it is not text in UTF-8.") from error
