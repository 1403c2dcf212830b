"""What every test file may use."""

from __future__ import annotations

import importlib.util
import os
import shutil

import pytest
from hypothesis import settings

from sushigo_env import _threads

# The first call of a kernel compiles it, so a first example takes seconds; CI tries the same examples every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
_threads.LEAST_SHARE = 64  # so that the small batches of the tests are shared between threads at all
settings.load_profile("ci" if os.environ.get("CI") else "local")


def need(*names: str) -> None:
    """Skip the test unless each of `names`, a module or a program, is here; in CI a missing one is a failure."""
    missing = [name for name in names if not importlib.util.find_spec(name) and not shutil.which(name)]
    if not missing:
        return
    reason = f"needs {', '.join(missing)}"
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, which CI must have")
    pytest.skip(reason, allow_module_level=True)
