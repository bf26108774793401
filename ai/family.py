"""What `ai` has of one game, as one value. Nothing else under `ai` knows a game by name.

`ai/GAME/family.py` has it as `FAMILY`, where GAME is the game's id in `game.rules.games`; the catalogue, the models, the
kernels and the trainings collect what they need from there. Such a module imports neither numba nor torch: what does is
named by a text, and imported when it is used.
"""

import importlib
from dataclasses import dataclass, replace
from functools import cache

from ai.entries import Entry, Spec, Trainer
from game.rules.games import GAMES


@dataclass(frozen=True, slots=True)
class Unit:
    """Kernels that are compiled together, by one process."""

    warm: str
    """'module:function'; the function calls every kernel of the unit once on a tiny input, with the types used in play."""
    needed_by: tuple[str, ...] = ()
    """Ids of the agents that cannot play without it, or other words for what needs it, such as 'rooms'."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An agent as people meet it: a name that says how strong it is, with settings that make it so."""

    name: str
    """In plain words."""
    agent: str
    """As on the command line, `ID[:MODEL][,K=V…]`."""
    about: str
    """How it plays, in one plain sentence."""
    rating: float | None = None
    """On the usual board, in what `Family.rated_in` says; None where it was not measured."""
    stderr: float | None = None
    """Standard error of the rating, None where there is none."""
    elsewhere: str = ""
    """The agent that takes its place on boards that `agent` does not play; '' for the strongest there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The agents of one game and all that belongs to them."""

    agents: tuple[Entry, ...]
    """In the order people see them."""
    strongest: tuple[Spec, ...]
    """Who plays where nobody was chosen: the first of these that can and answers within about a second. The last one needs no
    model and plays every board that people play."""
    warm: tuple[Unit, ...] = ()
    """All kernels of play in units; among those that matter equally much, the first one is compiled first."""
    oracle: str = ""
    """'module:Class' of the `ai.review.Oracle` that judges its games; '' where nobody does."""
    decided: str = ""
    """'module:function' that says of a position whether it is known, by a short search, how it ends: matches can leave such
    openings out."""
    trainers: tuple[Trainer, ...] = ()
    """In the order people see them."""
    opponents: tuple[Opponent, ...] = ()
    """From weakest to strongest; of solvers, which have no ratings, in the order people see them."""
    rated_in: str = ""
    """What ratings of the opponents count, e.g. 'Elo'; '' where there are none."""

    def agent(self, agent_id: str) -> Entry | None:
        """The agent of that id."""
        return next((entry for entry in self.agents if entry.id == agent_id), None)

    def trainer(self, agent_id: str) -> Trainer | None:
        """The training of that id."""
        return next((trainer for trainer in self.trainers if trainer.id == agent_id), None)


@cache
def family(game: str) -> Family:
    """The agents of the game with that id; raises KeyError where there is no such game."""
    found: Family = importlib.import_module(f"ai.{GAMES[game].id}.family").FAMILY
    agents = tuple(replace(each, game=game) for each in found.agents)
    return replace(found, agents=agents, trainers=tuple(replace(each, game=game) for each in found.trainers))


def families() -> dict[str, Family]:
    """Game id -> its agents, in the order of the menu."""
    return {game: family(game) for game in GAMES}
