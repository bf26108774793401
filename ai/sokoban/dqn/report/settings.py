"""What a training of the report's DQN is told. Needs neither numba nor torch."""

from dataclasses import dataclass

from ai.entries import SECONDS, Parameter
from ai.sokoban.dqn.settings import PACK
from ai.sokoban.dqn.shapes import CONVOLUTIONS


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """Of `train sokoban dqn-report`; the defaults are the report's."""

    level: str = PACK
    number: int = 1
    network: str = "report"
    input: str = "one-hot"
    episodes: int = 1000
    steps: int = 50
    rate: float = 0.001
    batch: int = 32
    discount: float = 0.99
    memory: int = 50_000
    target: int = 10
    epsilon: float = 0.01
    decay: float = 0.998
    step: float = -0.1
    nearer: float = 5.0
    farther: float = -2.0
    on: float = 20.0
    off: float = -10.0
    solved: float = 100.0
    stuck: float = -50.0
    every: int = 100
    seconds: float = 0.0


def _reward(name: str, title: str, default: float, what: str) -> Parameter:
    return Parameter(name, title, "float", default, f"Reward: {what}.", -1000.0, 1000.0, advanced=True)


PARAMETERS = (
    Parameter("level", "Level", "text", PACK, "A file of levels: beside the program, or a path."),
    Parameter("number", "Number", "int", 1, "Which level of the file.", 1, 10_000),
    Parameter(
        "network",
        "Network",
        "choice",
        "report",
        "Three layers of convolution and one of 512 units; none and two; five and two.",
        choices=tuple(CONVOLUTIONS),
    ),
    Parameter(
        "input", "Input", "choice", "one-hot", "Seven planes, or one of numbers.", choices=("one-hot", "scalar")
    ),
    Parameter("episodes", "Episodes", "int", 1000, "In all.", 1, 1_000_000),
    Parameter("steps", "Steps", "int", 50, "Of an episode at most.", 1, 10_000),
    Parameter("rate", "Learning rate", "float", 0.001, "Of Adam.", 1e-6, 0.1),
    Parameter("batch", "Batch", "int", 32, "Transitions of a batch.", 1, 1024),
    Parameter("discount", "Discount", "float", 0.99, "γ: what a reward is worth a step later.", 0.0, 1.0),
    Parameter("memory", "Memory", "int", 50_000, "Transitions in the replay memory.", 100, 1_000_000),
    Parameter("target", "Target", "int", 10, "Train steps between copies to the target network.", 1, 100_000),
    Parameter("epsilon", "Smallest ε", "float", 0.01, "Random actions in the end.", 0.0, 1.0),
    Parameter("decay", "Decay of ε", "float", 0.998, "ε times this after every train step, from 1.", 0.5, 1.0),
    _reward("step", "Step", -0.1, "of every step"),
    _reward("nearer", "Nearer", 5.0, "the first box comes nearer to the first target"),
    _reward("farther", "Farther", -2.0, "it goes away from it"),
    _reward("on", "On target", 20.0, "a box comes onto a target"),
    _reward("off", "Off target", -10.0, "a box leaves one"),
    _reward("solved", "Solved", 100.0, "all boxes on targets"),
    _reward("stuck", "Stuck", -50.0, "a box in a corner, which ends the game"),
    Parameter(
        "every", "Checkpoint", "int", 100, "Episodes between the checkpoints that are kept; 0: none.", 0, 10_000
    ),
    SECONDS,
)
