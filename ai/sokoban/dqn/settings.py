"""What the agent and a training of a DQN are told, and the boards it is told about. Needs neither numba nor torch."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from ai.entries import COUNT, SHARE, Figure
from ai.program import ROOT
from ai.settings import seconds_to_learn, setting
from game.rules import levels, sokoban
from game.rules.levels import LevelError

PACK = "levels/4-report.xsb"


FIGURES = {
    "games": COUNT,
    "episodes": COUNT,
    "steps": COUNT,
    "updates": COUNT,
    "success": Figure(scale="share", words="{:.0%} of the last 100 games solved"),
    "epsilon": Figure("Exploration ε", "share", "ε {:.2f}"),
    "greedy_success": SHARE,
    "best_success": SHARE,
    "best_moves": Figure(words="best greedy game {:.1f} moves"),
    "best_updates": COUNT,
}


@dataclass(eq=False)
class DqnSettings:
    """Of the agent `dqn`."""

    model: Path
    steps: int = setting(500, "Steps", "Before it gives up.", 1, 100_000)
    plan_: str = setting(
        "game",
        "Plan",
        "Whether it plays the whole game in mind first, or shows the values of every step.",
        choices=("game", "step"),
    )
    loops: bool = setting(
        False, "Refuse loops", "Never does the same again in a position where it has been.", advanced=True
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Of `train sokoban dqn`."""

    level: str = setting(PACK, "Level", "A file of levels: beside the program, or a path.")
    number: int = setting(1, "Number", "Which level of the file.", 1, 10_000)
    pull: bool = setting(False, "Pulls", "Whether boxes are pulled as well, whatever the level says.")
    rooms: int = setting(0, "Rooms", "So many rooms from the generator instead of a level; 0: the level.", 0, 4096)
    rows: int = setting(7, "Rows", "Of a room.", 5, 20)
    cols: int = setting(7, "Columns", "Of a room.", 5, 20)
    boxes: int = setting(1, "Boxes", "In a room.", 1, 10)
    hidden1: int = setting(256, "First layer", "Units of the first hidden layer.", 8, 1024, advanced=True)
    hidden2: int = setting(128, "Second layer", "Units of the second hidden layer.", 8, 1024, advanced=True)
    double: bool = setting(True, "Double", "Choose by one network, estimate by the other.", advanced=True)
    dueling: bool = setting(True, "Dueling", "Value and advantages apart.", advanced=True)
    ahead: int = setting(5, "Steps ahead", "n of the n-step returns.", 1, 20)
    prioritised: bool = setting(False, "Prioritised", "Learn more often what was estimated badly.")
    environments: int = setting(16, "Games at once", "Games played side by side.", 1, 256)
    updates: int = setting(1, "Updates", "Batches learned after each step of all games.", 1, 16)
    batch: int = setting(64, "Batch", "Transitions of a batch.", 8, 1024)
    rate: float = setting(0.001, "Learning rate", "Of Adam.", 1e-06, 0.1)
    discount: float = setting(0.98, "Discount", "γ: what a reward is worth a step later.", 0.5, 0.9999)
    step: float = setting(0.05, "Step", "Cost of a step.", 0.0, 10.0)
    solved: float = setting(5.0, "Solved", "Reward for a solution.", 0.0, 1000.0)
    dead: float = setting(3.0, "Deadlock", "Cost of a proved deadlock; more than step / (1 - γ).", 0.0, 1000.0)
    shaping: float = setting(0.25, "Shaping", "Potential: so much for each push of the matching.", 0.0, 100.0)
    walking: float = setting(0.05, "Walking", "Potential: so much for each step to the nearest such push.", 0.0, 10.0)
    epsilon: float = setting(0.05, "Smallest ε", "Random actions in the end.", 0.0, 1.0)
    exploration: int = setting(30_000, "Exploration", "Steps in which ε falls from 1.", 1, 100_000_000)
    backwards: float = setting(
        0.95, "Backwards", "Share of games that begin before a solution, farther and farther from it.", 0.0, 0.95
    )
    replays: str = setting("", "Replays", "A person's solved games of the board: a file or a folder.")
    start: str = setting("", "Start from", "A policy network whose games it learns from too.")
    memory: int = setting(100_000, "Memory", "Transitions in the replay memory.", 1000, 1_000_000)
    target: int = setting(200, "Target", "Updates between copies to the target network.", 1, 100_000)
    limit: int = setting(120, "Limit", "Steps after which a game is given up.", 5, 2000)
    patience: int = setting(
        25_000, "Patience", "Updates without a shorter solution before it stops; 0: never.", 0, 10_000_000
    )
    seconds: float = seconds_to_learn(180.0)
    games: int = setting(0, "Games", "Games of this run, 0 for no limit.", 0, 1_000_000_000)


def level_of(path: str, number: int) -> levels.Level:
    """A level of a file, given by its path or by its path beside the program.

    Raises:
        ValueError: it is not there or cannot be read, in one sentence.
    """
    file = Path(path)
    if not file.is_absolute() and not os.path.isfile(file):
        file = ROOT / path
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
