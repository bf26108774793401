"""The agent that advises people: it gives their hints, and where asked thinks along whenever it is a person's turn."""

from dataclasses import replace

from ai import catalogue
from ai.entries import CatalogueError, Spec
from game.play.driver import Driver
from game.play.store import Store
from game.rules.connect4 import State

GAME = "connect4"
ADVISER, ALONG = "connect4/adviser", "connect4/along"
"""Names in the settings under which the choice is remembered."""
TIME = "time"
"""The parameter of agents that think for so long."""
ALONG_SECONDS = 120.0
"""How long it thinks along about one position at most; a move ends it."""


class Adviser:
    """Chosen on a person's seat, remembered for all games of connect-4."""

    def __init__(self, store: Store) -> None:
        """Whoever advised last, else the strongest on the board."""
        self._store = store
        self._chosen = self._remembered()
        self._asked: State | None = None
        """The position it was asked about last, by whoever advises now."""

    def _remembered(self) -> Spec | None:
        found = self._store.settings.remembered.get(ADVISER)
        if isinstance(found, str):
            try:
                return catalogue.parse(GAME, found)
            except CatalogueError:
                pass
        return None

    def spec(self, state: State) -> Spec:
        """Who was chosen, else the strongest on this board."""
        return self._chosen or catalogue.strongest(GAME, state)

    def plays(self, state: State) -> Spec:
        """Who advises in a position; the strongest agent where the chosen one cannot play that board."""
        spec = self.spec(state)
        fits = catalogue.why_not(GAME, spec, state) is None
        return spec if fits else catalogue.strongest(GAME, state)

    def choose(self, spec: Spec, driver: Driver) -> None:
        """Another agent, or the same one set otherwise, advises from now on."""
        self._chosen = spec
        self._store.remember(ADVISER, str(spec))
        if driver.asked_values:
            driver.stop_thinking()
        if self.along:
            driver.elsewhere()
        self._asked = None

    @property
    def along(self) -> bool:
        """Whether it thinks along."""
        return self._store.settings.remembered.get(ALONG) is True

    def set_along(self, on: bool, driver: Driver) -> None:
        """Let it think along, or not."""
        self._store.remember(ALONG, on)
        self._asked = None
        if not on and driver.asked_values:
            driver.stop_thinking()

    def update(self, driver: Driver, state: State, ply: int) -> None:
        """Once a frame while the game goes on: ask about a new position, unless an agent is about to play or gives a hint."""
        if not self.along or driver.busy or driver.hint_waits or not driver.ready_for(self.plays(state)):
            return
        if driver.wants_plan and driver.seats[state.to_move] is not None:
            return
        known = driver.thought.plan is not None and driver.thought.ply == ply
        if known or self._asked is state:
            return
        self._asked = state
        driver.ask_values(state, ply, patient(self.plays(state)))


def patient(spec: Spec) -> Spec:
    """The same agent with time to go on for as long as a person thinks, where it has a time of its own."""
    timed = any(each.name == TIME for each in catalogue.entry(GAME, spec.id).parameters)
    return replace(spec, settings={**spec.settings, TIME: ALONG_SECONDS}) if timed else spec
