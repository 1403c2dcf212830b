"""What to say when an optional dependency is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from sushigo_env.errors import SettingError


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of an extra's packages: a missing one is a `SettingError` that says which extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise _missing(extra, str(error.name).partition(".")[0]) from error


def check_installed(extra: str, *packages: str) -> None:
    """`SettingError` that says which extra to install if one of its packages is missing; to be asked before work."""
    for package in packages:
        if find_spec(package) is None:
            raise _missing(extra, package)


def _missing(extra: str, package: str) -> SettingError:
    return SettingError(f"this needs {package}, which is not installed: pip install 'sushigo-env[{extra}]'.")
