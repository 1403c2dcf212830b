"""The command, run for tests."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from sushigo_app.main import app
from typer.testing import CliRunner

CASES = Path(__file__).parent / "cases" / "games.jsonl"
MAIN = "from sushigo_app.main import main; main()"
"""What the installed script does."""


def sushigo(*args: object, width: int = 160) -> Any:
    """The command, run in this process on a screen of `width` columns."""
    return CliRunner().invoke(app, [str(arg) for arg in args], prog_name="sushigo", env={"COLUMNS": str(width)})


def in_a_shell(
    command: str, folder: Path | None = None, width: int = 80, **more: str
) -> subprocess.CompletedProcess[bytes]:
    """A line of shell in which `sushigo` is the command, run for its exit code and output; nothing else is set up."""
    line = command.replace("sushigo", f"{shlex.quote(sys.executable)} -P -c {shlex.quote(MAIN)}")
    settings = environment(COLUMNS=str(width), **more)
    return subprocess.run(line, shell=True, capture_output=True, cwd=folder, env=settings, timeout=300)


def refusal(result: Any, code: int = 1) -> str:
    """The one sentence on standard error of a run that failed in the way it should."""
    assert result.exit_code == code, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more
