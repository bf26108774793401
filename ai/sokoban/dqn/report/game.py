"""The game as the report's DQN plays it: its rewards and its test for failure, quirks included.

What is unusual, and kept as it was:

- Coming nearer is measured between the first box of the board and the first target that had no box at the start, rows
  first; other boxes and targets do not count, and after a push another box may be the first.
- Nearer pays more than farther costs: pushing a box away and back earns `nearer + farther`.
- A box in a corner counts as stuck even on a target. Boxes along a wall without a target do not.
- The win is tested before the failure, so the last box may end in a corner, and no other box may.
- A step into a wall is possible: nothing moves, and it costs what a step costs.
"""

from dataclasses import dataclass

from game.rules import sokoban


@dataclass(frozen=True, slots=True)
class Rewards:
    """As the report has them."""

    step: float = -0.1
    nearer: float = 5.0
    farther: float = -2.0
    on: float = 20.0
    """For a box that comes onto a target."""
    off: float = -10.0
    solved: float = 100.0
    stuck: float = -50.0


def first_target(start: sokoban.State) -> int:
    """The target that counts all game long; -1 where every one has a box."""
    return min(start.warehouse.targets - start.boxes, default=-1)


def distance(state: sokoban.State, target: int) -> int:
    """Rows and columns from the first box to the target; 0 where there is none."""
    if target < 0:
        return 0
    cols = state.warehouse.cols
    row, col = divmod(min(state.boxes), cols)
    return abs(row - target // cols) + abs(col - target % cols)


def is_stuck(state: sokoban.State) -> bool:
    """Whether a box has two neighbours at a right angle that are walls or boxes not on a target."""
    warehouse = state.warehouse
    hard = state.boxes - warehouse.targets
    for box in state.boxes:
        up, right, down, left = (other < 0 or other in hard for other in warehouse.steps[box])
        if (up or down) and (left or right):
            return True
    return False


def step(state: sokoban.State, action: int, target: int, rewards: Rewards) -> tuple[sokoban.State, float, bool]:
    """(the position after it, the reward, whether the game is over) of any of the four actions."""
    after = sokoban.apply(state, action) if action in sokoban.legal_actions(state) else state
    found = rewards.step
    before_distance, after_distance = distance(state, target), distance(after, target)
    if after_distance < before_distance:
        found += rewards.nearer
    elif after_distance > before_distance:
        found += rewards.farther
    targets = state.warehouse.targets
    change = len(after.boxes & targets) - len(state.boxes & targets)
    found += rewards.on if change > 0 else rewards.off if change < 0 else 0.0
    if sokoban.is_solved(after):
        return after, found + rewards.solved, True
    if is_stuck(after):
        return after, found + rewards.stuck, True
    return after, found, False
