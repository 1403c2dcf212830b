"""A tournament and a training in sentences, and the curve of how an agent learned."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from sushigo_agents import zoo  # noqa: E402
from sushigo_experiments import report  # noqa: E402
from sushigo_experiments.pictures import LABEL_GAP, learning_curve  # noqa: E402
from sushigo_experiments.statistics import Estimate  # noqa: E402
from sushigo_experiments.story import Story, about, growth, results_of, verdict  # noqa: E402
from sushigo_experiments.training import Point, Training, read_training  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402
from tests.small_tournaments import SETTINGS, First, Uniform, played  # noqa: E402

POINTS = (Point(30.0, 2_000_000, {"random": 0.9, "greedy": 0.4}), Point(90.0, 7_250_000, {"random": 1, "greedy": 0.99}))
TRAINING = Training("uniform", "quickstart", 3, ("greedy",), 1, POINTS)


def test_a_verdict_is_sure_only_where_intervals_lie_apart() -> None:
    summary = played(SETTINGS)
    first, second = summary.ranking()
    high, low = Estimate(0.8, 0.7, 0.9), Estimate(0.5, 0.4, 0.6)
    apart = replace(first, win_share=high), replace(second, win_share=low)
    assert verdict(replace(summary, rows=apart)) == (
        f"At tables for 3, {first.agent} comes first with 80.0% (70.0 to 90.0), "
        f"then {second.agent} with 50.0% (40.0 to 60.0)."
    )
    near = apart[0], replace(second, win_share=Estimate(0.5, 0.4, 0.71))
    assert verdict(replace(summary, rows=near)).endswith("(40.0 to 71.0); that is too close to be sure.")


def test_a_renamed_agent_is_called_so_everywhere() -> None:
    summary = played(SETTINGS)
    story = Story({"uniform": "anyhow"}, {"uniform": "Plays anything."}, TRAINING)
    shown = story.renamed(summary)
    assert "uniform" not in json.dumps(shown.as_json())
    assert set(shown.totals) == {"anyhow", "first"}
    assert re.fullmatch(r"At tables for 3, anyhow has \d+\.\d% against first\.", results_of("anyhow", shown))
    page = report.render_report([summary], story)
    assert "<dt>anyhow</dt><dd>Plays anything.</dd>" in page
    assert re.findall(r".*uniform.*", page) == [
        "      <dt>player</dt><dd><code>uniform</code></dd>",
        "      <dt>again</dt><dd><code>sushigo arena uniform first --players 3 --deals 40 --seed 5</code></dd>",
    ]


def test_how_an_agent_grew_is_one_sentence() -> None:
    assert growth(TRAINING) == (
        "Trained from nothing by playing against itself and greedy: 7.25 M decisions in 1.5 minutes of playing and "
        "learning on 1 core."
    )


def test_who_an_agent_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert about("uniform", Uniform()) == "A random player."
    nobody: Any = type("Nobody", (), {})
    assert about("nobody", nobody()) == ""
    assert about("zoo:new", First()) == "Trained before, and shipped with this package."
    card = zoo.Card("new", "sushi_go", 2, "standard", {}, 60_000_000, 9.0, "a machine", "0", "", 1, "2025-01-01")
    monkeypatch.setattr(zoo, "cards", lambda name: [card, replace(card, num_players=4, decisions=90_000_000)])
    assert about("zoo:new", First()).endswith(": 60 M decisions for 2 and 90 M decisions for 4 players.")


@pytest.mark.parametrize("points", [POINTS, POINTS[:1]])
def test_a_learning_curve_names_every_field_and_the_labels_lie_apart(points: tuple[Point, ...]) -> None:
    training = replace(TRAINING, points=points)
    curve = learning_curve(training)
    assert curve == learning_curve(training)
    heights = []
    for spec, share in points[-1].shares.items():
        (label,) = re.findall(rf'<text[^>]*y="([\d.]+)"[^>]*>{spec} {100 * share:.1f}%</text>', curve)
        heights.append(float(label))
    (top,), (bottom,) = (re.findall(rf'<text[^>]*y="([\d.]+)"[^>]*>{end}</text>', curve) for end in (100, 20))
    percent = (float(bottom) - float(top)) / 80
    assert abs(heights[1] - heights[0]) >= (LABEL_GAP - 0.1) * percent
    assert "currentColor" in curve


def test_a_folder_that_tells_of_no_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="no run's folder"):
        read_training(tmp_path, "quickstart", 2)
    (tmp_path / "settings.json").write_text('{"settings": {"num_players": 2, "league": {"anchors": []}}}')
    (tmp_path / "log.jsonl").write_text('{"iteration": 1}\n')
    with pytest.raises(SettingError, match="before its first evaluation"):
        read_training(tmp_path, "quickstart", 2)
