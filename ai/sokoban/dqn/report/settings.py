"""What a training of the report's DQN is told. Needs neither numba nor torch."""

from dataclasses import dataclass

from ai.entries import COUNT, Figure
from ai.settings import seconds_to_learn, setting
from ai.sokoban.dqn.settings import PACK
from ai.sokoban.dqn.shapes import CONVOLUTIONS

FIGURES = {
    "games": COUNT,
    "episodes": COUNT,
    "steps": COUNT,
    "success": Figure(scale="share", words="{:.0%} of the last 100 games solved"),
    "epsilon": Figure("Exploration ε", "share", "ε {:.2f}"),
}


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """Of `train sokoban dqn-report`; the defaults are the report's."""

    level: str = setting(PACK, "Level", "A file of levels: beside the program, or a path.")
    number: int = setting(1, "Number", "Which level of the file.", 1, 10_000)
    network: str = setting(
        "report",
        "Network",
        "Three layers of convolution and one of 512 units; none and two; five and two.",
        choices=tuple(CONVOLUTIONS),
    )
    input: str = setting("one-hot", "Input", "Seven planes, or one of numbers.", choices=("one-hot", "scalar"))
    episodes: int = setting(1000, "Episodes", "In all.", 1, 1_000_000)
    steps: int = setting(50, "Steps", "Of an episode at most.", 1, 10_000)
    rate: float = setting(0.001, "Learning rate", "Of Adam.", 1e-06, 0.1)
    batch: int = setting(32, "Batch", "Transitions of a batch.", 1, 1024)
    discount: float = setting(0.99, "Discount", "γ: what a reward is worth a step later.", 0.0, 1.0)
    memory: int = setting(50_000, "Memory", "Transitions in the replay memory.", 100, 1_000_000)
    target: int = setting(10, "Target", "Train steps between copies to the target network.", 1, 100_000)
    epsilon: float = setting(0.01, "Smallest ε", "Random actions in the end.", 0.0, 1.0)
    decay: float = setting(0.998, "Decay of ε", "ε times this after every train step, from 1.", 0.5, 1.0)
    step: float = setting(-0.1, "Step", "Reward: of every step.", -1000.0, 1000.0, advanced=True)
    nearer: float = setting(
        5.0, "Nearer", "Reward: the first box comes nearer to the first target.", -1000.0, 1000.0, advanced=True
    )
    farther: float = setting(-2.0, "Farther", "Reward: it goes away from it.", -1000.0, 1000.0, advanced=True)
    on: float = setting(20.0, "On target", "Reward: a box comes onto a target.", -1000.0, 1000.0, advanced=True)
    off: float = setting(-10.0, "Off target", "Reward: a box leaves one.", -1000.0, 1000.0, advanced=True)
    solved: float = setting(100.0, "Solved", "Reward: all boxes on targets.", -1000.0, 1000.0, advanced=True)
    stuck: float = setting(
        -50.0, "Stuck", "Reward: a box in a corner, which ends the game.", -1000.0, 1000.0, advanced=True
    )
    every: int = setting(100, "Checkpoint", "Episodes between the checkpoints that are kept; 0: none.", 0, 10_000)
    seconds: float = seconds_to_learn()
