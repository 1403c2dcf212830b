"""A notebook as a page in Markdown: its text, its code, and the outputs that it was saved with; nothing is run."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

PICTURES = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg"}
COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""What a terminal takes for a colour, and a page does not."""


class NotebookError(Exception):
    """A notebook that cannot be shown: what is wrong and where."""


def to_markdown(source: str, name: str) -> tuple[str, dict[str, bytes]]:
    """The page of the notebook `name`, whose text as JSON is `source`, and its pictures: file name -> content.

    `NotebookError` for a notebook that was saved with an error in it, or with a cell that did not run.
    """
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for number, cell in enumerate(json.loads(source)["cells"], start=1):
        text = "".join(cell["source"]).strip("\n")
        if cell["cell_type"] == "markdown":
            parts.append(text.replace("<details>", '<details markdown="1">'))  # so that answers are rendered
        elif cell["cell_type"] == "code" and text:
            if cell["execution_count"] is None:
                raise NotebookError(f"{name}.ipynb: cell {number} was saved without having run; run all cells.")
            parts.append(fenced(text, "python"))
            for output in cell["outputs"]:
                parts.append(shown(output, f"{name}-{len(pictures) + 1}", pictures, f"{name}.ipynb: cell {number}"))
    return "\n\n".join(part for part in parts if part) + "\n", pictures


def shown(output: dict[str, Any], picture: str, pictures: dict[str, bytes], where: str) -> str:
    """One output as Markdown; a picture is put into `pictures` under the name `picture`, and shown from there."""
    if output["output_type"] == "error":
        raise NotebookError(f"{where} was saved with an error, {output['ename']}: {output['evalue']}.")
    if output["output_type"] == "stream":
        return printed("".join(output["text"]))
    data = {kind: "".join(text) for kind, text in output["data"].items() if kind.startswith(("text/", "image/"))}
    for kind, ending in PICTURES.items():
        if kind in data:
            file = f"{picture}.{ending}"
            pictures[file] = data[kind].encode() if ending == "svg" else base64.b64decode(data[kind])
            return f"![{' '.join(data.get('text/plain', 'picture').split()).strip('<>')}]({file})"
    if "text/html" in data:
        return f'<div class="output">\n{data["text/html"].strip()}\n</div>'
    return data.get("text/markdown") or printed(data.get("text/plain", ""))


def printed(text: str) -> str:
    """Text as it was printed, without colours."""
    text = COLOURS.sub("", text).rstrip()
    return fenced(text, "{ .text .output }") if text else ""


def fenced(text: str, kind: str) -> str:
    """`text` as a block of code, in a fence that it does not hold itself."""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall(r"`{3,}", text))])
    return f"{fence}{kind}\n{text}\n{fence}"
