"""How this package compiles its kernels: one decorator, one cache that notices every change of the sources.

Numba's own cache looks only at the file of the function it compiles, so a changed rule number in `scoring.py` would
leave a stale kernel behind. Here the cache folder is named after a fingerprint of every source file of the package.
`NUMBA_CACHE_DIR` is respected as the place to put that folder in.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba


@cache
def cache_dir(package: Path) -> str:
    """Folder for compiled kernels of the sources under `package`; a changed source is a new folder."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(package.rglob("*.py")):
        digest.update(source.read_bytes())
    base = numba.config.CACHE_DIR or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "sushigo_env"
    )
    return os.path.join(base, digest.hexdigest()[:16])


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function` when first called: without the interpreter lock, cached on disk, unsafe maths left off.

    Works for functions of this package and of packages built on it (agents), each with a fingerprint of its own on
    top of this package's.
    """
    return _compiled(function, "never")


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, for what a hot loop calls: its body becomes part of the caller, since a call costs some 3 ns."""
    return _compiled(function, "always")


def _compiled(function: Callable[..., Any], inline: str) -> Callable[..., Any]:
    own = Path(__file__).parent
    home = Path(function.__code__.co_filename).parent
    folder = cache_dir(own)
    if own not in [home, *home.parents]:
        folder = os.path.join(folder, os.path.basename(cache_dir(home)))
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        decorate = numba.njit(cache=True, nogil=True, error_model="numpy", inline=inline)
        compiled: Callable[..., Any] = decorate(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled
