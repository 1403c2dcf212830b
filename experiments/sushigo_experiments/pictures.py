"""Pictures of a tournament and of a training as SVG text, to stand in a page.

Letters and lines take the page's own colour (`currentColor`), so one picture reads in light and in dark; only filled
areas have colours of their own, and numbers on them are black or white, whichever reads better.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sushigo_experiments._extras import needs
from sushigo_experiments.summary import Summary
from sushigo_experiments.training import Training

INK = "#010203"
"""Stands for the page's own colour until the picture is text."""
_LOSES, _FAIR, _WINS = "#c2452d", "#f3ead9", "#1f6f78"
_BAR = "#e8825a"
LINES = ("#2a9aa5", "#e8825a", "#9a7fd1", "#b99a2e", "#d0648f")
"""Of a curve each; they read on white and on black."""
LONG_NAME = 12
"""Letters of an agent's spec above which the names over the columns are slanted."""
POINTS_A_BAR = 2
LABEL_GAP = 6.5
"""Percent of a win share between the labels of two curves, at least."""
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["system-ui", "DejaVu Sans"],
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def win_matrix(summary: Summary) -> str:
    """Heat map of win shares: an agent a row, the field a column, the mixed tables last; numbers in the cells."""
    agents, fair = summary.settings.agents, 1 / summary.settings.players
    order = [row.agent for row in summary.ranking()] + [a for a in agents if summary.row(a, None) is None]
    columns: list[str | None] = [*order, None]
    rows = [[summary.row(agent, field) for field in columns] for agent in order]
    shares = np.array([[np.nan if row is None else row.win_share.mean for row in line] for line in rows])
    with needs("experiments"):
        from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm
    colours = LinearSegmentedColormap.from_list("share", [_LOSES, _FAIR, _WINS])
    norm = TwoSlopeNorm(fair, 0, 1)
    figure, axes = canvas(1.9 + 0.95 * len(columns), 1.0 + 0.62 * len(order))
    edges = (np.arange(size + 1) - 0.5 for size in shares.shape[::-1])
    axes.pcolormesh(*edges, shares, cmap=colours, norm=norm)
    axes.invert_yaxis()
    for (row, column), share in np.ndenumerate(shares):
        if np.isnan(share):
            axes.text(column, row, "-", ha="center", va="center", color=INK)
            continue
        ink = _readable_on(colours(norm(share)))
        axes.text(column, row, f"{100 * share:.1f}", ha="center", va="center", color=ink, fontsize=12)
    slanted = {"rotation": 30, "ha": "left"} if max(map(len, agents)) > LONG_NAME else {}
    axes.set_xticks(range(len(columns)), [field or "mixed" for field in columns], **slanted)
    axes.set_yticks(range(len(order)), order)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.axvline(len(order) - 0.5, color=INK, linewidth=1.5)
    axes.spines[:].set_visible(False)
    return svg(figure, "matrix", summary.settings)


def score_distributions(summary: Summary) -> str:
    """Final totals at the mixed tables: a histogram an agent, best win share first, the mean as a line."""
    ranking = [row.agent for row in summary.ranking()]
    totals = [summary.totals[agent] for agent in ranking]
    low = min(int(values.min()) for values in totals)
    high = max(int(values.max()) for values in totals)
    bins = np.arange(low, high + 1 + POINTS_A_BAR, POINTS_A_BAR) - 0.5
    figure, axes = canvas(7.2, 1.0 + 0.7 * len(ranking))
    for place, values in enumerate(totals):
        _ridge(axes, len(ranking) - 1 - place, values, bins)
    axes.set_yticks(range(len(ranking)), ranking[::-1])
    axes.set_ylim(-0.15, len(ranking) - 0.05)
    axes.set_xlim(low - 1, high + 4)
    axes.set_xlabel("final total, points")
    axes.tick_params(axis="y", length=0)
    axes.spines[["left", "right", "top"]].set_visible(False)
    return svg(figure, "totals", summary.settings)


def learning_curve(training: Training) -> str:
    """Win shares against each field over the minutes of a training; above, the decisions learned from."""
    minutes = np.array([point.seconds / 60 for point in training.points])
    decisions = np.array([point.decisions / 1e6 for point in training.points])
    figure, axes = canvas(7.6, 4.0)
    ends = {spec: 100 * training.points[-1].shares[spec] for spec in training.fields}
    heights = _apart(ends, LABEL_GAP)
    for place, (spec, end) in enumerate(ends.items()):
        colour, height = LINES[place % len(LINES)], heights[spec]
        shares = [100 * point.shares.get(spec, np.nan) for point in training.points]
        axes.plot(minutes, shares, color=colour, linewidth=2, marker="o", markersize=4, clip_on=False)
        beside = axes.get_yaxis_transform()
        axes.plot([1.03], [height], "s", color=colour, markersize=7, transform=beside, clip_on=False)
        axes.text(1.05, height, f"{spec} {end:.1f}%", transform=beside, va="center", color=INK, fontsize=11)
    fair = 100 / training.players
    axes.axhline(fair, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.text(0.01, fair + 1, "fair share", transform=axes.get_yaxis_transform(), color=INK, fontsize=9)
    axes.set_xlim(0, minutes[-1])
    axes.set_ylim(0, 100)
    axes.set_xlabel("minutes of playing and learning")
    axes.set_ylabel("win share, %")
    _decisions_above(axes, minutes, decisions)
    axes.spines[["right", "top"]].set_visible(False)
    return svg(figure, "learning", training)


def _apart(values: dict[str, float], gap: float) -> dict[str, float]:
    """`values` moved as little down as leaves `gap` between every two, the highest first."""
    moved: dict[str, float] = {}
    last = np.inf
    for name in sorted(values, key=lambda name: -values[name]):
        last = moved[name] = min(values[name], last - gap)
    return moved


def _decisions_above(axes: Any, minutes: NDArray[np.float64], decisions: NDArray[np.float64]) -> None:
    """A second scale over the picture: the decisions (millions) at each minute."""
    below, above = ([0.0, *values, 2 * values[-1]] for values in (minutes, decisions))  # on beyond the end
    scale = axes.secondary_xaxis(
        "top", functions=(lambda x: np.interp(x, below, above), lambda x: np.interp(x, above, below))
    )
    scale.set_xlabel("million decisions learned from", color=INK, fontsize=11)
    scale.tick_params(colors=INK, labelsize=11)
    scale.spines["top"].set_color(INK)


def _ridge(axes: Any, base: int, values: NDArray[np.int32], bins: NDArray[np.floating[Any]]) -> None:
    """One agent's histogram of `values`, its floor at `base`."""
    counts, _ = np.histogram(values, bins)
    heights = 0.82 * counts / counts.max()
    axes.stairs(base + heights, bins, baseline=base, fill=True, color=_BAR, linewidth=0)
    mean = float(values.mean())
    axes.plot([mean, mean], [base, base + 0.82], color=INK, linewidth=1.2)
    axes.text(bins[-1], base + 0.1, f"{mean:.1f}", ha="left", color=INK)


def canvas(width: float, height: float) -> tuple[Any, Any]:
    """An empty picture of so many inches, and its axes."""
    with needs("experiments"):
        import matplotlib
        from matplotlib.figure import Figure
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots()


def svg(figure: Any, name: str, shown: object) -> str:
    """The picture as an `<svg>` element that is the same every time; `shown` tells it from others of its name."""
    import matplotlib

    out = io.StringIO()
    with matplotlib.rc_context(_STYLE | {"svg.hashsalt": f"{name} {shown}"}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor")


def _readable_on(colour: tuple[float, ...]) -> str:
    """Black or white, whichever has more contrast (as WCAG 2 reckons it) on `colour` (red, green, blue in 0 to 1)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    luminance = float(np.dot([0.2126, 0.7152, 0.0722], linear))
    return "#ffffff" if luminance < 0.179 else "#000000"
