"""The models that ship: what their headers and their README say can still be done by today's program."""

import re
import shlex
from pathlib import Path

import pytest

from ai import catalogue, models
from game.cli.main import parser
from game.cli.train import _settings

FOLDER = Path(__file__).resolve().parents[1] / "saves" / "models"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
SHIPPED = sorted(
    re.findall(r"^\| `([\w-]+)` \| `", README, re.M) + re.findall(r"^\| `([\w-]+)` \| the same", README, re.M)
)
WORDS = re.compile(r"python main\.py (train [^`\n]+)")


def meaning(line: str) -> tuple[object, ...]:
    """What a training's command says, however it is written: its model has one name, with and without ending."""
    told = parser().parse_args(shlex.split(line))
    settings = _settings(catalogue.trainer(told.game.id, told.agent), told.settings)
    resumed, out = ((name or "").partition(".")[0] for name in (told.resume, told.out))
    return told.game.id, told.agent, told.seed, tuple(sorted(settings.items())), resumed, out or resumed


def test_every_model_that_ships_is_in_the_readme() -> None:
    print(SHIPPED)
    ignored = (FOLDER.parents[1] / ".gitignore").read_text(encoding="utf-8")
    assert sorted(re.findall(r"!saves/models/([\w-]+)\.safetensors", ignored)) == SHIPPED
    assert all((FOLDER / f"{name}.safetensors").is_file() for name in SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_commands_in_a_header_are_commands_of_today(name: str) -> None:
    card = models.card(FOLDER / f"{name}.safetensors")
    print(card.command)
    assert card.problem is None and card.command and card.strength
    for line in card.command.split("; "):
        assert meaning(line)[0] == card.game


@pytest.mark.parametrize("name", SHIPPED)
def test_the_readme_has_the_command_of_the_header(name: str) -> None:
    card = models.card(FOLDER / f"{name}.safetensors")
    row = next(line for line in README.splitlines() if line.startswith(f"| `{name}` |"))
    header, said = card.command.split("; "), WORDS.findall(row)
    if said:  # one training, however often it was stopped and went on
        header = [line for number, line in enumerate(header) if not number or "--resume" not in line]
    said = said or WORDS.findall(README)
    print(*header, "not in the README:", sep="\n")
    known = {meaning(line) for line in said}
    missing = [line for line in header if meaning(line) not in known]
    print(*missing, sep="\n")
    assert not missing
