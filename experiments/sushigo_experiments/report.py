"""The page that tells a tournament: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sushigo_env import games
from sushigo_experiments import _extras, statistics
from sushigo_experiments._version import version
from sushigo_experiments.files import write_text
from sushigo_experiments.pictures import learning_curve, score_distributions, win_matrix
from sushigo_experiments.statistics import CONFIDENCE
from sushigo_experiments.story import Story, growth, results_of, verdict
from sushigo_experiments.summary import Summary
from sushigo_experiments.templating import templates
from sushigo_experiments.words import against_fair, command, of_game, percent, points, table_of


def check_installed() -> None:
    """`SettingError` if what pages are made with is missing; to be asked before hours of games."""
    _extras.check_installed("experiments", "jinja2", "matplotlib")
    statistics.check_installed()


def write_report(path: Path, summaries: Sequence[Summary], story: Story | None = None) -> None:
    """Write the page of one or more tournaments to `path`; `SettingError` if it cannot be written."""
    write_text(path, render_report(summaries, story))


def render_report(summaries: Sequence[Summary], story: Story | None = None) -> str:
    """The page as text, with what `story` tells before the figures."""
    pages = templates()
    pages.filters |= {"percent": percent, "points": points, "table_of": table_of, "of_game": of_game}
    pages.globals["against_fair"] = against_fair
    story = story or Story()
    shown = [story.renamed(summary) for summary in summaries]
    return pages.get_template("report.html").render(
        tournaments=[
            {
                "summary": s,
                "matrix": win_matrix(s),
                "distributions": score_distributions(s),
                "command": command(summary.settings),
            }
            for s, summary in zip(shown, summaries, strict=True)
        ],
        verdicts=[verdict(s) for s in shown],
        about=[(story.name(spec), words) for spec, words in story.about.items()],
        training=_training(story, shown),
        title=" and ".join(dict.fromkeys(games.find(s.settings.game).title for s in shown)),
        version=version(),
        confidence=f"{CONFIDENCE:.0%}",
    )


def _training(story: Story, shown: Sequence[Summary]) -> dict[str, Any] | None:
    """What the page tells of a training, if there was one."""
    training = story.training
    if training is None:
        return None
    name = story.name(training.policy)
    tables = [s for s in shown if name in s.settings.agents]
    return {
        "told": training,
        "name": name,
        "growth": growth(training),
        "results": [results_of(name, s) for s in tables],
        "curve": learning_curve(training),
    }
