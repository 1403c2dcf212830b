"""Sushi Go!: pick a card, pass the hand, score what lies on the table; three rounds, 2 to 5 players.

## Usage

```python
from sushigo_env import sushi_go_v0

env = sushi_go_v0.env(num_players=4)  # PettingZoo AEC
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
```

Many games at once, all seats of all games in one call:

```python
import numpy as np
from sushigo_env import sushi_go_v0

rng = np.random.default_rng(7)
vec = sushi_go_v0.vector_env(num_envs=64, num_players=4)
vec.reset(seed=7)
while vec.agents:
    masks = vec.observe_all()["action_mask"]  # int8[64, 4, 96]; "observation" is uint8[64, 4, 134]
    vec.step_all((rng.random(masks.shape) * masks).argmax(axis=2))
wins = vec.rewards["player_0"]  # float32[64], readable until the next reset
```

There `vec.rewards` is what the last step paid. There are no dead steps: after the last step `vec.agents` is empty, and
the rewards stay until `reset()`. Seat by seat: `vec.agent_selection`, `vec.observe(agent)`, `vec.step(actions)`.

| call | gives |
|---|---|
| `env(...)` | PettingZoo AEC; an illegal action loses the game |
| `raw_env(...)` | the same, but an illegal action raises an error; for those who put wrappers on top |
| `parallel_env(...)` | PettingZoo Parallel: everyone acts at once |
| `vector_env(num_envs, ...)` | the AEC cycle over many games at once, for training |
| `gymnasium.make("sushigo_env/SushiGo-v0", ...)` | Gymnasium: one learner, named opponents |
| `gymnasium.make_vec("sushigo_env/SushiGo-v0", num_envs, ...)` | the same over many games at once |
| `sb3_vec_env(num_games, ...)` | Stable-Baselines3's `VecEnv`: each learning seat is an environment (docs/sb3.md) |
| `pettingzoo.make("aec", "sushigo_env/sushi_go-v0", ...)` | `env(...)`; "parallel" gives `parallel_env(...)` |

| setting | values, the default first |
|---|---|
| `num_players` | 4, or 2, 3, 5 |
| `passing` | "left", or "alternate": to the right in round 2 |
| `variant` | "standard", or "two_player_dummy": two players and a dummy between them |
| `observation` | "memory": own hand, tables, and every hand already held; "table": own hand and tables; "full": all |
| `reward` | "win", or "rank", "score", "margin"; see Rewards |
| `illegal` | "terminate": a masked action loses the game; "raise": it is an error (`raw_env` and `vector_env`) |
| `obs` | "dict": `{"observation", "action_mask"}`, or "flat": the observation alone |
| `dtype` | "uint8": counts, or "float32": each divided by its largest value |
| `render_mode` | None, or "ansi": `render()` returns text; "human": it is printed |

`reset(seed=s)` deals the game of seed s, and every `reset()` after it the next game of that seed. Game i of a batch
that was reset with seed s is the game of seed s + i. `reset(options={"deals": deals})` plays given hands:
`deals[round][seat]` is a list of card names; in the variant `deals[round][2]` is the dummy's pile, top first, and
`options["first_controller"]` says who opens.

## Specs

| | 2 players | 3 | 4 | 5 | two_player_dummy |
|---|---|---|---|---|---|
| agents | `player_0`, `player_1` | to `player_2` | to `player_3` | to `player_4` | `player_0`, `player_1` |
| cards in a hand | 10 | 9 | 8 | 7 | 9 |
| decisions of a seat in a game | 30 | 27 | 24 | 21 | 27, and 13 or 14 for the dummy |
| bytes of an observation | 74 | 104 | 134 | 164 | 105 |
| actions | 96 | 96 | 96 | 96 | 97 |

All choose at once. Hidden: the other hands (as far as they have not been seen) and the cards not yet dealt. An action
mask is int8, all zeros for a seat that is not to move. `state()` is the whole table as `player_0` would see it with
every hand open.

## Rules and readings

The rules of the box, with these readings where rule texts differ: tied players split points and the remainder is
ignored, towards zero also for the puddings' minus points; a tie for most maki leaves no second place; with two players
nobody loses points for puddings; a nigiri laid while an uncovered wasabi lies there must go on it; two cards laid with
chopsticks are laid in the order chosen; the chopsticks go back into the hand before it is passed. Most points win, then
most puddings, then the victory is shared. In the variant the fewest puddings do lose points, the dummy cannot win and
never uses chopsticks. All readings with their sources: docs/rules.md.

Nobody peeks: agents of the AEC environment choose one after another, but until the last has chosen everything that the
others can see is the same, whatever was chosen. In the variant a turn has two halves: both play, then the controller
picks the dummy's card while the other seat may only `wait`. AEC skips the waiting seat, the others ask it. Nothing is
revealed between the halves.

## Observation

Bytes by field. `env.unwrapped.layout.slices["own_hand"]` finds a field at any table, and
`print(env.unwrapped.layout.markdown())` tells all of them. Seats are counted from the viewer, who is seat 0; the left
neighbour is seat 1.

The variant adds `pile_size`, `controls`, `half` and `pending` (docs/observation.md). Card types, in order: tempura,
sashimi, dumpling, maki_1, maki_2, maki_3, salmon_nigiri, squid_nigiri, egg_nigiri, pudding, wasabi, chopsticks.

## Actions

| actions | lay |
|---|---|
| 0 to 11 | one card, by type |
| 12 to 89 | two cards with chopsticks, in the order of card types |
| 90 to 92 | wasabi, then a nigiri; without an uncovered wasabi on the table |
| 93 to 95 | two different nigiri the other way round; with exactly one uncovered wasabi |
| 96 | `wait`, in the variant only |

`env.unwrapped.game.describe_action(action)` tells an action in words (docs/actions.md lists all).

## Rewards

| `reward` | when | what |
|---|---|---|
| "win" | at the end | the winners share 1, the others share -1; 0 each if all have won |
| "rank" | at the end | 1 for the first to -1 for the last, evenly spaced; ties share their places |
| "score" | as scored | points at each round's end, puddings at the end; sums to the total |
| "margin" | at the end | own total less the best opponent's |

The dummy is left out of all of them.

## Termination

After the third round, for all seats at once; never truncated. With illegal="terminate", an action that is in range but
masked ends the game at once: -1 for whoever chose it, 0 for the others. Actions out of range or of the wrong type, out
of turn, before `reset()` or after the end always raise an error of `sushigo_env.errors`.

## Version history

- v0: the first version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # an environment's modules are imported when one is made, so that importing this one is quick
    from gymnasium.vector import AutoresetMode

    from sushigo_env.api.aec import AEC
    from sushigo_env.api.gym_vector import GymVector
    from sushigo_env.api.opponents import Opponents
    from sushigo_env.api.parallel import Parallel
    from sushigo_env.api.sb3_vec import SB3VecEnv
    from sushigo_env.api.single_agent import SingleAgent
    from sushigo_env.api.vector_aec import LockstepVectorEnv, SequentialVectorEnv
    from sushigo_env.sushi_go.game import SushiGo

__all__ = ["env", "gymnasium_env", "gymnasium_vector_env", "parallel_env", "raw_env", "sb3_vec_env", "vector_env"]

NAME = "sushi_go_v0"


def env(
    num_players: int = 4,
    passing: str = "left",
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "terminate",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
) -> AEC:
    """PettingZoo's AEC environment, which checks order, bounds and masks itself; `SettingError` for a bad setting."""
    from sushigo_env.api.aec import AEC
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    return AEC(_game(1, num_players, passing, variant, observation), settings, NAME)


def raw_env(
    num_players: int = 4,
    passing: str = "left",
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "raise",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
) -> AEC:
    """`env` with errors for illegal actions; PettingZoo's wrappers can be put on it."""
    return env(num_players, passing, variant, observation, reward, illegal, render_mode, obs, dtype)


def parallel_env(
    num_players: int = 4,
    passing: str = "left",
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "terminate",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
) -> Parallel:
    """PettingZoo's Parallel environment; `SettingError` for a bad setting."""
    from sushigo_env.api.parallel import Parallel
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    return Parallel(_game(1, num_players, passing, variant, observation), settings, NAME)


def vector_env(
    num_envs: int = 1024,
    num_players: int = 4,
    passing: str = "left",
    variant: str = "standard",
    observation: str = "memory",
    reward: str = "win",
    illegal: str = "raise",
    obs: str = "dict",
    dtype: str = "uint8",
    tensors: str = "numpy",
    num_threads: int = 1,
) -> LockstepVectorEnv | SequentialVectorEnv:
    """The AEC cycle over `num_envs` games in lockstep, with arrays (or `tensors="torch"`) that have a batch axis.

    Seat by seat with `step(actions[B])`, or everyone at once with `step_all(actions[B, P])`, whose masks are in
    `observe_all()`. Rewards are read from `rewards` after each step; those of the last stay until `reset()`.
    `SettingError` for a bad setting.
    """
    from sushigo_env.api import vector_aec
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, None, obs, dtype)
    game = _game(num_envs, num_players, passing, variant, observation, num_threads)
    return vector_aec.vector_env(game, settings, NAME, tensors)


def gymnasium_env(
    num_players: int = 4,
    passing: str = "left",
    variant: str = "standard",
    observation: str = "memory",
    opponents: Opponents = "random",
    seat: int | str = 0,
    reward: str = "win",
    illegal: str = "terminate",
    render_mode: str | None = None,
    obs: str = "dict",
    dtype: str = "uint8",
) -> SingleAgent:
    """Gymnasium's environment of one learner: what `gymnasium.make("sushigo_env/SushiGo-v0", ...)` makes.

    `opponents` is a spec such as "greedy" or an agent, for all other seats, a list of one for each, from the learner's
    left, or a mixture such as `{"greedy": 0.7, "random": 0.3}`, of which each episode draws one. `seat` is the
    learner's, or "rotate": (s + k) mod P in the k-th episode after `reset(seed=s)`. `SettingError` for a bad setting,
    `AgentError` for an agent that is unknown, fails to load, or plays at other tables.
    """
    from sushigo_env.api.settings import Settings
    from sushigo_env.api.single_agent import SingleAgent

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    return SingleAgent(_game(1, num_players, passing, variant, observation), settings, NAME, opponents, seat)


def gymnasium_vector_env(
    num_envs: int = 1,
    num_players: int = 4,
    passing: str = "left",
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
) -> GymVector:
    """`gymnasium_env` over many games: what `gymnasium.make_vec("sushigo_env/SushiGo-v0", num_envs, ...)` makes.

    `autoreset_mode` is one of Gymnasium's `AutoresetMode`s or its value. In mode NEXT_STEP the mask after a game's end
    is all zeros, and the next action of that game is ignored: it begins the next game. Errors as for `gymnasium_env`.
    """
    from sushigo_env.api.gym_vector import GymVector
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, render_mode, obs, dtype)
    game = _game(num_envs, num_players, passing, variant, observation, num_threads)
    return GymVector(game, settings, NAME, opponents, seat, autoreset_mode)


def sb3_vec_env(
    num_games: int = 256,
    num_players: int = 4,
    passing: str = "left",
    variant: str = "standard",
    observation: str = "memory",
    learners: int | None = None,
    opponents: Opponents = "random",
    reward: str = "win",
    illegal: str = "terminate",
    dtype: str = "uint8",
    num_threads: int = 1,
) -> SB3VecEnv:
    """Stable-Baselines3's `VecEnv`, with masks for MaskablePPO: `num_games` x `learners` environments.

    `learners` seats of each game learn, by default all; `opponents` hold the others, see `SB3VecEnv`. `SettingError`
    where Stable-Baselines3 is not installed, else errors as for `gymnasium_env`.
    """
    from sushigo_env.api.sb3_vec import SB3VecEnv
    from sushigo_env.api.settings import Settings

    settings = Settings(reward, illegal, None, "flat", dtype)
    game = _game(num_games, num_players, passing, variant, observation, num_threads)
    return SB3VecEnv(game, settings, learners, opponents)


def _game(
    num_envs: int, num_players: int, passing: str, variant: str, observation: str, num_threads: int = 1
) -> SushiGo:
    from sushigo_env.checks import whole_number
    from sushigo_env.sushi_go.game import SushiGo

    return SushiGo(
        whole_number("num_envs", num_envs),
        num_players,
        passing=passing,
        variant=variant,
        observation=observation,
        num_threads=num_threads,
    )
