"""The installed version, as results and pages state it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """Version of the installed distribution; `unknown` where the sources run without being installed."""
    try:
        return installed("sushigo-env")
    except PackageNotFoundError:
        return "unknown"
