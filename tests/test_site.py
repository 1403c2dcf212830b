"""The site: built strict, whole, with the same headings for every environment, and nothing fetched from elsewhere."""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from sushigo_env.games import GAMES
from tests.conftest import need
from tests.write_docs import ROOT

HEADINGS = [
    "Usage",
    "Specs",
    "Rules and readings",
    "Observation",
    "Actions",
    "Rewards",
    "Termination",
    "Version history",
]
LOADS = {"script", "link", "img", "iframe", "source", "video", "audio", "embed", "object", "use", "input"}
"""Elements whose addresses a browser fetches by itself."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("mkdocs", "material", "mkdocstrings")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


class Page(HTMLParser):
    """A page's elements with their attributes, its ids, and the text of its headings of the second order."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.headings: list[str] = []
        self.within = False
        self.feed(path.read_text(encoding="utf-8"))
        self.ids = {attributes["id"] for _, attributes in self.elements if "id" in attributes}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag == "h2":
            self.headings.append("")
        self.within = tag == "h2"

    def handle_endtag(self, tag: str) -> None:
        self.within = False

    def handle_data(self, data: str) -> None:
        if self.within:
            self.headings[-1] += data

    def addresses(self, loaded: bool) -> Iterator[str]:
        """What the page loads, or what its links lead to."""
        for tag, attributes in self.elements:
            if (tag in LOADS) == loaded:
                yield from (attributes[name] for name in ("src", "href", "data", "poster") if name in attributes)
                yield from (part.split()[0] for part in attributes.get("srcset", "").split(",") if part)


@cache
def page(path: Path) -> Page:
    return Page(path)


def pages(site: Path) -> list[Path]:
    found = sorted(path for path in site.rglob("*.html") if path.name != "404.html")
    assert found
    return found


def entries(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for entry in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from entries(entry)


def test_every_page_of_the_nav_is_there(site: Path) -> None:
    import yaml

    told = list(entries(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]))
    assert len(set(told)) == len(told)
    built = {path.relative_to(site).as_posix() for path in pages(site)}
    assert built == {re.sub(r"\.md$", ".html", entry) for entry in told}


def test_every_notebook_is_a_lesson(site: Path) -> None:
    notebooks = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert notebooks
    assert {path.stem for path in (site / "lessons").glob("*.html")} == notebooks | {"about"}


def test_answers_of_a_lesson_are_rendered(site: Path) -> None:
    for path in sorted((site / "lessons").glob("0*.html")):
        answers = re.findall(r"<details>.*?</details>", path.read_text(encoding="utf-8"), re.DOTALL)
        assert answers
        assert all("<li>" in text and "`" not in text for text in answers), path


def test_environments_have_the_same_headings(site: Path) -> None:
    found = {path.stem: page(path).headings for path in (site / "environments").glob("*.html")}
    assert found == dict.fromkeys(GAMES, HEADINGS)


def test_every_function_of_a_door_is_in_the_reference(site: Path) -> None:
    for entry in GAMES.values():
        door = entry.open()
        ids = page(site / "reference" / f"{door.NAME}.html").ids
        assert {f"{entry.door}.{name}" for name in door.__all__} <= ids


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    foreign = [
        (path.name, address)
        for path in pages(site)
        for address in page(path).addresses(loaded=True)
        if urlsplit(address).netloc and address not in told_only(path)
    ]
    assert foreign == []
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?(?:https?:)?//|@import", path.read_text(encoding="utf-8")), path.name
    fetched = re.compile(r'class="[^"]*\b(?:mermaid|arithmatex)\b')  # the theme would fetch a library for these
    assert not [path.name for path in pages(site) if fetched.search(path.read_text(encoding="utf-8"))]


def told_only(path: Path) -> set[str]:
    """Addresses in `link` elements that are told, not fetched."""
    told = {"canonical", "next", "prev", "author", "license"}
    return {
        attributes.get("href", "")
        for tag, attributes in page(path).elements
        if tag == "link" and attributes.get("rel") in told
    }


def test_links_lead_somewhere(site: Path) -> None:
    dead = []
    for path in pages(site):
        for loaded in (True, False):
            for address in page(path).addresses(loaded):
                parts = urlsplit(address)
                if parts.scheme or parts.netloc:
                    continue
                target = Path(posixpath.normpath(path.parent / unquote(parts.path))) if parts.path else path
                target = target / "index.html" if target.is_dir() else target
                found = target.is_file() and target.is_relative_to(site)
                anchored = parts.fragment and target.suffix == ".html" and not loaded
                if not found or (anchored and unquote(parts.fragment) not in page(target).ids):
                    dead.append((path.relative_to(site).as_posix(), address))
    assert dead == []


# the hooks -----------------------------------------------------------------------------------------------------------


def hook(name: str) -> ModuleType:
    spec = spec_from_file_location(name, ROOT / "docs/hooks" / f"{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def notebook(*outputs: dict[str, Any], count: int | None = 1, source: str = "show()") -> str:
    text = {"cell_type": "markdown", "source": ["# A lesson\n", "\n", "Of one cell."]}
    code = {"cell_type": "code", "source": [source], "execution_count": count, "outputs": list(outputs)}
    return json.dumps({"cells": [text, code]})


def test_a_notebook_is_shown_with_what_it_was_saved_with() -> None:
    printed = {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mred\x1b[0m\n"]}
    picture = {"output_type": "display_data", "data": {"image/png": "aGVsbG8=", "text/plain": ["<Figure of 2 Axes>"]}}
    table = {"output_type": "execute_result", "data": {"text/html": ["<table></table>"], "text/plain": ["table"]}}
    plain = {"output_type": "execute_result", "data": {"text/plain": ["'```'"]}}
    made, pictures = hook("lessons").to_markdown(notebook(printed, picture, table, plain), "lesson")
    assert made.split("\n\n")[1:] == [
        "Of one cell.",
        "```python\nshow()\n```",
        "```{ .text .output }\nred\n```",
        "![Figure of 2 Axes](lesson-1.png)",
        '<div class="output">\n<table></table>\n</div>',
        "````{ .text .output }\n'```'\n````\n",
    ]
    assert pictures == {"lesson-1.png": b"hello"}


def test_a_notebook_with_an_error_or_without_its_outputs_is_refused() -> None:
    notebooks = hook("lessons")
    error = {"output_type": "error", "ename": "KeyError", "evalue": "'hand'", "traceback": []}
    with pytest.raises(notebooks.NotebookError, match=r"lesson\.ipynb: cell 2 was saved with an error, KeyError"):
        notebooks.to_markdown(notebook(error), "lesson")
    with pytest.raises(notebooks.NotebookError, match=r"lesson\.ipynb: cell 2 was saved without having run"):
        notebooks.to_markdown(notebook(count=None), "lesson")


@pytest.mark.parametrize(
    ("source", "place", "link", "there"),
    [
        ("README.md", "index.md", "[a](docs/rules.md#scoring)", "[a](rules.md#scoring)"),
        ("README.md", "index.md", "![a](docs/tournament.png)", "![a](tournament.png)"),
        ("README.md", "index.md", "[a](LICENSE)", "[a](license.txt)"),
        ("agents/README.md", "zoo.md", "[a](../README.md)", "[a](index.md)"),
        ("docs/add_an_agent.md", "add_an_agent.md", "[a](../agents/README.md#the-zoo)", "[a](zoo.md#the-zoo)"),
        ("docs/environments/sushi_go.md", "environments/sushi_go.md", "[a](../rules.md)", "[a](../rules.md)"),
        ("notebooks/x.ipynb", "lessons/x.md", "[a](../docs/rules.md)", "[a](../rules.md)"),
        ("docs/rules.md", "rules.md", "[a](https://semver.org)", "[a](https://semver.org)"),
        ("docs/rules.md", "rules.md", "[a](#scoring)", "[a](#scoring)"),
    ],
)
def test_links_hold_in_the_repository_and_on_the_site(
    source: str, place: str, link: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("mkdocs")
    monkeypatch.syspath_prepend(ROOT / "docs/hooks")
    assert hook("pages").relinked(link, source, place) == there
