"""Compiled: backward induction over the rest of a round, a matrix game at each position.

The walk is depth first, with a frame for each number of turns left. A position with three turns or more is kept with
its value; the last two turns are quicker worked out anew than looked up.
"""

from __future__ import annotations

from sushigo_agents.exact._frames import open_position, payoff_at, place_of, pointers, solve_position
from sushigo_agents.exact._kept import WIDE, find, keep, places_of, twice_as_large
from sushigo_agents.exact._last import margin_of_two, value_of_two
from sushigo_agents.exact._rest import canonical, majorities_of, margin_of_majorities, pointers_to
from sushigo_env._jit import inlined, jit

# mypy: disable-error-code="no-untyped-def"
# (Compiled functions: Numba infers their types; the docstrings give them.)


@jit
def walk(scratch, tables, kept, generation, budget, turns, hand_0, hand_1, table, final, pudding_value):
    """Find all payoffs of a position in canonical form: (how many positions were opened, the table of those kept).

    They are in the frame of its number of `turns` then, unless more than `budget` were opened. `scratch` and `tables`
    are `Frames` and `Effects`, `kept` a table of which this `generation` has nothing yet; a larger one may come back.
    """
    frames, effects, places = pointers(scratch), pointers_to(tables), places_of(kept, generation)
    opened, stored, top = 1, 0, turns
    open_position(frames, effects, turns, hand_0, hand_1, table, 0.0, pudding_value)
    while True:
        cell, columns = frames.cell[turns], frames.counts[2 * turns + 1]
        if cell < frames.counts[2 * turns] * columns:
            i, j = place_of(turns, 0, cell // columns), place_of(turns, 1, cell % columns)
            if turns > 3:
                known, value, child = _look_up(frames, effects, places, turns, i, j, final)
            else:
                known, value = True, _late_value(frames, effects, turns, i, j, final, pudding_value)
            if not known:
                opened += 1
                if opened > budget:
                    return opened, kept
                turns -= 1
                open_position(frames, effects, turns, child[0], child[1], child[2], value, pudding_value)
                continue
        elif turns == top:
            return opened, kept
        else:
            value = solve_position(frames, turns)
            stored += 1
            if 2 * WIDE * stored > len(kept):
                kept = twice_as_large(kept, generation)
                places = places_of(kept, generation)
            keep(places, frames.hands[2 * turns], frames.hands[2 * turns + 1], frames.tables[turns], value)
            value += frames.sure[turns]
            turns += 1
            cell = frames.cell[turns]
        frames.payoff[payoff_at(turns) + cell] = value
        frames.cell[turns] = cell + 1


@inlined
def _majorities_after(frames, turns, i, j):
    """The lead in maki, who has any, and the lead in puddings, after the plays at the places i and j."""
    lead, any_0, any_1, puddings = majorities_of(frames.tables[turns])
    icons_0, icons_1 = frames.icons[i], frames.icons[j]
    puddings += frames.puddings[i] - frames.puddings[j]
    return lead + icons_0 - icons_1, any_0 | (icons_0 > 0), any_1 | (icons_1 > 0), puddings


@jit
def _look_up(frames, effects, places, turns, i, j, final):
    """After the plays at i and j: (whether the value is known, the value or else the margin now sure, the position)."""
    words, hands = (frames.word[i], frames.word[j]), (frames.left[j], frames.left[i])  # hands are passed on
    after = _majorities_after(frames, turns, i, j)
    hand_0, hand_1, table, sure = canonical(turns - 1, hands, words, after, final, effects)
    value = frames.gain[i] - frames.gain[j] + sure
    known, at = find(places, hand_0, hand_1, table)
    if known:
        value += places.values[at + 3]
    return known, value, (hand_0, hand_1, table)


@jit
def _late_value(frames, effects, turns, i, j, final, pudding_value):
    """What the plays at i and j come to with at most three turns left."""
    if turns == 2:
        return margin_of_two(frames, effects, i, j, majorities_of(frames.tables[2]), final, pudding_value)
    after = _majorities_after(frames, turns, i, j)
    margin = frames.gain[i] - frames.gain[j]
    if turns == 1:
        return margin + margin_of_majorities(effects, after, final)
    words, hands = (frames.word[i], frames.word[j]), (frames.left[j], frames.left[i])
    return margin + value_of_two(frames, effects, hands, words, after, final, pudding_value)
