"""The rule variants: moves against a naive twin, paths, deadlocks and playing backwards against exhaustive search."""

import random
from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from game.rules import levels, sokoban
from game.rules.sokoban import Rules, State

WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
RULES = (
    Rules(pull=True),
    Rules(fixed=True),
    Rules(players=2),
    Rules(pull=True, push=False),
    Rules(pull=True, fixed=True, players=2),
)


def show(state: State) -> str:
    placed = f" {state.placed} {state.warehouse.homes}" if state.placed else ""
    return f"\n{state.warehouse.rules.name}{placed}\n" + "\n".join(levels.board(state))


def room(seed: int, rules: Rules, most: int = 3) -> State:
    """A small room with some boxes."""
    rng = random.Random(seed)
    rows, cols = rng.randint(2, 5), rng.randint(3, 5)
    cells = [1 if rng.random() < 0.12 else 0 for _ in range(rows * cols)]
    free = rng.sample(range(rows * cols), rows * cols)
    count = rng.randint(1, most)
    for square in free[:count]:
        cells[square] = 2
    targets = rng.sample([square for square in free if square not in free[-2:]], count)
    for square in targets:
        cells[square] = 5 if cells[square] == 2 else 3
    cells[free[-1]] = 4
    if rules.players == 2:
        cells[free[-2]] = 12
    state = sokoban.from_array(np.pad(np.array(cells).reshape(rows, cols), 1, constant_values=1), rules)
    if rules.fixed:
        placed = list(state.placed)
        rng.shuffle(placed)
        state = replace(state, placed=tuple(placed))
    return state


class Twin:
    """The game on a dictionary square -> thing, as one would explain it."""

    def __init__(self, state: State) -> None:
        self.rules, self.cols = state.warehouse.rules, state.warehouse.cols
        self.things: dict[int, str] = dict.fromkeys(state.warehouse.walls, "#")
        for number, box in enumerate(state.placed or sorted(state.boxes)):
            self.things[box] = f"box {number}"
        self.things[state.player] = "first"
        if state.second >= 0:
            self.things[state.second] = "second"

    def act(self, action: int) -> bool:
        """Play it if it is legal."""
        second, pull, way = action >= 8, action % 8 >= 4, action % 4
        who = "second" if second else "first"
        if (second and self.rules.players == 1) or (pull and not self.rules.pull):
            return False
        at = next(square for square, thing in self.things.items() if thing == who)
        step = WAYS[way][0] * self.cols + WAYS[way][1]
        ahead, behind = self.things.get(at + step), self.things.get(at - step, "")
        if pull:
            if ahead is not None or not behind.startswith("box"):
                return False
            self.things[at + step], self.things[at] = who, behind
            del self.things[at - step]
            return True
        if ahead is not None:
            if not ahead.startswith("box") or not self.rules.push or at + 2 * step in self.things:
                return False
            self.things[at + 2 * step] = ahead
        self.things[at + step] = who
        del self.things[at]
        return True


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32), st.sampled_from(RULES), st.lists(st.integers(0, 15), max_size=60))
def test_moves_like_the_naive_twin(seed: int, rules: Rules, actions: list[int]) -> None:
    state = room(seed, rules)
    twin = Twin(state)
    for action in actions:
        print(show(state), action)
        legal = action in sokoban.legal_actions(state)
        assert twin.act(action) == legal
        if not legal:
            with pytest.raises(ValueError, match="not legal"):
                sokoban.apply(state, action)
            continue
        lurd = sokoban.to_lurd(state, (action,))
        assert sokoban.from_lurd(lurd) == sokoban.from_lurd(lurd.lower()) == (action,)
        before, state = state, sokoban.apply(state, action)
        assert sokoban.moves_box(before, action) == (before.boxes != state.boxes) == lurd[-1].isupper()
        assert sokoban.is_push(before, action) == (lurd[-1].isupper() and "-" not in lurd)
        found = {square: thing for square, thing in twin.things.items() if thing.startswith("box")}
        assert state.boxes == frozenset(found)
        if rules.fixed:
            assert found == {square: f"box {number}" for number, square in enumerate(state.placed)}
        assert twin.things[state.player] == "first"
        assert state.second < 0 or twin.things[state.second] == "second"
        home = state.placed == state.warehouse.homes if rules.fixed else state.boxes == state.warehouse.targets
        assert sokoban.is_solved(state) == home


class TooLarge(Exception):
    """More positions than a test has time for."""


def searched(state: State, most: int = 100_000) -> tuple[int, ...] | None:
    """The shortest solution, by trying every action in every position; `TooLarge` after so many of them."""
    came: dict[State, tuple[State, int] | None] = {state: None}
    queue = deque([state])
    while queue:
        here = queue.popleft()
        if sokoban.is_solved(here):
            actions: list[int] = []
            while (step := came[here]) is not None:
                here, action = step
                actions.append(action)
            return tuple(reversed(actions))
        for action in sokoban.legal_actions(here):
            after = sokoban.apply(here, action)
            if after not in came:
                came[after] = (here, action)
                queue.append(after)
        if len(came) >= most:
            raise TooLarge
    return None


@settings(deadline=None, max_examples=60)
@example(189, Rules(players=2, fixed=True, pull=True))  # a room of more positions than are tried
@given(st.integers(0, 2**32), st.sampled_from(RULES))
def test_dead_positions_have_no_solution(seed: int, rules: Rules) -> None:
    state = room(seed, rules, 2)
    stuck = sokoban.stuck_boxes(state)
    print(show(state), stuck)
    assert stuck <= state.boxes
    if stuck:
        assert sokoban.is_dead(state)
    if sokoban.is_dead(state):
        try:
            assert searched(state) is None
        except TooLarge:
            reject()


def test_most_unsolvable_positions_are_found() -> None:
    """Deadlocks are still found under every variant, not only none reported by mistake."""
    for rules in RULES[:4]:
        dead = found = 0
        for seed in range(40):
            state = room(seed, rules, 2)
            if searched(state) is None:
                dead += 1
                found += sokoban.is_dead(state)
        print(rules.name, found, dead)
        assert dead >= 3
        assert found / dead > 0.5


def test_dead_squares_belong_to_a_letter() -> None:
    pack = levels.parse("#######\n#A    #\n# ab @#\n#    B#\n#######\n", "two")
    warehouse = pack.levels[0].state.warehouse
    corners = [8, 12, 22, 26]
    dead = {letter: [s for s in corners if s in sokoban.dead_squares(warehouse, letter)] for letter in ("a", "b", "")}
    print(dead)
    assert dead == {"a": [12, 22, 26], "b": [8, 12, 22], "": [12, 22]}


def box_costs(state: State, box: int, second: bool) -> dict[int, tuple[int, int]]:
    """Square -> (fewest pushes and pulls, then fewest moves) of one box by one player alone."""
    others = state.boxes - {box}
    start = replace(state, placed=())
    best = {start: (0, 0)}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for action in sokoban.legal_actions(here):
            after = sokoban.apply(here, action)
            if (action >= 8) != second or not others <= after.boxes:
                continue
            pushes, moves = best[here]
            cost = (pushes + (after.boxes != here.boxes), moves + 1)
            if after not in best or cost < best[after]:
                best[after] = cost
                queue.append(after)
    costs: dict[int, tuple[int, int]] = {}
    for position, cost in best.items():
        (at,) = position.boxes - others
        costs[at] = min(costs.get(at, cost), cost)
    return costs


def play(state: State, actions: tuple[int, ...]) -> State:
    for action in actions:
        state = sokoban.apply(state, action)
    return state


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(RULES), st.booleans())
def test_moving_one_box_is_shortest(seed: int, rules: Rules, second: bool) -> None:
    state = room(seed, rules)
    second = second and rules.players == 2
    print(show(state), second)
    box = min(state.boxes)
    costs = box_costs(state, box, second)
    assert sokoban.push_targets(state, box, second) == set(costs) - {box}
    for square in range(state.warehouse.rows * state.warehouse.cols):
        path = sokoban.push_path(state, box, square, second)
        assert (path is not None) == (square in costs)
        if path is not None:
            lurd = sokoban.to_lurd(state, path)
            assert (sum(letter.isupper() for letter in lurd), len(path)) == costs[square], (square, lurd)
            assert play(state, path).boxes == state.boxes - {box} | {square}
        walk = sokoban.walk_path(state, square, second)
        assert (walk is not None) == (square in sokoban.reachable(state, second))
        if walk is not None:
            after = play(state, walk)
            assert (after.boxes, after.second if second else after.player) == (state.boxes, square)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from((Rules(), Rules(pull=True), Rules(fixed=True))))
def test_a_level_solved_backwards_is_solved_forwards(seed: int, rules: Rules) -> None:
    level = room(seed, rules, 2)
    if sokoban.is_solved(level) or not sokoban.can_reverse(level):
        return
    back = [sokoban.backwards(level, square) for square in sorted(level.warehouse.connected([level.player]) -
                                                                 level.warehouse.targets)]  # fmt: skip
    found = [(first, actions) for first in back if (actions := searched(first)) is not None]
    print(show(level), [sokoban.to_lurd(*each) for each in found])
    assert bool(found) == (searched(level) is not None)
    for first, actions in found:
        solution = sokoban.forwards(first, actions)
        assert sokoban.is_solved(play(level, solution))
        moved = sum(letter.isupper() for letter in sokoban.to_lurd(first, actions))
        assert sum(letter.isupper() for letter in sokoban.to_lurd(level, solution)) == moved
    with pytest.raises(ValueError, match="not finished"):
        sokoban.forwards(back[0], ())


@pytest.mark.parametrize(
    ("text", "rules", "name"),
    [
        ("", Rules(), "push only"),
        ("Sokoban", Rules(), "push only"),
        ("push only", Rules(), "push only"),
        ("Push & Pull", Rules(pull=True), "push & pull"),
        ("pull", Rules(pull=True), "push & pull"),
        ("push-pull", Rules(pull=True), "push & pull"),
        ("pull only", Rules(pull=True, push=False), "pull only"),
        ("fixed", Rules(fixed=True), "fixed targets"),
        ("fixed_targets", Rules(fixed=True), "fixed targets"),
        ("Two players", Rules(players=2), "two players"),
        ("2 players", Rules(players=2), "two players"),
        ("two + pull + fixed", Rules(True, True, 2), "push & pull, fixed targets, two players"),
    ],
)
def test_variants_are_named(text: str, rules: Rules, name: str) -> None:
    assert sokoban.rules_of(text) == rules
    assert rules.name == name
    assert sokoban.rules_of(rules.name) == rules


def test_variants_have_short_names() -> None:
    found = [rules.brief for rules in (Rules(), *RULES)]
    assert found == ["push", "pull", "fixed", "two", "pull", "all rules"]
    assert Rules(pull=True, players=2).brief == "pull + two"


@pytest.mark.parametrize("text", ["hexoban", "push, pull & jump", "players", "only", "targets", "3 players"])
def test_unknown_variants_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not known"):
        sokoban.rules_of(text)
