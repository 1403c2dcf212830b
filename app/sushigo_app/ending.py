"""How the command ends: with exit code 0 and its work done, or with one line on standard error."""

from __future__ import annotations

import io
import os
import sys
from typing import Any, NoReturn

import typer
from sushigo_agents.files import in_words
from typer.core import TyperGroup

from sushigo_env.errors import SushiGoError

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
"""Exit codes: the work could not be done; the command line is wrong; Ctrl-C."""
_UsageError: Any = typer.BadParameter.__base__  # what is wrong with a command line; the class has no public name


class SentenceGroup(TyperGroup):
    """Commands that say what went wrong in one line on standard error, and exit with 0 only when their work is done.

    Where nobody reads the output any more (`| head`) they stop without a word, as is usual, with `FAILED`.
    """

    def main(self, *args: Any, **settings: Any) -> NoReturn:
        """Run a command line and exit."""
        if sys.stdout is None:
            sys.exit(_say("standard output is closed.", FAILED))
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a name in other letters than the terminal's is no reason to fail
        try:
            code = super().main(*args, **settings | {"standalone_mode": False})
            sys.stdout.flush()
        except _UsageError as error:
            code = _say(_usage(error), MISUSED)
        except OSError as error:
            if error.filename is not None:  # no word of standard output: commands tell of their files themselves
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python tries to write the rest again
            quiet = isinstance(error, BrokenPipeError)
            code = FAILED if quiet else _say(f"cannot write to standard output: {in_words(error)}.", FAILED)
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except SushiGoError as error:
            code = _say(str(error), FAILED)
        except MemoryError:
            code = _say("there is not enough memory for this; ask for fewer games or deals.", FAILED)
        except KeyboardInterrupt:
            code = _say("interrupted.", INTERRUPTED)
        except SystemExit as error:
            if error.code:
                raise
            code = _say("something ended the program by sys.exit before its work was done.", FAILED)
        raise typer.Exit(code)


def _say(sentence: str, code: int) -> int:
    """Print an error as one line; gives `code` back."""
    typer.echo(f"error: {' '.join(sentence.splitlines())}", err=True)
    return code


def _usage(error: Any) -> str:
    """What is wrong with a command line, and where to read how it is written."""
    words = error.format_message().rstrip(".")
    where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
    return f"{words[:1].lower()}{words[1:]}{where}."
