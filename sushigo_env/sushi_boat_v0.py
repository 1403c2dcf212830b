"""Sushi Boat: sushi comes past on a belt; take a seat, take a plate; 2 to 5 players, one decision at a time.

## Usage

```python
from sushigo_env import sushi_boat_v0

env = sushi_boat_v0.env(num_players=4)  # PettingZoo AEC
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
```

Many games at once; in each, whoever's turn it is moves:

```python
import numpy as np
from sushigo_env import sushi_boat_v0

rng = np.random.default_rng(7)
vec = sushi_boat_v0.vector_env(num_envs=64, num_players=4)
vec.reset(seed=7)
while vec.agents:
    masks = vec.observe()["action_mask"]  # int8[64, 119]; "observation" is uint8[64, 706]
    vec.step((rng.random(masks.shape) * masks).argmax(axis=1))
wins = vec.rewards["player_0"]  # float32[64], readable until the next reset
```

`vec.to_move` tells whose turn it is in each game, -1 where it is over; what `vec.step` gets for such a game is ignored.
There are no dead steps: when the last game is over `vec.agents` is empty, and the rewards stay until `reset()`.
`vec.observe("player_1")` is what that seat sees in each game, whoever's turn it is; `observe_all()` and
`step_all(actions)` have an axis more, the seats, and what a seat that waits plays is ignored.

| call | gives |
|---|---|
| `env(...)` | PettingZoo AEC; an illegal action loses the game |
| `raw_env(...)` | the same, but an illegal action raises an error; for those who put wrappers on top |
| `parallel_env(...)` | an error: turns are taken one by one, so nobody acts at once |
| `vector_env(num_envs, ...)` | the AEC cycle over many games at once, for training |
| `gymnasium.make("sushigo_env/SushiBoat-v0", ...)` | Gymnasium: one learner, named opponents |
| `gymnasium.make_vec("sushigo_env/SushiBoat-v0", num_envs, ...)` | the same over many games at once |
| `sb3_vec_env(num_games, ...)` | Stable-Baselines3's `VecEnv`: one learner a game (docs/sb3.md) |
| `pettingzoo.make("aec", "sushigo_env/sushi_boat-v0", ...)` | `env(...)` |

| setting | values, the default first |
|---|---|
| `num_players` | 4, or 2, 3, 5 |
| `variant` | "standard", or "menus": secret menus give points at the end |
| `observation` | "memory": all that was once public, own secrets; "strict": what lies open; "full": all secrets too |
| `reward` | "win", or "rank", "score", "margin"; see Rewards |
| `illegal` | "terminate": a masked action loses the game; "raise": it is an error (`raw_env` and `vector_env`) |
| `obs` | "dict": `{"observation", "action_mask"}`, or "flat": the observation alone |
| `dtype` | "uint8": counts, or "float32": each divided by its largest value |
| `render_mode` | None, or "ansi": `render()` returns text; "human": it is printed |
| `config` | None: the reconstructed values; or a `sushi_boat.cards.Config` with others (docs/sushi_boat.md) |

`reset(seed=s)` begins the game of seed s, and every `reset()` after it the next game of that seed. Game i of a batch
that was reset with seed s is the game of seed s + i.

## Specs

| | 2 players | 3 | 4 | 5 |
|---|---|---|---|---|
| agents | `player_0`, `player_1` | to `player_2` | to `player_3` | to `player_4` |
| cards in the deck, which are turns | 20 | 24 | 24 | 25 |
| decisions of a game, all seats at random | 135 | 170 | 181 | 198 |
| bytes of an observation | 542 | 624 | 706 | 788 |
| the same with menus | 625 | 728 | 831 | 934 |
| actions | 119 | 119 | 119 | 119 |
| the same with menus | 122 | 122 | 122 | 122 |

One seat decides at a time; in a turn it decides several times, and a challenge asks the others too. An action mask is
int8, all zeros for a seat that is not to move. `state()` is the whole table under every setting, as "memory" shows it
to `player_0`, without what is anyone's secret.

## Rules and readings

The rules of the box, as far as the text at hand tells them. What it has lost is reconstructed, and agrees with all that
the text says. Which spaces a seat touches, how many there are of each plate and side dish, and the points stand in
`sushi_boat.cards.Config`, so that an owner of the box can put the printed values in; the belt, the types of plates and
the kinds of side dishes and menus are fixed. All of it, with reasons and rulings: docs/sushi_boat.md.

Most points win, then most yen, then the victory is shared.

Nobody peeks: the guesses of a challenge are seen by nobody else until the players with a Takoyaki guess, and menus by
nobody else until the end, neither in an observation or a reward, nor in `state()` or a rendering.

## Observation

Bytes by field. `env.unwrapped.layout.slices["belt"]` finds a field at any table, and
`print(env.unwrapped.layout.markdown())` tells all of them. Seats are counted from the viewer, who is seat 0; the left
neighbour is seat 1. A plate is shown as 12 bytes: one of 5 colours, one of 7 types.

Menus add `menus`, `menus_held`, `offered` and `menu_deck_left`. Under "strict" there are zeros for plates in the
tunnel, types below the top of a stack, `points` until the game is over, the discard pile below its top, `bag` and
`pool`; who plays a Miso Soup sees the own stack to the end of that turn. With `reward="score"` the rewards tell points
as they come, and with them of types that "strict" hides.

## Actions

| actions | mean |
|---|---|
| 0 | reveal the top card |
| 1 to 9 | go to a place, or take the seat of who sits there |
| 10 to 13 | visit the staff, buy the top side dish, take a yen, pass |
| 14 to 27 | a space of the belt: to eat from, or for what a dish or the staff asks |
| 28 to 29 | eat nothing, end the turn |
| 30 | special order |
| 31 to 39 | play a side dish, decline to |
| 40 to 64 | a plate from the Trash, by kind (Neko) |
| 65 to 72 | a tile to swap with (Momoko) |
| 73 to 76 | one of two plates, to the top or the bottom (Satsuki) |
| 77 to 86 | two colours (Fugu) |
| 87 to 105 | how deep the top plate goes (Mochi) |
| 106 to 113 | discard a side dish |
| 114 to 118 | guess a colour |
| 119 to 121 | with menus only: order a menu, keep the first, keep the second |

`env.unwrapped.game.describe_action(action)` tells an action in words (docs/sushi_boat.md lists all).

## Rewards

| `reward` | when | what |
|---|---|---|
| "win" | at the end | the winners share 1, the others share -1; 0 each if all have won |
| "rank" | at the end | 1 for the first to -1 for the last, evenly spaced; ties share their places |
| "score" | as scored | points of runs, sets, Gyoza, cubes as they come and go, the rest at the end; sums to the total |
| "margin" | at the end | own total less the best opponent's |

## Termination

After the turn in which the last card was revealed, for all seats at once; never truncated. With illegal="terminate", an
action that is in range but masked ends the game at once: -1 for whoever chose it, 0 for the others. Actions out of
range or of the wrong type, out of turn, before `reset()` or after the end always raise an error of
`sushigo_env.errors`.

## Version history

- v0: the first version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:  # an environment's modules are imported when one is made, so that importing this one is quick
    from gymnasium.vector import AutoresetMode

    from sushigo_env.api.aec import AEC
    from sushigo_env.api.gym_vector import GymVector
    from sushigo_env.api.opponents import Opponents
    from sushigo_env.api.sb3_vec import SB3VecEnv
    from sushigo_env.api.single_agent import SingleAgent
    from sushigo_env.api.vector_aec import SequentialVectorEnv
    from sushigo_env.sushi_boat.cards import Config
    from sushigo_env.sushi_boat.game import SushiBoat

__all__ = ["env", "gymnasium_env", "gymnasium_vector_env", "parallel_env", "raw_env", "sb3_vec_env", "vector_env"]

NAME = "sushi_boat_v0"


def env(
    num_players: int = 4,
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "terminate",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
    config: Config | None = None,
) -> AEC:
    """PettingZoo's AEC environment, which checks order, bounds and masks itself; `SettingError` for a bad setting."""
    from sushigo_env.api.aec import AEC
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    return AEC(_game(1, num_players, variant, observation, config), settings, NAME)


def raw_env(
    num_players: int = 4,
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "raise",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
    config: Config | None = None,
) -> AEC:
    """`env` with errors for illegal actions; PettingZoo's wrappers can be put on it."""
    return env(num_players, variant, observation, reward, illegal, render_mode, obs, dtype, config)


def parallel_env(*args: Any, **settings: Any) -> NoReturn:
    """`SettingError`, whatever the settings: nobody acts at once here."""
    from sushigo_env.errors import SettingError

    raise SettingError(
        "in Sushi Boat turns are taken one by one, so there is no Parallel environment; use env, or vector_env for "
        "many games."
    )


def vector_env(
    num_envs: int = 1024,
    num_players: int = 4,
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "raise",
    obs: str = "dict",
    dtype: str = "uint8",
    tensors: str = "numpy",
    num_threads: int = 1,
    config: Config | None = None,
) -> SequentialVectorEnv:
    """The AEC cycle over `num_envs` games, with arrays (or `tensors="torch"`) that have a batch axis.

    In each game the seat to move, `to_move[B]`, plays its entry of `step(actions[B])`; `observe()` is what it sees.
    Rewards are read from `rewards` after each step; those of the last stay until `reset()`. `SettingError` for a bad
    setting.
    """
    from sushigo_env.api.settings import Settings
    from sushigo_env.api.vector_aec import SequentialVectorEnv

    settings = Settings(reward, illegal, None, obs, dtype)
    game = _game(num_envs, num_players, variant, observation, config, num_threads)
    return SequentialVectorEnv(game, settings, NAME, tensors)


def gymnasium_env(
    num_players: int = 4,
    variant: str = "standard",
    observation: str = "memory",
    opponents: Opponents = "random",
    seat: int | str = 0,
    reward: str = "win",
    illegal: str = "terminate",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
    config: Config | None = None,
) -> SingleAgent:
    """Gymnasium's environment of one learner: what `gymnasium.make("sushigo_env/SushiBoat-v0", ...)` makes.

    `opponents` is a spec such as "greedy" or an agent, for all other seats, a list of one for each, from the learner's
    left, or a mixture such as `{"greedy": 0.7, "random": 0.3}`, of which each episode draws one. `seat` is the
    learner's, or "rotate": (s + k) mod P in the k-th episode after `reset(seed=s)`. `SettingError` for a bad setting,
    `AgentError` for an agent that is unknown, fails to load, or plays at other tables.
    """
    from sushigo_env.api.settings import Settings
    from sushigo_env.api.single_agent import SingleAgent

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    return SingleAgent(_game(1, num_players, variant, observation, config), settings, NAME, opponents, seat)


def gymnasium_vector_env(
    num_envs: int = 1,
    num_players: int = 4,
    variant: str = "standard",
    observation: str = "memory",
    opponents: Opponents = "random",
    seat: int | str = 0,
    reward: str = "win",
    illegal: str = "terminate",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
    autoreset_mode: str | AutoresetMode = "NextStep",
    num_threads: int = 1,
    config: Config | None = None,
) -> GymVector:
    """`gymnasium_env` over many games: what `gymnasium.make_vec("sushigo_env/SushiBoat-v0", num_envs, ...)` makes.

    `autoreset_mode` is one of Gymnasium's `AutoresetMode`s or its value. In mode NEXT_STEP the mask after a game's end
    is all zeros, and the next action of that game is ignored: it begins the next game. Errors as for `gymnasium_env`.
    """
    from sushigo_env.api.gym_vector import GymVector
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    game = _game(num_envs, num_players, variant, observation, config, num_threads)
    return GymVector(game, settings, NAME, opponents, seat, autoreset_mode)


def sb3_vec_env(
    num_games: int = 256,
    num_players: int = 4,
    variant: str = "standard",
    observation: str = "memory",
    learners: int | None = None,
    opponents: Opponents = "random",
    reward: str = "win",
    illegal: str = "terminate",
    dtype: str = "uint8",
    num_threads: int = 1,
    config: Config | None = None,
) -> SB3VecEnv:
    """Stable-Baselines3's `VecEnv`, with masks for MaskablePPO: `num_games` environments.

    One seat of each game learns (`learners` can be nothing else, since seats take turns); `opponents` hold the others,
    see `SB3VecEnv`. `SettingError` where Stable-Baselines3 is not installed, else errors as for `gymnasium_env`.
    """
    from sushigo_env.api.sb3_vec import SB3VecEnv
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, None, "flat", dtype)
    game = _game(num_games, num_players, variant, observation, config, num_threads)
    return SB3VecEnv(game, settings, learners, opponents)


def _game(
    num_envs: int, num_players: int, variant: str, observation: str, config: Config | None, num_threads: int = 1
) -> SushiBoat:
    from sushigo_env.checks import whole_number
    from sushigo_env.sushi_boat.cards import DEFAULT
    from sushigo_env.sushi_boat.game import SushiBoat

    return SushiBoat(
        whole_number("num_envs", num_envs),
        num_players,
        variant=variant,
        observation=observation,
        num_threads=num_threads,
        config=DEFAULT if config is None else config,
    )
