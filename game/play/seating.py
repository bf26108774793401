"""Who can be asked to sit at a board: opponents by name and strength, and every agent as it was left."""

from dataclasses import dataclass
from typing import Any

from ai import catalogue
from ai.entries import CatalogueError, Spec
from ai.family import Opponent, family
from game.play.store import Store


@dataclass(frozen=True, slots=True)
class Candidate:
    """A named opponent on one board."""

    opponent: Opponent
    spec: Spec
    """Who plays for it there."""
    rank: int
    """1 for the weakest; 0 where names say what an agent is for and not how strong it is."""
    ranks: int
    """How many there are of them."""

    rated_in: str
    """What its rating counts."""

    @property
    def strength(self) -> str:
        """'strength 3 of 8'; '' where names say nothing about strength."""
        return f"strength {self.rank} of {self.ranks}" if self.rank else ""

    @property
    def measured(self) -> str:
        """'437 ± 13 Elo', on the usual board; '' where it was not measured."""
        rating, stderr = self.opponent.rating, self.opponent.stderr
        if rating is None:
            return ""
        return f"{rating:,.0f}" + (f" ± {stderr:,.0f}" if stderr else "") + f" {self.rated_in}"


def ranked(game: str) -> bool:
    """Whether the game's opponents are players of different strengths, and not ways to solve something."""
    return bool(family(game).rated_in)


def candidates(game: str, state: Any) -> tuple[Candidate, ...]:
    """The named opponents on the board of `state`, weakest first; of two that are the same there the first."""
    found: dict[str, Candidate] = {}
    named, rated_in = catalogue.opponents(game), family(game).rated_in
    for number, each in enumerate(named, 1):
        spec = catalogue.opponent(game, each, state)
        found.setdefault(str(spec), Candidate(each, spec, number if ranked(game) else 0, len(named), rated_in))
    return tuple(found.values())


def candidate(game: str, spec: Spec | None, state: Any) -> Candidate | None:
    """The named opponent that an agent is on this board, None where it has no name."""
    return next((each for each in candidates(game, state) if each.spec == spec), None)


def first_opponent(game: str, state: Any) -> Spec:
    """Whom a newcomer meets: the weakest that has a name; of solvers, which have no strengths, the strongest of all."""
    named = candidates(game, state) if ranked(game) else ()
    return named[0].spec if named else catalogue.strongest(game, state)


def moved(game: str, spec: Spec, state: Any) -> Spec | None:
    """Who takes an agent's place on the board of `state`; None where it can stay.

    An opponent is the same by name on every board.
    """
    if catalogue.why_not(game, spec, state) is None:
        return None
    named = next((each for each in catalogue.opponents(game) if catalogue.parse(game, each.agent) == spec), None)
    return catalogue.stand_in(game, spec, state) if named is None else catalogue.opponent(game, named, state)


def name(game: str, spec: Spec, state: Any) -> str:
    """What people call an agent: the name of an opponent, else its title and model."""
    known = candidate(game, spec, state) if ranked(game) else None
    if known is not None:
        return known.opponent.name
    title = catalogue.entry(game, spec.id).title
    return f"{title} · {spec.model}" if spec.model else title


def keep(store: Store, game: str, spec: Spec) -> None:
    """Remember how an agent is set, for the next time that it is chosen."""
    store.remember(_place(game, spec.id), str(spec))


def kept(store: Store, game: str, agent_id: str, state: Any) -> Spec:
    """The agent as it was set last, with a model that plays the board of `state`; with its defaults where it never was."""
    plain = catalogue.default_spec(game, agent_id, state)
    text = store.settings.remembered.get(_place(game, agent_id))
    try:
        found = catalogue.parse(game, text) if isinstance(text, str) else plain
    except CatalogueError:
        return plain
    if found.id != agent_id:
        return plain
    fits = catalogue.why_not(game, found, state) is None
    return found if fits else Spec(agent_id, found.settings, plain.model)


def _place(game: str, agent_id: str) -> str:
    """Its name in the settings."""
    return f"{game}/agent {agent_id}"
