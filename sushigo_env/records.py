"""Records of games as lines of JSON: what their forms have in common, whatever the game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sushigo_env.errors import RecordError


def to_line(record: Mapping[str, Any]) -> str:
    """A record as one line of JSON, without the line's end."""
    return json.dumps(record, separators=(",", ":"))


def read_line(line: str, where: str, game: str, format_: int, parts: Sequence[str]) -> dict[str, Any]:
    """A line of JSON as a record of `game` in its `format_`; `RecordError` naming `where` if it is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not valid JSON ({error}).") from None
    if not isinstance(record, dict):
        raise RecordError(f"{where}: a record is a JSON object, not {type(record).__name__}.")
    if record.get("game") != game:
        raise RecordError(f"{where}: game must be {game!r}, not {record.get('game')!r}.")
    if record.get("format") != format_ or type(record["format"]) is not int:
        raise RecordError(f"{where}: format must be {format_}, not {record.get('format')!r}.")
    missing = [part for part in parts if part not in record]
    if missing:
        raise RecordError(f"{where}: the record lacks {', '.join(missing)}.")
    return record


def compare(record: Mapping[str, Any], found: dict[str, Any], where: str) -> None:
    """`RecordError` unless the record has no `result`, or the one `found` by playing it."""
    if "result" not in record or record["result"] == found:
        return
    given = record["result"]
    if not isinstance(given, Mapping):
        raise RecordError(f"{where}: result must be a JSON object, not {given!r}.")
    for part, value in found.items():
        if given.get(part) != value:
            at, said, right = _difference(given.get(part), value)
            raise RecordError(f"{where}: result says {part}{at} {said!r}, but the plays come to {right!r}.")
    extra = sorted(set(given) - set(found))
    raise RecordError(f"{where}: result has parts it should not have: {', '.join(extra)}.")


def _difference(given: Any, found: Any) -> tuple[str, Any, Any]:
    """The first place where two nested values differ, as `[0]["maki"]`, and what stands there in each."""
    same_kind = type(given) is type(found)
    if same_kind and isinstance(found, dict) and given.keys() == found.keys():
        keys: list[Any] = list(found)
    elif same_kind and isinstance(found, list) and len(given) == len(found):
        keys = list(range(len(found)))
    else:
        return "", given, found
    key = next(key for key in keys if given[key] != found[key])
    at, said, right = _difference(given[key], found[key])
    return f"[{key!r}]{at}", said, right
