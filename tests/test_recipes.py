"""Recipes: what they say, what can be set on top, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import need

need("torch", "stable_baselines3", "sb3_contrib")

from sushigo_train import recipes  # noqa: E402
from sushigo_train.settings import Settings  # noqa: E402

from sushigo_env.errors import SettingError  # noqa: E402


@pytest.mark.parametrize("name", recipes.names())
def test_every_recipe_can_be_read_and_says_what_it_is_for(name: str):
    recipe = recipes.read(name)
    assert recipe.learner in recipes.LEARNERS
    assert recipes.describe(name).endswith(".")
    assert len(recipes.describe(name)) > 20
    tables = {"2p": (2, "standard"), "2p_dummy": (2, "two_player_dummy"), "3p": (3, "standard")}
    for ending, table in tables.items():
        if name.endswith(f"_{ending}"):
            assert (recipe.settings.num_players, recipe.settings.variant) == table


def test_every_table_has_a_recipe_of_each_learner():
    wanted = {f"{kind}_{table}" for kind in ("self_play", "ppo") for table in ("2p", "3p", "4p", "5p", "2p_dummy")}
    assert wanted <= set(recipes.names())


def test_recipes_by_game():
    boat = recipes.names("sushi_boat")
    assert boat == [f"boat_self_play_{players}p" for players in (2, 3, 4, 5)]
    assert [recipes.read(name).settings.num_players for name in boat] == [2, 3, 4, 5]
    assert sorted([*boat, *recipes.names("sushi_go")]) == recipes.names()


def test_settings_on_top_of_a_recipe():
    on_top = [
        "decisions=1_000_000",
        "league.self_play=0.25",
        'league.anchors=["random"]',
        "device=cpu",
        "widths=[8, 4]",
    ]
    settings = recipes.read("self_play_2p", on_top).settings
    assert isinstance(settings, Settings)
    assert (settings.decisions, settings.device, settings.widths) == (1_000_000, "cpu", (8, 4))
    assert (settings.league.self_play, settings.league.anchors) == (0.25, ("random",))
    assert settings.league.exploiters == 1  # the recipe's own stays


def test_a_recipe_of_ones_own(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('# Mine.\nnum_players = 3\nlearner = "sb3"\n[opponents]\ngreedy = 1.0\n', encoding="utf-8")
    recipe = recipes.read(str(path), ["learners=1"])
    assert (recipe.name, recipe.learner, recipe.settings.num_players) == ("mine", "sb3", 3)


@pytest.mark.parametrize("name", recipes.names())
def test_a_recipe_written_out_is_the_same_recipe(name: str, tmp_path: Path):
    path = tmp_path / "again.toml"
    path.write_text(recipes.as_toml(recipes.read(name)), encoding="utf-8")
    assert recipes.read(str(path)).settings == recipes.read(name).settings


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("lr=3", "there is no setting 'lr'; there are game, num_players"),
        ("league.powr=2", r"there is no setting 'league\.powr'; did you mean 'league\.power'\?"),
        ("learning_rate=abc", "learning_rate is 'abc', but it should be a valid number"),
        ("decisions=1.5", "decisions is 1.5, but it should be a valid integer"),
        ("league=3", "league is 3, but"),
        ("league.weighting=hrd", "'hard', 'even' or 'uniform'"),
        ("num_players=9", "num_players must be 2, 3, 4 or 5, not 9"),
        ("seed", "a setting is written key=value"),
        ("seed.now=1", "seed is a setting, not a group"),
        ("learner=dqn", "learner must be one of self_play, sb3, not 'dqn'"),
        ("minibatch=0", "minibatch must be at least 1, not 0"),
        ("lam=1.5", "lam must be from 0 to 1, not 1.5"),
        ("learning_rate=0", "learning_rate must be above 0"),
        ("learning_rate=nan", "learning_rate must be a finite number"),
        ("max_gradient=inf", "max_gradient must be a finite number, not inf"),
        ("league.power=inf", "power must be a finite number"),
        ("widths=[100000]", "1 to 65,536 units"),
        ("seed=3\nnum_players=5", "a setting is one line"),
        ("league.exploiter_share=1", "exploiter_share must be below 1"),
        ("widths=[]", "widths must name one or more layers"),
        ("device=tpu", "device must be one of auto, cpu, cuda, not 'tpu'"),
        ("widths=256", r"widths is 256, but it should be a list, as in \[256, 256\]"),
        ("league.anchors=greedy", "it should be a list"),
        ("decisions=true", "decisions must be a number or a word, not true"),
        ("league.opponents=true", "league.opponents must be a number"),
    ],
)
def test_mistakes_are_said_in_a_sentence(setting: str, words: str):
    with pytest.raises(SettingError, match=words):
        recipes.read("self_play_2p", ["seed=1", setting])


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("seed=-1", "seed must be an integer from 0"),
        ("batch_size=1", "batch_size must be at least 2"),
        ("device=foo", "device must be one of auto, cpu, cuda"),
        ("gamma=5", "gamma must be from 0 to 1"),
        ("reward_scale=inf", "reward_scale must be a finite number"),
        ("learners=0", "learners must be at least 1"),
        ("ent_coef=-5", "ent_coef must be 0 or more"),
        ("game=sushi_boat", "the learner sb3 has no setting 'game', for MaskablePPO's recipes are for sushi_go alone"),
        ("gmae=sushi_boat", "there is no setting 'gmae'; .*there are num_players, variant"),
    ],
)
def test_mistakes_with_the_other_learner_too(setting: str, words: str):
    with pytest.raises(SettingError, match=words):
        recipes.read("ppo_2p", [setting])


def test_words_that_toml_must_quote_come_back(tmp_path: Path):
    path = tmp_path / "again.toml"
    recipe = recipes.read("ppo_2p", ['opponents={"prefer:pudding"=0.5, "größe:🍣"=1.0}'])
    path.write_text(recipes.as_toml(recipe), encoding="utf-8")
    assert recipes.read(str(path)).settings == recipe.settings


def test_recipes_that_are_not_there_or_no_toml(tmp_path: Path):
    with pytest.raises(SettingError, match="unknown recipe 'selfplay_2p'; did you mean 'self_play_2p'"):
        recipes.read("selfplay_2p")
    with pytest.raises(SettingError, match=r"there is no recipe .*gone\.toml"):
        recipes.read(str(tmp_path / "gone.toml"))
    bad = tmp_path / "bad.toml"
    bad.write_text("num_players = = 2", encoding="utf-8")
    with pytest.raises(SettingError, match="is no TOML"):
        recipes.read(str(bad))
