"""A worker's end: nobody waits for a thread until the process ends."""

import threading
import time

from ai.worker import Worker, wait_for_all


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
