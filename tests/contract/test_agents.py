"""Every agent of the catalogue: same seed same plan, legal, ends in time, and refuses what it does not play."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ai import catalogue, kernels, models
from ai.agent import Agent, Plan, Status, Thinking
from ai.entries import Spec
from game.play.asking import load_kernels
from game.rules import connect4, levels, twenty48
from game.rules.games import GAMES
from game.saves.folder import PROGRAM_SAVES

models.use_folders(PROGRAM_SAVES / "models")
NODES = 300
SECONDS = 0.3
SLACK = 1.0
"""On a machine that does much else."""
ROOM = """
###########
#         #
#    .    #
#   $     #
#    #$   #
#   @ .   #
#         #
#         #
###########
"""
VARIANTS = {
    "push & pull": ROOM,
    "pull only": ROOM,
    "fixed targets": ROOM.replace(".", "A", 1).replace(".", "B").replace("$", "a", 1).replace("$", "b"),
    "two players": ROOM.replace("@ .", "@&."),
}
LARGE = "\n".join(["#" * 60, *("#" + " " * 58 + "#" for _ in range(20)), "#@$." + " " * 55 + "#", "#" * 60])


def positions(game: str) -> list[Any]:
    """An easy position first, then boards of every kind that there is."""
    if game == "sokoban":
        texts = (ROOM, LARGE, *(f"{room}Variant: {name}\n" for name, room in VARIANTS.items()))
        return [levels.parse(text, "test").levels[0].state for text in texts]
    if game == "twenty48":
        return [
            twenty48.parse_position("2 4 8 16/256 128 64 32/512 1024 2048 4096/0 2 0 0"),
            *(twenty48.start(size, 1) for size in (3, 5, 8)),
        ]
    if game != "connect4":
        return [GAMES[game].start({}, 1)]
    shapes = ((6, 7, 1, 4, 2), (4, 4, 4, 4, 2), (5, 5, 3, 4, 4), (8, 8, 1, 5, 3))
    return [connect4.start(connect4.Shape(*shape)) for shape in shapes]


def agents() -> Iterator[Any]:
    """Each with the model that it is given where nobody chooses one."""
    for game in GAMES:
        for entry in catalogue.entries(game):
            yield pytest.param(game, entry.id, id=f"{game}-{entry.id}")


def played(game: str, agent: str) -> tuple[Spec, Any]:
    """The agent as it is and the first position that it plays, by what the catalogue says."""
    for state in positions(game):
        spec = catalogue.default_spec(game, agent, state)
        if catalogue.why_not(game, spec, state) is None and (
            spec.model or not catalogue.entry(game, agent).needs_model
        ):
            return spec, state
    pytest.fail(f"{agent} plays none of these boards, with no model that ships")


def answer(game: str, spec: Spec, state: Any, thinking: Thinking) -> Plan:
    """What it plans in a new game."""
    return made(game, spec).plan(state, thinking)


def made(game: str, spec: Spec) -> Agent[Any]:
    """The agent in a new game."""
    agent = catalogue.create(game, spec)
    agent.new_game(3)
    return agent


@pytest.mark.parametrize(("game", "agent"), agents())
def test_the_same_seed_and_nodes_give_the_same_legal_plan(game: str, agent: str) -> None:
    load_kernels(kernels.units(game))
    spec, state = played(game, agent)
    one, again = (answer(game, spec, state, Thinking(600.0, NODES)) for _ in range(2))
    print(spec, one)
    assert (one.actions, one.status, one.values, one.nodes) == (
        again.actions,
        again.status,
        again.values,
        again.nodes,
    )
    rules = GAMES[game]
    assert one.actions or one.status is not Status.PLAN, "a plan has something to play"
    for action in one.actions:
        assert action in rules.actions(state), f"{action} cannot be played in\n{rules.draw(state)}"
        if rules.chance is not None:
            break  # what comes next is not the agent's
        state = rules.apply(state, action, None)
    if one.status is Status.SOLVED:
        assert rules.outcome(state) is not None


@pytest.mark.parametrize(("game", "agent"), agents())
def test_it_answers_within_its_seconds_and_a_cancel_at_once(game: str, agent: str) -> None:
    load_kernels(kernels.units(game))
    spec, state = played(game, agent)
    agent = made(game, spec)
    agent.plan(state, Thinking(0.01))  # kernels are loaded at their first call
    before = time.perf_counter()
    agent.plan(state, Thinking(SECONDS))
    within = time.perf_counter() - before
    thinking = Thinking(60.0)
    timer = threading.Timer(0.05, thinking.cancel)
    timer.start()
    before = time.perf_counter()
    plan = agent.plan(state, thinking)
    cancelled = time.perf_counter() - before
    timer.cancel()
    print(spec, f"{within:.3f} {cancelled:.3f}", plan.status)
    assert within < SECONDS + SLACK and cancelled < 0.05 + SLACK


@pytest.mark.parametrize(("game", "agent"), agents())
def test_what_it_does_not_play_it_refuses_in_one_sentence(game: str, agent: str) -> None:
    load_kernels(kernels.units(game))
    for state in positions(game):
        spec = catalogue.default_spec(game, agent, state)
        reason = catalogue.why_not(game, spec, state)
        print(reason)
        if reason is not None:
            assert reason[0].islower() or reason[0].isdigit() or reason.startswith("the "), "it stands after a colon"
            assert "\n" not in reason and not reason.endswith(".")
            stands_in = catalogue.stand_in(game, spec, state)
            assert stands_in is not None and catalogue.why_not(game, stands_in, state) is None
        elif spec.model or not catalogue.entry(game, agent).needs_model:
            plan = answer(game, spec, state, Thinking(0.05, NODES))
            assert isinstance(plan.status, Status)


def test_there_is_somebody_to_ask_in_every_game(tmp_path: Path) -> None:
    for game in GAMES:
        for state in positions(game):
            spec = catalogue.strongest(game, state)
            print(game, spec)
            assert catalogue.why_not(game, spec, state) is None


@pytest.mark.parametrize("game", GAMES)
def test_every_named_opponent_sits_down_at_every_board(game: str) -> None:
    """Itself, or who takes its place there."""
    for state in positions(game):
        for chosen in catalogue.opponents(game):
            spec = catalogue.opponent(game, chosen, state)
            print(chosen.name, spec)
            assert catalogue.why_not(game, spec, state) is None


def test_named_opponents_do_without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FOLDERS", [])
    for game in GAMES:
        for state in positions(game):
            for chosen in catalogue.opponents(game):
                spec = catalogue.opponent(game, chosen, state)
                assert spec.model is None and catalogue.why_not(game, spec, state) is None
