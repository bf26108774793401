"""What a session keeps things in: a folder of its own, in which nobody has chosen anything."""

from dataclasses import dataclass, field

from ai.entries import Spec
from game.saves import settings as settings_file
from game.saves.folder import Saves
from game.saves.progress import Progress
from game.saves.replays import Library
from game.saves.settings import Settings
from game.saves.writer import Writer


@dataclass
class Desk:
    """What a session keeps things in, nobody having chosen anything."""

    saves: Saves
    writer: Writer
    progress: Progress
    library: Library
    settings: Settings = field(default_factory=Settings)
    seats: dict[int, Spec | None] = field(default_factory=dict)
    speeds: dict[str, float] = field(default_factory=dict)

    def chosen(self, game: str, seat: int) -> Spec | None:
        return self.seats.get(seat)

    def remember_seat(self, game: str, seat: int, spec: Spec | None) -> None:
        self.seats[seat] = spec

    def speed(self, game: str, default: float) -> float:
        return self.speeds.get(game, default)

    def remember_speed(self, game: str, speed: float) -> None:
        self.speeds[game] = speed

    def remember(self, name: str, value: settings_file.Value) -> None:
        self.settings = settings_file.with_remembered(self.settings, name, value)
