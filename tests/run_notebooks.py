"""Run the notebooks in full and keep what they print and draw: `make notebooks`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"


def main() -> None:
    for path in sorted(FOLDER.glob("*.ipynb")):
        began = time.perf_counter()
        notebook = nbformat.read(path, as_version=4)
        # without times of day in the metadata, so that a run that prints the same changes nothing
        # and with the lines of a cell in one piece, however they came
        same = {"record_timing": False, "coalesce_streams": True}
        where = {"metadata": {"path": str(FOLDER)}}
        NotebookClient(notebook, timeout=None, kernel_name="python3", resources=where, **same).execute()
        nbformat.write(notebook, path)
        print(f"{path.name}: {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
