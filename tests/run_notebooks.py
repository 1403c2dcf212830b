"""Run the notebooks in full and keep what they print and draw: `make notebooks`."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"


def main() -> None:
    for path in sorted(FOLDER.glob("*.ipynb")):
        print(path.name, file=sys.stderr)
        notebook = nbformat.read(path, as_version=4)
        # without times of day in the metadata, so that a run that prints the same changes nothing
        where = {"metadata": {"path": str(FOLDER)}}
        NotebookClient(notebook, timeout=None, kernel_name="python3", record_timing=False, resources=where).execute()
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
