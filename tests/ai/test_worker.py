"""A worker's last word, which comes also where a request is stopped before its thread has begun with it, and its end."""

import threading
import time

import pytest

from ai.agent import Plan, Status
from ai.worker import Worker, wait_for_all


@pytest.fixture
def worker():
    made = Worker("test")
    yield made
    made.close()
    assert made.join(10)


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


def test_closing_waits_for_nothing_and_the_end_waits_for_all() -> None:
    deaf, began = threading.Event(), [threading.Event(), threading.Event()]
    workers: list[Worker[bool]] = [Worker("a"), Worker("b")]
    for worker, here in zip(workers, began, strict=True):
        worker.start((0, 0), lambda _thinking, _emit, here=here: here.set() or deaf.wait(30))
    assert all(here.wait(5) for here in began), "both are at something that hears no cancel"
    before = time.monotonic()
    for worker in workers:
        worker.close()
    took = time.monotonic() - before
    print(f"closed in {took:.4f} s")
    assert took < 0.5
    assert not wait_for_all(0.0), "both threads are still at it"
    deaf.set()
    assert wait_for_all(5.0)
    assert not any(worker.join(0.0) is False for worker in workers)


def test_the_end_leaves_workers_alone_that_are_not_closed() -> None:
    worker: Worker[int] = Worker("open")
    assert wait_for_all(0.0), "nobody is closed"
    worker.start((0, 0), lambda _thinking, _emit: 7)
    end = time.monotonic() + 5
    said = worker.poll()
    while not said and time.monotonic() < end:
        said = worker.poll()
    assert [each.result for each in said] == [7]
    worker.close()
    assert wait_for_all(5.0)
