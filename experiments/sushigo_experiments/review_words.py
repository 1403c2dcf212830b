"""A review in words, the same on the page and on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from sushigo_env.sushi_go.cards import label
from sushigo_experiments.review import GameReview, Move, SeatReview

MARKS = ((0.10, "blunder"), (0.05, "mistake"), (0.02, "slip"))
"""Chance lost from which a move is called so, if the loss is no matter of chance itself."""
SURE = 2
"""Standard errors that such a loss must have."""


def seat_name(seat: int, players: int) -> str:
    """What a seat is called; the dummy sits behind the players."""
    return f"player_{seat}" if seat < players else "dummy"


def headline(review: GameReview) -> str:
    """Which game it is, and who won it."""
    winners = " and ".join(seat_name(seat, review.players) for seat in review.winners)
    return f"Line {review.line}: {review.players} players, {review.variant}; won by {winners}"


def percent(share: float) -> str:
    """A chance: `12.3%`."""
    return f"{100 * share:.1f}%"


def signed(share: float) -> str:
    """A change of a chance: `+12.3%`, and no sign before a zero."""
    words = f"{100 * share:+.1f}"
    return "0.0%" if float(words) == 0 else f"{words}%"


def points(value: float) -> str:
    """Points: `1.2`, never `-0.0`."""
    words = f"{value:.1f}"
    return "0.0" if float(words) == 0 else words


def cards(names: Sequence[str]) -> str:
    """A play: `Wasabi, then Egg Nigiri`."""
    return ", then ".join(map(label, names))


def played(move: Move) -> str:
    """What was played, and for whom."""
    return f"{cards(move.played)}{' for the dummy' if move.for_dummy else ''}"


def mark(move: Move) -> str:
    """What a move is called for what it lost: `blunder`, `mistake`, `slip` or nothing."""
    if move.chance_lost < SURE * move.chance_error:
        return ""
    return next((name for least, name in MARKS if move.chance_lost >= least), "")


def costly(move: Move) -> str:
    """A costly move: one sentence without its end."""
    return (
        f"round {move.round}, turn {move.turn}: {played(move)}; better {cards(move.best)} "
        f"({percent(move.chance_lost)} and {points(move.points_lost)} points lost)"
    )


def lost(seat: SeatReview) -> str:
    """What a seat's moves lost in all: one sentence without its end."""
    if not seat.own:
        return "lost nothing by its moves"
    return f"lost {percent(-seat.own)} and {points(seat.points_lost)} points by its moves"


def luck(seat: SeatReview) -> str:
    """What the deals did to a seat: one sentence without its end."""
    rounds = ", ".join(map(signed, seat.luck))
    return f"luck of the deals {signed(sum(seat.luck))} ({rounds})"
