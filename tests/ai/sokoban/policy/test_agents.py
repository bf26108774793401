"""The agents `policy` and `policy-search`: what they choose, what they say, where they stop."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ai import catalogue, models
from ai.agent import Plan, Progress, Status, Thinking
from ai.entries import CatalogueError
from ai.models import ModelCard
from ai.sokoban.board.layout import layout
from ai.sokoban.policy import model as policy_model
from ai.sokoban.policy.features import BOX, PLANES
from ai.sokoban.policy.playing import Game
from ai.sokoban.rooms.maker import make_rooms
from ai.sokoban.search.run import Run
from game.rules import sokoban
from tests.ai.sokoban.levels import level, pushes_of
from tests.ai.sokoban.policy.files import model_file, random_arrays

CORRIDOR = """
########
#@ $  .#
########
"""
DOOMED = """
######
#@ $ #
#   $#
#. . #
######
"""
LOST = """
#####
#@ .#
#$  #
#   #
#####
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return model_file(tmp_path_factory.mktemp("policy"))


def plan(agent: str, state: sokoban.State, seed: int = 0, thinking: Thinking | None = None) -> Plan:
    made = catalogue.create("sokoban", catalogue.parse("sokoban", agent))
    made.new_game(seed)
    answer: Plan = made.plan(state, thinking or Thinking())
    print(sokoban.to_array(state), answer, sep="\n")
    return answer


ROOMS = make_rooms(seed=2, rows=7, cols=7, boxes=2, count=12)


def rooms() -> list[sokoban.State]:
    return [ROOMS.state(number) for number in range(12)]


def test_the_only_push_is_taken(model: Path) -> None:
    found = plan(f"policy:{model}", level(CORRIDOR))
    assert found.status is Status.SOLVED and pushes_of(level(CORRIDOR), found) == 3
    assert [dict(each) for each in found.choices] == [{(8 + square, 1): 1.0} for square in (3, 4, 5)]


def test_it_plays_a_level_to_its_end_or_gives_up(model: Path) -> None:
    answers = [plan(f"policy:{model},pushes=40", state) for state in rooms()]
    for state, found in zip(rooms(), answers, strict=True):
        if found.status is Status.SOLVED:
            assert pushes_of(state, found) == found.nodes == len(found.choices)
        else:
            assert found.status is Status.GAVE_UP and not found.actions and "of 2 boxes not on a target" in found.note
            assert len(found.choices) == 1
    assert len({found.status for found in answers}) == 2, "some are solved by luck, some are not"


@pytest.mark.parametrize("agent", ["policy", "policy-search"])
def test_the_likelihoods_are_those_of_legal_pushes(model: Path, agent: str) -> None:
    for state in rooms()[:4]:
        found = plan(f"{agent}:{model}", state, thinking=Thinking(listener=lambda _progress: None))
        alive = set(range(state.warehouse.rows * state.warehouse.cols)) - sokoban.dead_squares(state.warehouse)
        reached = sokoban.reachable(state)
        for (box, action), probability in found.choices[0].items():
            stand = state.warehouse.steps[box][(action + 2) % 4]
            assert box in state.boxes and stand in reached and state.warehouse.steps[box][action] in alive
            assert 0 < probability <= 1
        assert 0.97 < sum(found.choices[0].values()) <= 1.0001
        if found.status is Status.SOLVED:
            assert len(found.choices) == pushes_of(state, found)


def test_it_takes_the_likeliest_push_that_leads_to_something_new_and_freezes_no_box(model: Path) -> None:
    for state in rooms():
        found = plan(f"policy:{model}", state)
        if found.status is not Status.SOLVED:
            continue
        here, number, known = state, 0, {_situation(state)}
        for action in found.actions:
            after = sokoban.apply(here, action)
            if sokoban.moves_box(here, action):
                mine = found.choices[number][(after.player, action)]
                better = [push for push, likely in found.choices[number].items() if likely > mine]
                passed = [_pushed(here, push) for push in better]
                assert all(_situation(each) in known or sokoban.is_dead(each) for each in passed)
                assert _situation(after) not in known
                known.add(_situation(after))
                number += 1
            here = after


class Opinion:
    """Stands for a network: likes pushing up, and takes positions with a box on `lost` for unsolvable."""

    def __init__(self, squares: int, lost: int, positions: int) -> None:
        self.squares, self._lost = squares, lost
        self.seen = np.zeros((positions * squares, PLANES), np.float32)

    def evaluate(self, positions: int, pause: object) -> tuple[np.ndarray, np.ndarray]:
        logits = np.zeros((positions, self.squares, 4), np.float32)
        logits[:, :, 0] = 2.0
        boxes = self.seen[: positions * self.squares, BOX].reshape(positions, self.squares)
        values = np.zeros((positions, 2), np.float32)
        values[:, 1] = np.where(boxes[:, self._lost] > 0, -8.0, 8.0)
        return logits, values


@pytest.mark.parametrize("caution", [0, 4])
def test_with_caution_it_leaves_a_push_after_which_it_sees_no_solution(caution: int) -> None:
    state = level("#######\n#  .  #\n#     #\n#  $  #\n#  @  #\n#     #\n#######")
    frame = Run(state, Thinking(), 10.0, 1)
    above = int(np.flatnonzero(frame.board.squares == 17)[0])
    game = Game(frame, Opinion(len(frame.board.squares), above, max(1, caution)), caution=caution)  # type: ignore[arg-type]
    found = dict(game.plan().choices[0])
    print(found)
    assert sum(found.values()) == pytest.approx(1.0, abs=0.03)
    assert (max(found, key=lambda push: found[push]) == (24, 0)) == (caution == 0)


def _pushed(state: sokoban.State, push: tuple[int, int]) -> sokoban.State:
    box, action = push
    walk = sokoban.walk_path(state, state.warehouse.steps[box][(action + 2) % 4])
    assert walk is not None
    for step in (*walk, action):
        state = sokoban.apply(state, step)
    return state


def _situation(state: sokoban.State) -> tuple[frozenset[int], int]:
    return state.boxes, min(sokoban.reachable(state))


def test_a_temperature_draws_and_the_seed_decides(model: Path) -> None:
    state = rooms()[0]
    text = f"policy:{model},temperature=5,pushes=60"
    drawn = [plan(text, state, seed) for seed in (1, 1, 2, 3, 4)]
    assert drawn[0] == _without_time(drawn[1], drawn[0])
    assert len({each.note for each in drawn}) > 1
    assert plan(f"policy:{model}", state, 1).note == plan(f"policy:{model}", state, 2).note


def _without_time(answer: Plan, other: Plan) -> Plan:
    return replace(answer, seconds=other.seconds)


def test_it_gives_up_where_no_push_is_left(model: Path) -> None:
    found = plan(f"policy:{model}", level(LOST))
    assert found.status is Status.GAVE_UP and "no push is left" in found.note


@pytest.mark.parametrize("order", ["log-odds", "levin"])
@pytest.mark.parametrize("batch", [1, 8])
def test_a_search_solves_rooms_and_proves_what_cannot_be(model: Path, order: str, batch: int) -> None:
    text = f"policy-search:{model},order={order},batch={batch},expansions=3000"
    for state in rooms()[:4]:
        found = plan(text, state)
        assert found.status is Status.SOLVED and pushes_of(state, found)
    unsolvable = plan(text, level(DOOMED))
    assert unsolvable.status is plan("astar", level(DOOMED)).status
    assert plan(text, level(LOST)).status is Status.UNSOLVABLE


def test_the_first_pushes_of_log_odds_are_the_policys(model: Path) -> None:
    """With batches of one the search goes where the policy goes for as long as that leads anywhere."""
    agreed = 0
    for state in rooms():
        played, searched = plan(f"policy:{model}", state), plan(f"policy-search:{model},batch=1", state)
        if played.status is Status.SOLVED:
            assert searched.status is Status.SOLVED
            agreed += played.actions == searched.actions
    assert agreed


def test_it_stops_at_its_limit_and_says_how_far_it_is(model: Path) -> None:
    room = make_rooms(seed=5, rows=10, cols=10, boxes=5, count=1).state(0)
    heard: list[Progress] = []
    found = plan(f"policy-search:{model}", room, thinking=Thinking(nodes=40, listener=heard.append))
    assert found.status is Status.GAVE_UP and found.nodes == 40 and "40 positions looked at" in found.note
    last = heard[-1]
    assert last.closed == last.nodes <= 40 and last.open and last.measure is not None
    assert len(last.position) == 5 and set(last.position) <= set(layout(room).squares.tolist())


@pytest.mark.parametrize("agent", ["policy", "policy-search"])
def test_a_cancelled_one_answers(model: Path, agent: str) -> None:
    thinking = Thinking()
    thinking.cancel()
    assert plan(f"{agent}:{model}", rooms()[0], thinking=thinking).status is Status.CANCELLED


@pytest.mark.parametrize(("logit", "lost"), [(-50.0, 0.1), (50.0, 0.1), (-50.0, 0.0)])
def test_positions_that_look_lost_are_left_out(tmp_path: Path, logit: float, lost: float) -> None:
    arrays = random_arrays()
    arrays["value.bias"][1] = logit
    path = tmp_path / "sure.safetensors"
    policy_model.write(path, arrays, ModelCard(path, board="7x7"))
    found = plan(f"policy-search:{path},lost={lost}", rooms()[0])
    if logit < 0 < lost:
        assert found.status is Status.GAVE_UP and "does not look lost" in found.note
    else:
        assert found.status is Status.SOLVED


@pytest.mark.parametrize("agent", ["policy", "policy-search"])
def test_other_rules_and_models_are_refused(model: Path, agent: str) -> None:
    spec = catalogue.parse("sokoban", f"{agent}:{model}")
    pulls = sokoban.from_array(sokoban.to_array(level(CORRIDOR)), sokoban.rules_of("pull"))
    assert "push only" in (catalogue.why_not("sokoban", spec, pulls) or "")
    assert catalogue.why_not("sokoban", spec, level(CORRIDOR)) is None
    other = models.find("2048-small")
    if other is not None:
        with pytest.raises(CatalogueError, match="for ntuple in twenty48"):
            catalogue.create("sokoban", catalogue.parse("sokoban", f"{agent}:2048-small"))


def test_a_larger_level_is_played_with_a_remark(tmp_path: Path) -> None:
    small = model_file(tmp_path, board="6x6")
    found = plan(f"policy:{small}", level(CORRIDOR))
    assert found.status is Status.SOLVED and "larger than those it was trained on: 6x6" in found.note


SHIPPED = Path(__file__).resolve().parents[4] / "saves" / "models"


def shipped() -> list[ModelCard]:
    """Trained networks that come with the app, the one that learned from the most rooms last."""
    cards = [card for card in models.listing([SHIPPED]) if (card.game, card.agent) == ("sokoban", "policy")]
    return sorted((card for card in cards if card.problem is None), key=lambda card: card.games)


@pytest.mark.skipif(not shipped(), reason="no trained network ships")
def test_a_trained_network_solves_new_rooms() -> None:
    card, states = shipped()[-1], [ROOMS.state(number) for number in range(12)]
    played = [plan(f"policy:{card.path}", state) for state in states]
    searched = [plan(f"policy-search:{card.path},expansions=300", state) for state in states]
    print(card.name, [str(each.status) for each in played], [each.nodes for each in searched])
    assert sum(each.status is Status.SOLVED for each in played) >= 10
    assert all(
        each.status is Status.SOLVED and pushes_of(state, each) for state, each in zip(states, searched, strict=True)
    )


@pytest.mark.skipif(not shipped(), reason="no trained network ships")
def test_training_makes_it_better_than_chance(model: Path) -> None:
    rooms_of_four = make_rooms(seed=6, rows=10, cols=10, boxes=4, count=30)
    states = [rooms_of_four.state(number) for number in range(30)]
    shares = [
        sum(plan(f"policy:{path}", state).status is Status.SOLVED for state in states)
        for path in (model, *(card.path for card in shipped()))
    ]
    print(shares)
    assert min(shares[1:]) > 15 > shares[0]
