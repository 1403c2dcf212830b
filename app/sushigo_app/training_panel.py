"""How a training goes, while it goes: a live panel on a terminal, else a line now and then."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel as Box
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from sushigo_app.console import notes

if TYPE_CHECKING:
    from sushigo_train.recipes import Recipe

LINE_EVERY = 15.0
"""Seconds between lines where there is no terminal; evaluations are always told."""
BLOCKS = "▁▂▃▄▅▆▇█"
SHARE = "/win_share"


class Panel:
    """Told every line of a run's log, it shows how far the run is, how fast, and how strong the player has become."""

    def __init__(self, recipe: Recipe, run: Path, quiet: bool = False) -> None:
        self._recipe, self._run, self._console = recipe, run, notes()
        self._live: Live | None = None
        if self._console.is_terminal and not quiet:
            self._live = Live(console=self._console, auto_refresh=False)
        self._quiet, self._told = quiet, 0.0
        self._first: tuple[float, float] | None = None
        self._entry: dict[str, Any] = {}
        self._shares: dict[str, list[float]] = {}
        self._bar = Progress(TextColumn("{task.description}"), BarColumn(None), TextColumn("{task.percentage:.0f}%"))
        self._task = self._bar.add_task("training", total=1.0)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
            self._live.update(Box("compiling and playing the first games", title=self._title()), refresh=True)
        return self

    def __exit__(self, *raised: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, entry: dict[str, Any]) -> None:
        """Take in a line of the log, or which checkpoints were `refused`.

        Where nobody reads any more (`| head`) it goes quiet: that is no reason to lose a training.
        """
        try:
            self._show(entry)
        except OSError:
            self._quiet, self._live = True, None

    def _show(self, entry: dict[str, Any]) -> None:
        for sentence in entry.get("refused", ()):
            self._console.print(f"{sentence} The one before it is used.", highlight=False, soft_wrap=True, markup=False)
        if "decisions" not in entry:
            return
        self._entry |= entry
        shares = {name.removesuffix(SHARE): value for name, value in entry.items() if name.endswith(SHARE)}
        for spec, value in shares.items():
            self._shares.setdefault(spec, []).append(value)
        now = time.monotonic()
        if self._live is not None:
            self._live.update(Box(self._body(now), title=self._title()), refresh=True)
        elif not self._quiet and (shares or now - self._told > LINE_EVERY):
            self._told = now
            self._console.print(self._line(now), highlight=False, soft_wrap=True, markup=False, emoji=False)

    @property
    def past(self) -> float:
        """How much of the run is over, 0 to 1: as the run tells, or by decisions."""
        by_decisions = min(1.0, float(self._entry.get("decisions", 0)) / self._recipe.settings.decisions)
        return float(self._entry.get("past", by_decisions))

    def _left(self, now: float) -> str:
        """Time left, by how fast this part of the run went."""
        past = self.past
        if self._first is None:
            self._first = (now, past)
        since, before = self._first
        if past >= 1 or past <= before:
            return "" if past < 1 else "done"
        seconds = int((now - since) / (past - before) * (1 - past))
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} left"

    def _title(self) -> str:
        return f"{escape(self._recipe.name)}: {self._recipe.settings.num_players} players, {escape(str(self._run))}"

    def _speed(self) -> str:
        return (
            f"{self._entry.get('decisions', 0) / 1e6:.2f} M decisions, {self._entry.get('decisions_per_s', 0):,.0f}/s"
        )

    def _line(self, now: float) -> str:
        shares = [f"{100 * found[-1]:.1f}% against {spec}" for spec, found in self._shares.items()]
        parts = [f"{100 * self.past:.0f}%", self._speed(), self._left(now), *shares]
        return ", ".join(part for part in parts if part)

    def _body(self, now: float) -> Group:
        self._bar.update(self._task, completed=self.past, description=self._left(now) or "training")
        parts: list[Any] = [self._bar, Text(self._speed())]
        learning = {name: self._entry[name] for name in ("entropy", "kl", "explained_variance") if name in self._entry}
        if learning:
            parts.append(Text(", ".join(f"{name.replace('_', ' ')} {v:.3g}" for name, v in learning.items()), "dim"))
        if self._shares:
            table = Table("against", "win share", "so far", box=None, pad_edge=False)
            for spec, found in self._shares.items():
                table.add_row(escape(spec), f"{100 * found[-1]:.1f}%", sparkline(found))
            parts.append(table)
        return Group(*parts)


def sparkline(shares: list[float], width: int = 40) -> str:
    """The last `width` of some shares (0 to 1), a block each."""
    return "".join(BLOCKS[min(int(share * len(BLOCKS)), len(BLOCKS) - 1)] for share in shares[-width:])
