"""Keep the memory that PyTorch gives back, instead of asking the system for it again at the next operation."""

from __future__ import annotations

import ctypes
import platform

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""`M_TRIM_THRESHOLD` and `M_MMAP_THRESHOLD` of glibc's malloc.h."""
_KEPT = 1 << 30


def keep_memory() -> None:
    """Let glibc keep up to a gigabyte it could return; nothing elsewhere.

    A layer's activations are some megabytes, which glibc by default maps and unmaps each time: zeroing the pages costs
    a training step some 15% of its time.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        libc.mallopt(_MMAP_THRESHOLD, _KEPT)
        libc.mallopt(_TRIM_THRESHOLD, _KEPT)
