"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from sushigo_env.errors import SettingError


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, flush it to the disk, then rename it; `SettingError` where that fails.

    The folder is flushed too, where the system lets it: it is what holds the new name.
    """
    temporary = temporary_name(path)
    try:
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        if os.name == "posix":  # elsewhere a folder cannot be opened, and need not be
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        raise SettingError(f"cannot write {path}: {in_words(error)}.") from error


def temporary_name(path: Path) -> Path:
    """Where this process writes `path` before renaming it."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def in_words(error: OSError) -> str:
    """The operating system's words for an error, to end a sentence with."""
    return (error.strerror or str(error)).lower()
