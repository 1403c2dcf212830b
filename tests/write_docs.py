"""The docs that come from the code and the zoo's cards; `python -m tests.write_docs` writes them, a test compares."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from sushigo_agents import zoo
from sushigo_experiments.zoo_cards import short_table, table, tables

from sushigo_env.games import GAMES, Entry
from sushigo_env.sushi_go.cards import CARDS, DUMMY, HAND_SIZE, label
from sushigo_env.sushi_go.observation import OBSERVATIONS, layout
from sushigo_env.sushi_go.plays import NUM_PLAYS, PLAYS, WAIT, describe, index

ROOT = Path(__file__).parent.parent

OBSERVATION_HEAD = f"""\
# What a seat sees

Made from the code by `make docs`; do not edit.

An observation is a flat array of bytes, `uint8[D]`. D and the place of each field depend on the table, so look fields
up by name, from `layout(num_players, variant)` in `sushigo_env.sushi_go.observation`:

```python
from sushigo_env.sushi_go.observation import layout

four = layout(4)
four.slices["own_hand"]  # slice(0, 12, None)
# four.read(observation, "tableaus")  # uint8[4, 12], a view
# four.as_dict(observation)  # every field by name
# four.scaled(observation)  # float32[D] in 0 to 1
```

Seats are counted from the viewer: seat 0 is the viewer, seat 1 the left neighbour, and so on; fields of other seats
start with the left neighbour. The dummy comes last. The settings {", ".join(f"`{name}`" for name in OBSERVATIONS)}
fill the same fields: `memory` with what a player who forgets nothing knows, `table` with the own hand and the table
alone, `full` with every hand.

Card types, in the order of every field "by type": {", ".join(f"{i} {label(name)}" for i, name in enumerate(CARDS))}.
"""

ACTIONS_HEAD = f"""\
# What a seat may do

Made from the code by `make docs`; do not edit.

Actions 0 to {NUM_PLAYS - 1} lay one or two cards, in the order told; the mask says which are legal now. Action {WAIT}
is in the two-player variant only. The last column has the cards as they are named in code and in game records.

```python
from sushigo_env.sushi_go import plays

plays.index(["wasabi", "egg_nigiri"])  # {index(["wasabi", "egg_nigiri"])}
plays.describe(92)  # {describe(92)!r}
plays.PLAYS[92]  # {PLAYS[92]}
```

| action | lays | cards |
|---|---|---|
"""


def observation_page() -> str:
    """The tables of fields, for every table that the rules know."""
    tables = [(players, "standard") for players in HAND_SIZE] + [(2, DUMMY)]
    parts = [OBSERVATION_HEAD]
    for players, variant in tables:
        fields = layout(players, variant)
        where = f'{players} players, `variant="{variant}"`: {fields.size} bytes'
        parts.append(f"## {where}\n\n{fields.markdown()}\n")
    return "\n".join(parts)


def actions_page() -> str:
    """The table of actions."""
    named = [", ".join(f"`{card}`" for card in play) for play in PLAYS]
    rows = [f"| {action} | {describe(action)} | {cards} |\n" for action, cards in enumerate(named)]
    return ACTIONS_HEAD + "".join(rows) + f"| {WAIT} | {describe(WAIT)} | |\n"


def environment_page(entry: Entry) -> str:
    """The docstring of a game's door, with its observation's table of fields after that section's first paragraph."""
    summary, _, text = (entry.open().__doc__ or "").partition("\n")
    title, _, says = summary.partition(": ")
    before, heading, after = text.partition("## Observation\n\n")
    paragraph, _, rest = after.partition("\n\n")
    assert heading, f"{entry.door} has no section Observation"
    made = f"<!-- Made from {entry.door} by `make docs`; do not edit. -->"
    top = f"# {title}\n\n{made}\n\n{says[0].upper()}{says[1:]}\n"
    page = f"{top}{before}{heading}{paragraph}\n\n{_fields(entry)}\n\n{rest}"
    return re.sub(r"docs/(\w+\.md)", lambda link: f"[{_title(link[1])}](../{link[1]})", page)


def _fields(entry: Entry) -> str:
    """The table of fields at a table for 4, and for each variant of the fields that it alone has."""
    layout_at = import_module(f"sushigo_env.{entry.name}.observation").layout
    usual, *others = entry.load().variants.items()
    common = layout_at(4, usual[0])
    parts = [f"For 4 players, {common.size} bytes:\n\n{common.markdown()}"]
    for variant, numbers in others:
        players = 4 if 4 in numbers else min(numbers)
        fields = layout_at(players, variant)
        head, rule, *rows = fields.markdown().splitlines()
        own = [row for row, field in zip(rows, fields.fields, strict=True) if field.name not in common.slices]
        told = f'Only with `variant="{variant}"`, here for {players} players, {fields.size} bytes:'
        parts.append("\n".join([f"{told}\n", head, rule, *own]))
    return "\n\n".join(parts)


def _title(page: str) -> str:
    """The heading of a page in docs/, up to a colon."""
    return (ROOT / "docs" / page).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").partition(":")[0]


def agents_page() -> str:
    """The agents' page as it is, with the table of the zoo made anew between its two marks."""
    return _between_marks("agents/README.md", tables(zoo.cards(), table))


def readme() -> str:
    """The README as it is, with its short table of the zoo made anew."""
    return _between_marks("README.md", tables([*zoo.cards("self_play"), *zoo.cards("boat_self_play")], short_table))


def _between_marks(page: str, made: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    made = f"<!-- zoo: made from the cards by `make docs` -->\n{made}\n<!-- /zoo -->"
    found, count = re.subn(r"<!-- zoo: .*?<!-- /zoo -->", lambda _: made, text, flags=re.DOTALL)
    assert count == 1, f"{page} has {count} places for the zoo's table"
    return found


def pages() -> dict[Path, str]:
    """Path -> text of every page made from the code."""
    return {
        ROOT / "docs/observation.md": observation_page(),
        ROOT / "docs/actions.md": actions_page(),
        **{ROOT / f"docs/environments/{entry.name}.md": environment_page(entry) for entry in GAMES.values()},
        ROOT / "agents/README.md": agents_page(),
        ROOT / "README.md": readme(),
    }


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
