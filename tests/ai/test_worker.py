"""The worker's last word: it comes also where a request is stopped before its thread has begun with it."""

import threading
import time

import pytest

from ai.agent import Plan, Status
from ai.worker import Worker


@pytest.fixture
def worker():
    made = Worker("test")
    yield made
    assert made.close(10)


def last_word(worker, within=10.0):
    until = time.perf_counter() + within
    while time.perf_counter() < until:
        for said in worker.poll():
            if said.final:
                return said
        time.sleep(0.001)
    return None


def test_a_request_stopped_before_its_thread_begins_is_answered(worker):
    let_go, begun = threading.Event(), threading.Event()

    def hold(_thinking, _emit):
        begun.set()
        assert let_go.wait(20)
        return Plan(())

    def answer(thinking, _emit):
        return Plan((3,), Status.CANCELLED if thinking.cancelled else Status.PLAN)

    worker.start((0, 1), hold)
    assert begun.wait(10)
    worker.start((0, 2), answer)  # the thread is not free yet
    worker.stop_early()
    let_go.set()
    said = last_word(worker)
    assert said is not None, "no answer ever comes"
    assert (said.ticket, said.result.status) == ((0, 2), Status.CANCELLED)
    assert not worker.busy


def test_a_request_that_is_forgotten_is_never_begun(worker):
    let_go, begun, ran = threading.Event(), threading.Event(), []

    def hold(_thinking, _emit):
        begun.set()
        assert let_go.wait(20)
        return Plan(())

    worker.start((0, 1), hold)
    assert begun.wait(10)
    worker.start((0, 2), lambda _thinking, _emit: ran.append(2) or Plan(()))
    worker.cancel()
    worker.start((0, 3), lambda _thinking, _emit: Plan((7,)))
    let_go.set()
    said = last_word(worker)
    assert said is not None and (said.ticket, said.result.actions) == ((0, 3), (7,))
    assert ran == []
