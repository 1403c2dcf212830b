"""The page that tells a tournament, and figures in words."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.conftest import need

need("scipy", "jinja2", "matplotlib")

from sushigo_experiments import report  # noqa: E402
from sushigo_experiments.settings import Settings  # noqa: E402
from sushigo_experiments.statistics import Estimate  # noqa: E402
from sushigo_experiments.words import against_fair, command, percent, points  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402
from tests.small_tournaments import SETTINGS, First, Uniform, played  # noqa: E402


def test_the_page_stands_alone_and_tells_all(tmp_path: Path) -> None:
    summary = played(Settings(("uniform", "my:<First>"), players=3, deals=40))
    page = report.render_report([summary])
    assert page == report.render_report([summary])
    assert page.count("<svg") == 2
    assert not re.search(r"(src|href)=\"(?!#)|<script|@import|url\((?!#)", page.replace("xlink:href", "href"))
    assert "my:&lt;First&gt;" in page
    assert "my:<First>" not in page
    for row in summary.rows:
        assert percent(row.win_share).mean in page
        assert percent(row.win_share).interval in page
        assert points(row.score).interval in page
    assert f"{100 * summary.rows[0].win_share.mean:.1f}</text>" in page  # the number in the heat map
    assert "--players 3 --deals 40 --seed 0" in page
    assert "{{" not in page


def test_a_page_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = played(SETTINGS)
    page = tmp_path / "report.html"
    page.write_text("the old one")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(SettingError, match=r"cannot write .*report\.html: no space left on device"):
        report.write_report(page, [summary])
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]
    assert page.read_text() == "the old one"


def test_a_page_of_a_single_deal_and_absent_agents() -> None:
    settings = Settings(("uniform", "first", "third"), players=2, deals=1)
    summary = played(settings, agents=[Uniform(), First(), First()])
    assert len(summary.ranking()) == 2  # one deal seats two of the three
    page = report.render_report([summary])
    assert page.count("<svg") == 2
    assert "nan" not in page.lower().split("<body>")[1]


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    for asked in (report.check_installed, lambda: report.render_report([])):
        with pytest.raises(SettingError, match=r"needs jinja2, .*pip install 'sushigo-env\[experiments\]'"):
            asked()


def test_words() -> None:
    assert percent(Estimate(0.2614, 0.25, 0.27)) == ("26.1%", "25.0 to 27.0")
    assert points(Estimate(-3.14, None, None)) == ("-3.1", "")
    assert [against_fair(Estimate(0.3, *ends), 4) for ends in ((0.26, 0.4), (0.2, 0.4), (0.1, 0.2))] == [
        "above",
        "",
        "below",
    ]
    assert command(SETTINGS) == "sushigo arena uniform first --players 3 --deals 40 --seed 5"
