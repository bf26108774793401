"""An agent made ready to be asked: kernels loaded before any clock runs, its answers checked by the plain rules."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from ai import catalogue, compiling, kernels, models
from ai.agent import Agent, Plan, Thinking
from ai.entries import CatalogueError, Spec
from ai.preparing import Preparation, processes
from ai.tensors import ModelError
from game.play.words import about
from game.rules import games
from game.rules.game import State


class NotReady(Exception):
    """An agent cannot be asked: no kernels, a bad model, or a board that it does not play; the text is one clear line."""


class AgentFailed(RuntimeError):
    """An agent answered with something that the rules do not allow: a fault of the program."""


def load_kernels(units: Sequence[str], tell: Callable[[str], None] = lambda _line: None) -> None:
    """Load these units of kernels, compiled first where they are not, in one process a core; `tell` hears how long that takes.

    Raises:
        NotReady: where they cannot be kept.
    """
    missing = [unit for unit in units if not kernels.ready([unit])]
    if missing:
        seconds = compiling.left(missing) / min(len(missing), processes())
        tell(f"preparing for this machine what this needs, once: {about(seconds)}.")
    try:
        if len(missing) > 1:
            Preparation(missing).run()
        kernels.warm(units)
    except OSError as error:
        reason = error.strerror or "it cannot be used"
        raise NotReady(
            f"{kernels.cache_root()}: {reason}; set TRILOGIC_CACHE to a folder for compiled kernels"
        ) from None


def make(game: str, spec: Spec, seed: int) -> Agent[Any]:
    """The agent, at the start of a game. Call `load_kernels` first; raises NotReady where its model is no good."""
    try:
        agent = catalogue.create(game, spec)
    except (CatalogueError, ModelError) as error:
        raise NotReady(str(error)) from None
    agent.new_game(seed)
    return agent


def told(spec: Spec) -> dict[str, Any]:
    """An agent as a process of ours is told of it in JSON, the file of its model by its whole path."""
    path = models.find(spec.model) if spec.model else None
    model = str(path.absolute()) if path is not None else spec.model
    return {"id": spec.id, "settings": dict(spec.settings), "model": model}


def heard(said: dict[str, Any]) -> Spec:
    """The agent that a process was told of."""
    return Spec(said["id"], said["settings"], said["model"])


def check_plays(game: str, spec: Spec, state: Any) -> None:
    """Raise NotReady where the agent cannot play this board."""
    reason = catalogue.why_not(game, spec, state)
    if reason is not None:
        raise NotReady(f"{spec.id}: {reason}")


def ask(
    agent: Agent[Any], name: str, state: State, thinking: Thinking, clock: Callable[[], float] = time.perf_counter
) -> tuple[Plan, float]:
    """The agent's plan for a position that is not over, its first action legal, and the seconds that it took by a clock.

    Raises:
        AgentFailed: it plays nothing, or what the rules do not allow.
    """
    began = clock()
    plan = agent.plan(state, thinking)
    spent, legal = clock() - began, games.of(state).actions(state)
    if not plan.actions or plan.actions[0] not in legal:
        raise AgentFailed(f"{name} answered {plan.actions[:1]} in a position where {legal} are legal")
    return plan, spent
