"""The policy asked on two levels: one box at a time to a target."""

import pytest

from ai.agent import Plan, Status, Thinking
from ai.sokoban.policy.agent import Policy
from ai.sokoban.rooms.maker import make_rooms
from game.rules import sokoban
from tests.ai.sokoban.levels import pushes_of
from tests.ai.sokoban.policy.files import model_file

ROOMS = make_rooms(seed=2, rows=8, cols=8, boxes=2, count=40, mode="fast")


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> tuple[Policy, Policy]:
    model = model_file(tmp_path_factory.mktemp("policy"))
    return Policy(model, views=1, caution=0), Policy(model, levels="macro", views=1, caution=0)


def rests(state: sokoban.State, plan: Plan) -> list[bool]:
    """Whether each box stood on a target when another one was pushed."""
    found, last = [], None
    for action in plan.actions:
        moved = sokoban.moved_box(state, action) if sokoban.moves_box(state, action) else None
        if moved is not None and last is not None and moved != last:
            found.append(last in state.warehouse.targets)
        state = sokoban.apply(state, action)
        if moved is not None:
            last = state.warehouse.steps[moved][action]
    return found


def test_a_box_goes_on_until_it_stands_on_a_target(agents: tuple[Policy, Policy]) -> None:
    flat, macro = (
        [(state, agent.plan(state, Thinking())) for state in map(ROOMS.state, range(40))] for agent in agents
    )
    shares = []
    for answers in (flat, macro):
        changes = []
        for state, plan in answers:
            if plan.status is Status.SOLVED:
                assert pushes_of(state, plan) == plan.nodes == len(plan.choices)
                changes += rests(state, plan)
        print(f"{len(changes)} changes of boxes, {sum(changes)} of them left on a target")
        shares.append(sum(changes) / len(changes))
    assert shares[1] > shares[0]


def test_where_no_box_gets_there_alone_single_pushes_are_made(agents: tuple[Policy, Policy]) -> None:
    answers = [agents[1].plan(ROOMS.state(number), Thinking(nodes=30)) for number in range(40)]
    assert {each.status for each in answers} == {Status.SOLVED, Status.GAVE_UP}
    assert all(each.nodes <= 30 for each in answers)
