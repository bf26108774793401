"""How soon a cancel is answered: the benches `cancel-…`, and what `scripts/measure_cancels.py` and a test ask.

An agent is asked as the window asks it, in a worker's thread, its model being read where that is not in memory, and
cancelled at a random moment: while it is being made, in its first slices or later. The answer is the worker's last word.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ai import catalogue, kernels, models
from ai.agent import Agent, Plan, Status, Thinking
from ai.entries import Entry, Parameter, Spec
from ai.making import Maker
from ai.worker import Worker
from game.cli.benches import Bench
from game.cli.output import notice
from game.play.asking import load_kernels
from game.rules import connect4, games, levels, twenty48
from game.rules.connect4 import Shape
from game.rules.sokoban.game import GAME as SOKOBAN

CANCELS = 15
BUDGET_MS = 50.0
SOONEST, LATEST = 0.001, 0.5
"""Seconds after the request; in between every tenfold is as likely."""
TIMEOUT = 60.0
MODELS = {
    (twenty48.GAME.id, "ntuple"): ("2048-strong",),
    (connect4.GAME.id, "mcts"): ("connect4-net",),
    (connect4.GAME.id, "qlearning"): ("qlearning-400k",),
    (SOKOBAN.id, "policy"): ("sokoban-policy",),
    (SOKOBAN.id, "policy-search"): ("sokoban-policy",),
    (SOKOBAN.id, "dqn"): ("sokoban-dqn-two-boxes", "sokoban-dqn-report"),
}
"""Which models of those that ship, where there are several, or where an agent may have one."""

HARD_LEVEL = """
####################
#                  #
# $ $ $ $  # . . . #
#  $ $ $   # . . . #
# $ $ $ $ ## . . . #
#  $ $      . .    #
#       @ ## . .   #
#          #       #
####################
"""
"""Thirteen boxes out of one hall into another: no solver that looks for the fewest pushes is done with it soon."""
LONG_LEVEL = """
##############
#            #
# $  $  $  $ #
#            #
#  .  ##  .  #
#  .  @   .  #
#     ##     #
# $  $  $  $ #
#  .      .  #
#  .      .  #
##############
"""
"""Eight boxes that are soon brought home, and can be for long in fewer pushes."""


@dataclass(frozen=True)
class Case:
    """An agent that is kept busy by a position."""

    name: str
    game: str
    spec: Spec
    state: Any


def positions() -> Iterator[tuple[str, str, Any]]:
    """(game, name, position) that keep an agent busy."""
    for name, state in (
        ("", levels.parse(HARD_LEVEL, "bench").levels[0].state),
        ("", twenty48.parse_position("2 4 8 16/256 128 64 32/512 1024 2048 4096/0 2 0 0")),
        ("", connect4.start(Shape(6, 7, 1, 4))),
        ("-deep", connect4.start(Shape(6, 7, 5, 4, 3))),
    ):
        yield games.of(state).id, name, state


def hardest(entry: Entry, model: str | None = None) -> Spec:
    """The agent with every limit as far out as it goes, so that only a cancel ends its thinking."""
    return Spec(entry.id, {each.name: _at_most(each) for each in limits(entry)}, model)


def limits(entry: Entry) -> list[Parameter]:
    """The parameters that say how long an agent thinks: none where it does not look ahead."""
    return [each for each in entry.parameters if each.max is not None and each.name != "random_moves"]


def _at_most(parameter: Parameter) -> int | float:
    assert parameter.max is not None
    return int(parameter.max) if parameter.type == "int" else parameter.max


def cases() -> Iterator[Case]:
    """All agents that search or have a model."""
    for game, name, state in positions():
        for entry in catalogue.entries(game):
            if entry.plays(state) is None and not entry.needs_model and limits(entry):
                yield Case(f"{game}-{entry.id}{name}", game, hardest(entry), state)
    long = levels.parse(LONG_LEVEL, "bench").levels[0].state
    game = games.of(long).id
    yield Case(f"{game}-optimise-long", game, hardest(catalogue.entry(game, "optimise")), long)
    yield from cases_with_models()


def cases_with_models() -> Iterator[Case]:
    """Those whose agents have models that ship."""
    for game, name, state in positions():
        for entry in catalogue.entries(game) if not name else ():
            if not entry.takes_model:
                continue
            named = MODELS.get((game, entry.id)) or (catalogue.default_spec(game, entry.id, state).model,)
            for model in (name for name in named if name and models.find(name)):
                spec = hardest(entry, model)
                yield Case(f"{game}-{entry.id}-{model}", game, spec, _board(entry, spec, state))


def _board(entry: Entry, spec: Spec, state: Any) -> Any:
    """The position, or the start of the board that a DQN was trained on."""
    if entry.id != "dqn":
        return state
    from ai.sokoban.dqn import model as dqn_model

    path = models.find(spec.model or "")
    assert path is not None
    return dqn_model.load(path).level


def answers(case: Case, cancels: int, seed: int = 0) -> list[float]:
    """Milliseconds from each of so many cancels to the last word; the kernels are loaded.

    Every third request finds the agent not made and its model not read. Raises what the agent raises, and
    TimeoutError where no answer comes.
    """
    luck = random.Random(seed)
    worker: Worker[Plan] = Worker("bench")
    asked = _Asked(case)
    took = []
    try:
        for number in range(cancels):
            if number % 3 == 0:
                asked.forget()
            worker.start((0, number), asked)
            time.sleep(SOONEST * (LATEST / SOONEST) ** luck.random())
            began = time.perf_counter()
            worker.stop_early()
            _last_word(worker)
            took.append(1000 * (time.perf_counter() - began))
    finally:
        worker.close()
    return took


def _last_word(worker: Worker[Plan]) -> None:
    """Wait for it; raises what the job raised, and TimeoutError."""
    until = time.perf_counter() + TIMEOUT
    while time.perf_counter() < until:
        for said in worker.poll():
            if said.error is not None:
                raise said.error
            if said.final:
                return
        time.sleep(0.0005)
    raise TimeoutError(f"no answer to a cancel within {TIMEOUT:.0f} seconds")


class _Asked:
    """A request for the worker: the agent is made as the window makes it, and asked until it is cancelled."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._maker = Maker(case.game)
        self._agent: Agent[Any] | None = None

    def forget(self) -> None:
        """The agent is to be made anew; one that is being made is waited for, so that its model can be forgotten."""
        if self._agent is None:
            self._maker.agent(self._case.spec, Thinking())
        self._agent = None

    def __call__(self, thinking: Thinking, _emit: Callable[[object], None]) -> Plan:
        """Think about the same position again and again: an agent that is done early is asked once more."""
        if self._agent is None:
            self._agent = self._maker.agent(self._case.spec, thinking)
            if self._agent is None:
                return Plan((), Status.CANCELLED)
            self._agent.new_game(0)
        plan = self._agent.plan(self._case.state, thinking)
        while not thinking.cancelled:
            plan = self._agent.plan(self._case.state, thinking)
        return plan


def _bench(case: Case) -> Callable[[], Mapping[str, float]]:
    def measure() -> Mapping[str, float]:
        load_kernels(kernels.needed(case.game, case.spec), notice)
        took = answers(case, CANCELS)
        return {"median": statistics.median(took), "max": max(took)}

    return measure


def benches() -> dict[str, Bench]:
    """`cancel-…` of every case: milliseconds, the median and the longest."""
    return {f"cancel-{case.name}": (_bench(case), "ms", BUDGET_MS) for case in cases()}
