"""Making an agent: whoever waits may stop waiting, who asks again joins, and what goes wrong is told to both."""

import threading
import time

import pytest

from ai import catalogue
from ai.agent import Thinking
from ai.entries import CatalogueError, Spec
from ai.making import Maker

SPEC = Spec("ntuple", {"plies": 2}, "large")


class Slow:
    """`catalogue.create` that is done when it is told to be."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.made = 0
        self.error: Exception | None = None

    def __call__(self, game: str, spec: Spec) -> str:
        self.made += 1
        assert self.go_on.wait(20)
        if self.error is not None:
            raise self.error
        return f"{spec} for {game}, number {self.made}"


@pytest.fixture
def slow(monkeypatch):
    made = Slow()
    monkeypatch.setattr(catalogue, "create", made)
    yield made
    made.go_on.set()


def test_a_cancel_is_answered_while_the_model_is_read_and_the_next_request_joins(slow):
    maker, thinking = Maker("twenty48"), Thinking()
    threading.Timer(0.02, thinking.cancel).start()
    began = time.perf_counter()
    assert maker.agent(SPEC, thinking) is None
    assert time.perf_counter() - began < 5, "it waited for an agent that is not done"
    assert slow.made == 1
    threading.Timer(0.02, slow.go_on.set).start()
    assert maker.agent(SPEC, Thinking()) == "ntuple:large,plies=2 for twenty48, number 1"
    assert maker.agent(SPEC, Thinking()) == "ntuple:large,plies=2 for twenty48, number 2", "each is a new one"


def test_two_seats_have_agents_of_their_own(slow):
    maker, cancelled = Maker("twenty48"), Thinking()
    cancelled.cancel()
    slow.go_on.set()
    assert maker.agent(SPEC, cancelled, seat=0) is None
    agents = {maker.agent(SPEC, Thinking(), seat) for seat in (0, 1)}
    assert len(agents) == 2


def test_what_goes_wrong_is_raised_once_and_tried_again(slow):
    maker = Maker("twenty48")
    slow.error = CatalogueError("there is no model 'large'")
    slow.go_on.set()
    with pytest.raises(CatalogueError, match="large"):
        maker.agent(SPEC, Thinking())
    slow.error = None
    assert maker.agent(SPEC, Thinking()) is not None
