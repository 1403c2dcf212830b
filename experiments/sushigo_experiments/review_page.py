"""The pages that tell a review: an HTML file a game that needs nothing else, and a list of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sushigo_env.sushi_go.cards import INDEX, NIGIRI, ROUNDS, label
from sushigo_experiments import _extras, review_words
from sushigo_experiments._version import version
from sushigo_experiments.files import write_text
from sushigo_experiments.pictures import INK, LINES, canvas, svg
from sushigo_experiments.review import CurvePoint, GameReview
from sushigo_experiments.templating import templates

_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
"""Of a seat each, for those who do not tell the colours apart."""
FILTERS = ("percent", "signed", "points", "cards", "played", "mark", "costly", "lost", "luck", "headline")
"""What the pages take from `review_words`."""


class Card(NamedTuple):
    """A card as a page draws it."""

    name: str
    label: str
    on_wasabi: bool


def check_installed() -> None:
    """`SettingError` if what pages are made with is missing; to be asked before the work."""
    _extras.check_installed("experiments", "jinja2", "matplotlib")


def page_name(review: GameReview) -> str:
    """The file of a game's page."""
    return f"game_{review.line}.html"


def write_page(folder: Path, review: GameReview) -> Path:
    """Write a game's page; gives its path. `SettingError` if it cannot be written."""
    path = folder / page_name(review)
    write_text(path, render_page(review))
    return path


def write_index(folder: Path, reviews: Sequence[GameReview]) -> Path:
    """Write the list of the pages, `index.html`, as `write_page` does."""
    path = folder / "index.html"
    write_text(path, _template("review_index.html", reviews=[(page_name(review), review) for review in reviews]))
    return path


def render_page(review: GameReview) -> str:
    """The page of a game as text."""
    names = [review_words.seat_name(seat, review.players) for seat in range(len(review.totals))]
    tables = [[drawn(review.laid[round_][seat]) for round_ in range(ROUNDS)] for seat in range(len(names))]
    return _template(
        "review.html", review=review, names=names, tables=tables, curve=chance_curve(review), settings=review.settings
    )


def _template(name: str, **told: Any) -> str:
    pages = templates()
    pages.filters |= {name: getattr(review_words, name) for name in FILTERS}
    return pages.get_template(name).render(version=version(), **told)


def drawn(names: Sequence[str]) -> list[Card]:
    """The cards that lie before a seat after a round, in the order laid, but a nigiri beside the wasabi it lies on."""
    out: list[Card] = []
    bare: list[Card] = []
    for name in names:
        tripled = INDEX[name] in NIGIRI and bool(bare)
        card = Card(name, label(name), tripled)
        place = next(i for i, other in enumerate(out) if other is bare[0]) + 1 if tripled else len(out)
        out.insert(place, card)
        if tripled:
            del bare[0]
        elif name == "wasabi":
            bare.append(card)
    return out


def chance_curve(review: GameReview) -> str:
    """Every seat's chance at every turn, as SVG; a line down wherever a round was dealt."""
    figure, axes = canvas(5.6, 3.6)
    for seat in range(review.players):
        heights = [100 * point.chances[seat] for point in review.curve]
        colour, dash = LINES[seat % len(LINES)], _DASHES[seat % len(_DASHES)]
        name = review_words.seat_name(seat, review.players)
        axes.plot(heights, color=colour, linestyle=dash, linewidth=2, label=name, clip_on=False)
    deals = [place for place, point in enumerate(review.curve) if point.turn == 0]
    for place in deals:
        axes.axvline(place + 0.5, color=INK, linewidth=0.8, linestyle=(0, (2, 3)))
    axes.set_xticks(range(len(review.curve)), [_tick(point, review) for point in review.curve])
    axes.set_xlim(0, len(review.curve) - 1)
    axes.set_ylim(0, 100)
    axes.set_ylabel("chance, %")
    axes.set_xlabel("round, and its turns")
    axes.tick_params(axis="x", length=0, labelsize=8)
    axes.spines[["right", "top"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=10)
    return svg(figure, "chances", review.curve)


def _tick(point: CurvePoint, review: GameReview) -> str:
    """Rounds in a row below the turns; every other turn is told, but none beside the end."""
    if point is review.curve[-1]:
        return "end"
    if point.turn == 0:
        return f"\nround {point.round}"
    return str(point.turn) if point.turn % 2 and point is not review.curve[-2] else ""
