"""What to say when an optional dependency is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sushigo_env.errors import SettingError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of an extra's packages: a missing one is a `SettingError` that says which extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise SettingError(
            f"this needs {error.name}, which is not installed: pip install 'sushigo-env[{extra}]'."
        ) from error
