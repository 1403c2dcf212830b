"""Hooks of MkDocs: pages that lie elsewhere in the repository, and links that hold both there and on the site."""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path
from typing import Any

from lessons import NotebookError, to_markdown  # beside this file, where MkDocs looks for it
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
LOG = logging.getLogger("mkdocs.hooks.pages")  # under `mkdocs`, so that a warning fails a strict build
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "LICENSE": "license.txt",
    "agents/README.md": "zoo.md",
    "notebooks/README.md": "lessons/about.md",
    **{f"notebooks/{path.name}": f"lessons/{path.stem}.md" for path in sorted((ROOT / "notebooks").glob("*.ipynb"))},
}
"""File of the repository -> file of the site; all of docs/ lies under its own name."""
LINK = re.compile(r"(\]\()((?![a-z]+:)[^)\s#]+)(#[^)\s]*)?(\))")
"""A link without its text: to a path, not to another host nor within the page."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of `ELSEWHERE`; a notebook with its pictures, and itself to take along."""
    for source, place in ELSEWHERE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        if source.endswith(".ipynb"):
            for name, content in lesson(source, text).items():
                files.append(File.generated(config, f"lessons/{name}", content=content))
        else:
            files.append(File.generated(config, place, content=text))
    return files


def lesson(source: str, text: str) -> dict[str, str | bytes]:
    """File name -> content of all that a notebook gives; a warning if it cannot be shown."""
    path = Path(source)
    try:
        page, pictures = to_markdown(text, path.stem)
    except NotebookError as error:
        LOG.warning(str(error))
        page, pictures = f"# {path.stem}\n", {}
    page += f"\nThis page is a notebook: [{path.name}]({path.name}).\n"
    return {f"{path.stem}.md": page, path.name: text, **pictures}


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """`markdown` with links to files of the repository leading to their pages."""
    sources = {place: source for source, place in ELSEWHERE.items()}
    return relinked(markdown, sources.get(page.file.src_uri, f"docs/{page.file.src_uri}"), page.file.src_uri)


def relinked(markdown: str, source: str, place: str) -> str:
    """`markdown` of the repository's file `source`, with its links as they must be at `place` of the site."""

    def lead(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[2]))
        there = ELSEWHERE.get(target, target.removeprefix("docs/") if target.startswith("docs/") else None)
        if there is None:
            return link[0]
        return f"{link[1]}{posixpath.relpath(there, posixpath.dirname(place) or '.')}{link[3] or ''}{link[4]}"

    return LINK.sub(lead, markdown)
