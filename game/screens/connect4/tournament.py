"""A tournament of agents: what is to be played, and who has won how often."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ai import child
from ai.entries import Spec
from game.play import matches
from game.play.asking import told
from game.rules import connect4
from game.rules.connect4 import Shape

SEED = 0


@dataclass(frozen=True, slots=True)
class Game:
    """One game that ended."""

    number: int
    who: tuple[int, ...]
    """The entrant on each seat."""
    winner: int | None
    """The seat that won."""
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    """Thought on each seat."""
    asked: tuple[int, ...]
    """Moves thought about on each seat; those of the opening are nobody's."""

    def point(self, seat: int) -> float:
        """1 for a win, 0 for a loss; a draw is shared among all players."""
        return 1 / len(self.who) if self.winner is None else float(self.winner == seat)


@dataclass(frozen=True, slots=True)
class Cup:
    """What is to be played."""

    specs: tuple[Spec, ...]
    shape: Shape
    games: int
    """Of each pair (of each group of as many agents as there are seats), at least."""
    plies: int
    """Length of the random openings, each played in every order; 0 for the empty board."""
    seconds: float | None
    """For a move; None: the agents' own limits."""

    @property
    def wanted(self) -> int:
        """Games in all."""
        return len(matches.schedule(len(self.specs), self.shape.players, self.games))

    def problem(self) -> str | None:
        """Why it cannot be played, in one sentence."""
        if len(self.specs) < self.shape.players:
            return f"A board for {self.shape.players} players needs at least {self.shape.players} agents."
        if self.plies >= self.shape.cells:
            return "The openings are as long as a whole game on this board."
        return None

    def command(self) -> list[str]:
        """What the process is started with."""
        agents = [told(spec) for spec in self.specs]
        said = {"agents": agents, "board": str(self.shape), "players": self.shape.players, "games": self.games,
                "plies": self.plies, "seconds": self.seconds, "seed": SEED}  # fmt: skip
        return child.command("game.screens.connect4.tournament_job", json.dumps(said))


@dataclass(slots=True)
class Count:
    """Games and points of one agent, or of one against another."""

    games: int = 0
    points: float = 0.0
    squares: float = 0.0

    def add(self, point: float) -> None:
        """One game more."""
        self.games += 1
        self.points += point
        self.squares += point * point

    @property
    def share(self) -> float:
        """Mean points of a game."""
        return self.points / self.games if self.games else 0.0

    @property
    def error(self) -> float | None:
        """Standard error of the share; None before the second game."""
        if self.games < 2:
            return None
        spread = max(0.0, self.squares - self.points * self.points / self.games) / (self.games - 1)
        return float((spread / self.games) ** 0.5)


class CrossTable:
    """Everybody's points against everybody; with more than two seats, in the games that both sat in."""

    def __init__(self, entrants: int) -> None:
        """Nothing played."""
        self.pairs = [[Count() for _ in range(entrants)] for _ in range(entrants)]
        self.totals = [Count() for _ in range(entrants)]
        self.seconds = [0.0] * entrants
        self.asked = [0] * entrants

    def add(self, game: Game) -> None:
        """One game more."""
        for seat, entrant in enumerate(game.who):
            point = game.point(seat)
            self.totals[entrant].add(point)
            self.seconds[entrant] += game.seconds[seat]
            self.asked[entrant] += game.asked[seat]
            for other in game.who:
                if other != entrant:
                    self.pairs[entrant][other].add(point)

    def per_move(self, entrant: int) -> float | None:
        """Seconds that a move took the agent."""
        return self.seconds[entrant] / self.asked[entrant] if self.asked[entrant] else None

    def ranking(self) -> list[int]:
        """The entrants, the best first."""
        return sorted(range(len(self.totals)), key=lambda entrant: (-self.totals[entrant].share, entrant))


@dataclass
class Progress:
    """A tournament so far."""

    cup: Cup
    began: str = ""
    """When, as an ISO time."""
    games: list[Game] = field(default_factory=list)
    now: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """Who sits where in the game under way, and its moves."""
    problem: str = ""
    """One sentence when it broke off."""

    def __post_init__(self) -> None:
        self.table = CrossTable(len(self.cup.specs))
        self.wanted = self.cup.wanted

    @property
    def done(self) -> bool:
        """Whether all games were played."""
        return len(self.games) >= self.wanted

    def add(self, game: Game) -> None:
        """A game has ended."""
        self.games.append(game)
        self.table.add(game)

    def take(self, said: dict[str, Any]) -> None:
        """As `Batch.take`."""
        if "now" in said:
            self.now = (tuple(said["who"]), tuple(said["moves"]))
            return
        self.add(Game(said["game"], tuple(said["who"]), said["winner"], tuple(said["moves"]),
                      tuple(said["seconds"]), tuple(said["asked"])))  # fmt: skip
        self.now = (self.games[-1].who, self.games[-1].moves)

    def rest(self) -> None:
        """As `Batch.rest`."""
        self.now = None

    def markdown(self, names: Sequence[str]) -> str:
        """The cross-table as people paste it: shares of the row against the column."""
        heads = [
            "agent",
            *(str(number) for number in range(1, len(names) + 1)),
            "share",
            "± error",
            "games",
            "s/move",
        ]
        lines = [heads, ["---"] * len(heads)]
        for entrant, name in enumerate(names):
            total, spent = self.table.totals[entrant], self.table.per_move(entrant)
            cells = [f"{pair.share:.1%}" if pair.games else "" for pair in self.table.pairs[entrant]]
            error = f"{total.error:.1%}" if total.error is not None else ""
            lines.append([f"{entrant + 1} {name}", *cells, f"{total.share:.1%}" if total.games else "", error,
                          str(total.games), f"{spent:.4f}" if spent is not None else ""])  # fmt: skip
        shape, cup = self.cup.shape, self.cup
        limit = "the agents' own limits" if cup.seconds is None else f"{cup.seconds:g} s a move"
        head = (
            f"Connect-4 {shape} for {shape.players}, {len(self.games)} games, openings of {cup.plies} plies, {limit}"
        )
        return "\n".join([head, "", *(f"| {' | '.join(line)} |" for line in lines)]) + "\n"

    def csv(self) -> str:
        """Every game as CSV, with a line of names."""
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        players = self.cup.shape.players
        rows.writerow(
            ("game", "board", *(f"seat_{seat + 1}" for seat in range(players)), "winner", "moves", "seconds")
        )
        for game in self.games:
            state = connect4.start(self.cup.shape)
            for action in game.moves:
                state = connect4.apply(state, action)
            names = [str(self.cup.specs[entrant]) for entrant in game.who]
            winner = "" if game.winner is None else game.winner + 1
            rows.writerow((game.number + 1, str(self.cup.shape), *names, winner, connect4.format_moves(state),
                           round(sum(game.seconds), 3)))  # fmt: skip
        return out.getvalue()
