"""Hypothesis strategies, all in one place, and the tables that tests run over."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from sushigo_env.sushi_go.cards import CARDS, DUMMY, HAND_SIZE
from tests import boat_agreement, boat_tools


@dataclass(frozen=True)
class Table:
    """A table to play at; printed as the id of a test."""

    num_players: int
    passing: str = "left"
    variant: str = "standard"

    def __str__(self) -> str:
        return "dummy" if self.variant == DUMMY else f"{self.num_players}-{self.passing}"

    @property
    def has_dummy(self) -> bool:
        return self.variant == DUMMY

    @property
    def num_steps(self) -> int:
        """Steps of a game; a turn of the variant has two."""
        return 54 if self.has_dummy else 3 * HAND_SIZE[self.num_players]

    @property
    def settings(self) -> dict[str, object]:
        """Keyword arguments of the engine's constructor."""
        return {"num_players": self.num_players, "passing": self.passing, "variant": self.variant}


TABLES = [Table(players, passing) for players in HAND_SIZE for passing in ("left", "alternate")] + [
    Table(2, variant=DUMMY)
]
"""2 to 5 players, both ways of passing, and the two-player variant."""


def tables() -> st.SearchStrategy[Table]:
    """Any table."""
    return st.sampled_from(TABLES)


def standard_tables() -> st.SearchStrategy[Table]:
    """Any table without the dummy."""
    return st.sampled_from([table for table in TABLES if not table.has_dummy])


def seeds() -> st.SearchStrategy[int]:
    """Any seed the engine takes."""
    return st.integers(0, 2**64 - 1)


def favourites() -> st.SearchStrategy[set[str]]:
    """Cards that all seats lay whenever they can, so that games come out lopsided."""
    return st.sets(st.sampled_from(CARDS), max_size=4)


def boat_tables() -> st.SearchStrategy[tuple[int, str]]:
    """Any table of Sushi Boat: how many players, and the variant."""
    return st.sampled_from(boat_tools.TABLES)


def boat_players() -> st.SearchStrategy[str | list[int]]:
    """How all seats of Sushi Boat choose: a style, or numbers taken in turn, each modulo what is legal."""
    return st.sampled_from(list(boat_agreement.STYLES)) | st.lists(st.integers(0, 119), min_size=1)


def batch_sizes() -> st.SearchStrategy[int]:
    """How many games are played together."""
    return st.integers(1, 200)


def thread_counts() -> st.SearchStrategy[int]:
    """How many threads share a batch."""
    return st.integers(1, 3)


def tables_and_steps() -> st.SearchStrategy[tuple[Table, int]]:
    """A table, and how many steps of a game are taken there before a test looks at it, short of its end."""
    return tables().flatmap(lambda table: st.tuples(st.just(table), st.integers(0, table.num_steps - 1)))


def masks() -> st.SearchStrategy[list[list[bool]]]:
    """Action masks of 1 to 5 seats over 1 to 12 actions, empty rows among them."""
    return st.integers(1, 12).flatmap(
        lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=5)
    )
