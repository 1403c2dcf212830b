"""How this package compiles its kernels: one decorator, one cache that notices every change of the sources.

Numba's own cache looks only at the file of the function it compiles, so a changed rule number in `scoring.py` would
leave a stale kernel behind. Here the cache folder is named after a fingerprint of every source file of the package.
`NUMBA_CACHE_DIR` is respected as the place to put that folder in.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

_NAME = 16
"""Letters of a fingerprint."""
_KEPT = 30 * 24 * 3600
"""Seconds that a folder of kernels nobody used is kept."""


@cache
def cache_dir(package: Path) -> str:
    """Folder for compiled kernels of the sources under `package`; a changed source is a new folder."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(package.rglob("*.py")):
        digest.update(source.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(numba.config.CACHE_DIR or home, "sushigo_env", digest.hexdigest()[:_NAME])


@cache
def _can_write(folder: str) -> bool:
    """Whether kernels can be kept there; makes the folder, and clears those of sources long gone."""
    try:
        os.makedirs(folder, exist_ok=True)
        os.utime(folder)
        _clear_unused(Path(folder).parent)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _clear_unused(base: Path) -> None:
    for folder in base.iterdir():
        if len(folder.name) == _NAME and folder.is_dir() and time.time() - folder.stat().st_mtime > _KEPT:
            shutil.rmtree(folder, ignore_errors=True)


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` when first called: without the interpreter lock, cached on disk, unsafe maths left off.

    Works for functions of this package and of packages built on it, each with a fingerprint of its own and of those
    whose kernels were there before, since it may call them.
    """
    return _compiled(function, "never")


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, for what a hot loop calls: its body becomes part of the caller, since a call costs some 3 ns."""
    return _compiled(function, "always")


_packages: list[Path] = [Path(__file__).parent]
"""Packages that have kernels, in the order in which they came; a kernel can only call those before it."""


def _folder(package: Path) -> str:
    """Where kernels of `package` are kept: below this package's folder, one more for every package they may call."""
    if package not in _packages:
        _packages.append(package)
    own, *others = (cache_dir(each) for each in _packages[: _packages.index(package) + 1])
    return os.path.join(own, *(os.path.basename(each) for each in others))


def _package(folder: Path) -> Path:
    """The outermost package that a folder of sources belongs to."""
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _compiled(function: Callable[..., Any], inline: str) -> Callable[..., Any]:
    folder = _folder(_package(Path(function.__code__.co_filename).parent))
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        # where nothing can be kept Numba would fall back to its own place, with the stale kernels told of above
        decorate = numba.njit(cache=_can_write(folder), nogil=True, error_model="numpy", inline=inline)
        compiled: Callable[..., Any] = decorate(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled
