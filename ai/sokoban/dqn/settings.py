"""What a training of a DQN is told, and the boards it is told about. Needs neither numba nor torch."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from ai.entries import SECONDS, Parameter
from game.rules import levels, sokoban
from game.rules.levels import LevelError

PROGRAM = Path(__file__).resolve().parents[3]
PACK = "levels/4-report.xsb"


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train sokoban dqn`; `PARAMETERS` says what each may be."""

    level: str = PACK
    number: int = 1
    pull: bool = False
    rows: int = 7
    cols: int = 7
    boxes: int = 1
    rooms: int = 0
    hidden1: int = 256
    hidden2: int = 128
    double: bool = True
    dueling: bool = True
    ahead: int = 5
    prioritised: bool = False
    environments: int = 16
    updates: int = 1
    batch: int = 64
    rate: float = 0.001
    discount: float = 0.98
    step: float = 0.05
    solved: float = 5.0
    dead: float = 3.0
    shaping: float = 0.25
    walking: float = 0.05
    epsilon: float = 0.05
    exploration: int = 30_000
    backwards: float = 0.95
    replays: str = ""
    start: str = ""
    memory: int = 100_000
    target: int = 200
    limit: int = 120
    patience: int = 25_000
    seconds: float = 180.0
    games: int = 0


PARAMETERS = (
    Parameter("level", "Level", "text", PACK, "A file of levels: beside the program, or a path."),
    Parameter("number", "Number", "int", 1, "Which level of the file.", 1, 10_000),
    Parameter("pull", "Pulls", "bool", False, "Whether boxes are pulled as well, whatever the level says."),
    Parameter(
        "rooms", "Rooms", "int", 0, "So many rooms from the generator instead of a level; 0: the level.", 0, 4096
    ),
    Parameter("rows", "Rows", "int", 7, "Of a room.", 5, 20),
    Parameter("cols", "Columns", "int", 7, "Of a room.", 5, 20),
    Parameter("boxes", "Boxes", "int", 1, "In a room.", 1, 10),
    Parameter("hidden1", "First layer", "int", 256, "Units of the first hidden layer.", 8, 1024, advanced=True),
    Parameter("hidden2", "Second layer", "int", 128, "Units of the second hidden layer.", 8, 1024, advanced=True),
    Parameter("double", "Double", "bool", True, "Choose by one network, estimate by the other.", advanced=True),
    Parameter("dueling", "Dueling", "bool", True, "Value and advantages apart.", advanced=True),
    Parameter("ahead", "Steps ahead", "int", 5, "n of the n-step returns.", 1, 20),
    Parameter("prioritised", "Prioritised", "bool", False, "Learn more often what was estimated badly."),
    Parameter("environments", "Games at once", "int", 16, "Games played side by side.", 1, 256),
    Parameter("updates", "Updates", "int", 1, "Batches learned after each step of all games.", 1, 16),
    Parameter("batch", "Batch", "int", 64, "Transitions of a batch.", 8, 1024),
    Parameter("rate", "Learning rate", "float", 0.001, "Of Adam.", 1e-6, 0.1),
    Parameter("discount", "Discount", "float", 0.98, "γ: what a reward is worth a step later.", 0.5, 0.9999),
    Parameter("step", "Step", "float", 0.05, "Cost of a step.", 0.0, 10.0),
    Parameter("solved", "Solved", "float", 5.0, "Reward for a solution.", 0.0, 1000.0),
    Parameter("dead", "Deadlock", "float", 3.0, "Cost of a proved deadlock; more than step / (1 - γ).", 0.0, 1000.0),
    Parameter("shaping", "Shaping", "float", 0.25, "Potential: so much for each push of the matching.", 0.0, 100.0),
    Parameter(
        "walking", "Walking", "float", 0.05, "Potential: so much for each step to the nearest such push.", 0.0, 10.0
    ),
    Parameter("epsilon", "Smallest ε", "float", 0.05, "Random actions in the end.", 0.0, 1.0),
    Parameter("exploration", "Exploration", "int", 30_000, "Steps in which ε falls from 1.", 1, 100_000_000),
    Parameter(
        "backwards",
        "Backwards",
        "float",
        0.95,
        "Share of games that begin before a solution, farther and farther from it.",
        0.0,
        0.95,
    ),
    Parameter("replays", "Replays", "text", "", "A person's solved games of the board: a file or a folder."),
    Parameter("start", "Start from", "text", "", "A policy network whose games it learns from too."),
    Parameter("memory", "Memory", "int", 100_000, "Transitions in the replay memory.", 1_000, 1_000_000),
    Parameter("target", "Target", "int", 200, "Updates between copies to the target network.", 1, 100_000),
    Parameter("limit", "Limit", "int", 120, "Steps after which a game is given up.", 5, 2_000),
    Parameter(
        "patience",
        "Patience",
        "int",
        25_000,
        "Updates without a shorter solution before it stops; 0: never.",
        0,
        10**7,
    ),
    replace(SECONDS, default=180.0),
    Parameter("games", "Games", "int", 0, "Games of this run, 0 for no limit.", 0, 1_000_000_000),
)


def level_of(path: str, number: int) -> levels.Level:
    """A level of a file, given by its path or by its path beside the program.

    Raises:
        ValueError: it is not there or cannot be read, in one sentence.
    """
    file = Path(path)
    if not file.is_absolute() and not os.path.isfile(file):
        file = PROGRAM / path
    try:
        pack = levels.read(file)
    except LevelError as error:
        raise ValueError(str(error)) from None
    if not 1 <= number <= len(pack.levels):
        raise ValueError(f"{file.name} has {len(pack.levels)} levels: number={number} is none of them")
    return pack.levels[number - 1]


def check(settings: Settings) -> None:
    """Raise ValueError where the settings contradict each other."""
    endless = settings.step / (1 - settings.discount)
    if settings.dead <= endless:
        raise ValueError(
            f"dead={settings.dead:g} has to be more than step / (1 - discount) = {endless:g}: "
            "otherwise a deadlock costs less than playing on, and that is what is learned"
        )


def why_not(state: sokoban.State) -> str | None:
    """Why a DQN cannot play a position; None where it can."""
    rules = state.warehouse.rules
    if rules.fixed or rules.players == 2 or not rules.push or state.warehouse.entry >= 0:
        return f"it plays push only and push & pull, not {rules.name}"
    return None


def with_pulls(state: sokoban.State, pull: bool) -> sokoban.State:
    """The position under rules that allow pulls, where `pull`."""
    if not pull or state.warehouse.rules.pull:
        return state
    rules = replace(state.warehouse.rules, pull=True)
    return sokoban.State(replace(state.warehouse, rules=rules), state.boxes, state.player, state.second, state.placed)


def board_name(state: sokoban.State) -> str:
    """What headers of models call a board: '9x11', or '9x11 push & pull'."""
    warehouse = state.warehouse
    size = f"{warehouse.rows}x{warehouse.cols}"
    return size if warehouse.rules == sokoban.PUSH_ONLY else f"{size} {warehouse.rules.name}"
