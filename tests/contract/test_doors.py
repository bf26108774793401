"""What belongs to no single game asks the games' own values: it neither looks at a position's class nor names a game."""

import ast
from collections.abc import Iterator
from pathlib import Path

from game.rules.games import GAMES

ROOT = Path(__file__).resolve().parents[2]
EXEMPT = ("game/envs", "game/studies")
"""Environments and studies are of single games, whatever their files are called."""
MOST_NAMES = 6


def shared() -> Iterator[tuple[str, ast.AST]]:
    """Every node of every file that belongs to no single game."""
    for path in sorted([*ROOT.glob("game/**/*.py"), *ROOT.glob("ai/**/*.py")]):
        place = path.relative_to(ROOT)
        parts = [part.removesuffix(".py") for part in place.parts]
        own = any(part == game or part.startswith(f"{game}_") for part in parts for game in GAMES)
        if own or place.as_posix().startswith(EXEMPT):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            yield f"{place}:{getattr(node, 'lineno', 0)}", node


def test_nobody_asks_whose_position_it_is() -> None:
    found = [
        place
        for place, node in shared()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and any(
            (isinstance(each, ast.Name) and each.id == "State")
            or (isinstance(each, ast.Attribute) and each.attr == "State")
            for each in ast.walk(node.args[1])
        )
    ]
    assert not found, found


def test_games_are_hardly_named() -> None:
    found = [place for place, node in shared() if isinstance(node, ast.Constant) and node.value in tuple(GAMES)]
    assert len(found) <= MOST_NAMES, found


def test_the_list_of_games_is_where_it_should_be() -> None:
    """The same count sees what there is to see: a game's own files do name it."""
    names = [
        node.value
        for path in ROOT.glob("game/rules/**/*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in tuple(GAMES)
    ]
    assert set(names) == set(GAMES), names
