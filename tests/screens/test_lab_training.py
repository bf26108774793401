"""The lab's job with the real command: a short training of 2048, stopped, killed, gone on."""

import time
from dataclasses import replace

from ai import checkpoints, models
from game.screens.lab.request import Request, continued
from game.screens.lab.training import Phase, Training

SMALL = {"tuples": "0123 4567", "games": 300}


def until(job, done, seconds=120.0):
    end = time.perf_counter() + seconds
    while not done():
        assert time.perf_counter() < end, (job.phase, job.problem)
        job.update()
        time.sleep(0.01)
    return job


def ended(job):
    return until(job, lambda: not job.active)


def going_on(folder, games):
    found = continued(checkpoints.listing(folder)[0])
    return replace(found, settings={**found.settings, "games": games})


def test_to_its_goal_then_killed_then_on_from_the_checkpoint(tmp_path):
    job = ended(Training(Request("twenty48", "ntuple", "mine", SMALL, 3), tmp_path))
    print(job.phase, job.problem, job.history.latest)
    assert (job.phase, job.problem, job.games) == (Phase.DONE, "", 300)
    card = job.card
    assert card is not None and (card.games, card.seed) == (300, 3)
    assert card.command == "train 2048 ntuple --set 'tuples=0123 4567' --set games=300 --seed 3 --out mine"

    job = Training(going_on(tmp_path, games=0), tmp_path)
    until(job, lambda: job.games > 300)
    assert job._process is not None
    job._process._process.kill()
    ended(job)
    assert job.phase is Phase.FAILED and "can go on from its last checkpoint" in job.problem and job.can_go_on

    job = Training(going_on(tmp_path, games=200), tmp_path)
    assert len(job.history.rows) >= 1, "the curves of before"
    ended(job)
    assert (job.phase, job.games) == (Phase.DONE, 500), "from the checkpoint, and so many games more"
    assert models.card(job.model).command.startswith(card.command + "; train 2048 ntuple ")
