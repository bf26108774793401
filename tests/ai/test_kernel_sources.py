"""What a game's kernels are compiled again for."""

import ast
import builtins
import os
from pathlib import Path

import pytest

from ai import kernels
from ai.kernel_sources import constant_files, kernel_files
from game.rules.games import GAMES

ROOT = Path(kernels.__file__).resolve().parents[1]
EVERY = pytest.mark.parametrize("game", GAMES)

FILES = {
    "ai/jit.py": "",
    "ai/random.py": "from ai.jit import kernel\n",
    "ai/agent.py": "WORDS = 'texts'\n",
    "ai/chess/family.py": "from ai.chess import agent\n",
    "ai/chess/agent.py": "from ai.chess.search import walk\nfrom ai.agent import WORDS\n",
    "ai/chess/search.py": "from ai.jit import (\n    kernel,  # decorates\n)\nfrom ai.agent import WORDS\n"
                          "from ai.chess.shapes import SIZE\nfrom game.rules import chess\n",
    "ai/chess/shapes.py": "def late():\n    from ai.chess.values import WORTH\nSIZE = 8\n",
    "ai/chess/values.py": "WORTH = 9\n",
    "ai/chess/net/warm.py": "from ai.chess.search import walk\n",
    "ai/go/search.py": "from ai.jit import kernel\n",
    "game/rules/chess.py": "from game.rules import texts\n",
    "game/rules/texts.py": "",
}  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_only_what_kernels_are_made_from_compiles_them_again(tree: Path, name: str) -> None:
    before = kernels.sources_hash("chess", tree)
    (tree / name).write_text(FILES[name] + "# changed\n")
    counts = {"jit", "random", "search", "shapes", "values", "chess", "warm"}
    expected = (tree / name).stem in counts and "go/" not in name
    assert (kernels.sources_hash("chess", tree) != before) == expected


def test_the_date_counts_where_numba_asks_for_it(tree: Path) -> None:
    before = kernels.sources_hash("chess", tree)
    os.utime(tree / "ai/chess/shapes.py", (1, 1))
    assert kernels.sources_hash("chess", tree) == before
    os.utime(tree / "ai/chess/search.py", (1, 1))
    assert kernels.sources_hash("chess", tree) != before


def _globals_of_kernels(tree: ast.Module) -> set[str]:
    """The names that functions with one of our decorators take from their module."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(each, ast.Name) and each.id in ("kernel", "lean") for each in node.decorator_list
        ):
            own = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
            own |= {
                each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
            for statement in node.body:
                found |= {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)} - own
    return found - set(dir(builtins))


@EVERY
def test_every_name_in_a_kernel_comes_from_a_source_that_counts(game: str) -> None:
    """Also the names that such a constant is made from, in whichever module that is."""
    sources = {*kernel_files(game, ROOT), *constant_files(game, ROOT)}
    todo = [(path, name) for path in kernel_files(game, ROOT) for name in _globals_of_kernels(_parsed(path))]
    seen: set[tuple[Path, str]] = set()
    assert len(todo) > 50
    while todo:
        path, name = todo.pop()
        if (path, name) in seen:
            continue
        seen.add((path, name))
        for node in ast.walk(_parsed(path)):
            if (
                isinstance(node, ast.ImportFrom)
                and node.module is not None
                and node.module.split(".")[0] in ("ai", "game")
            ):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        found, inner = _found(node.module, alias.name)
                        assert found in sources, f"{path}: {name} comes from {found}"
                        todo.append((found, inner))
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.col_offset == 0 and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(each, ast.Name) and each.id == name for one in targets for each in ast.walk(one)):
                    todo += [(path, each.id) for each in ast.walk(node.value) if isinstance(each, ast.Name)]


_TREES: dict[Path, ast.Module] = {}


def _parsed(path: Path) -> ast.Module:
    if path not in _TREES:
        _TREES[path] = ast.parse(path.read_text("utf-8"))
    return _TREES[path]


def _found(module: str, name: str) -> tuple[Path, str]:
    """The file that an imported name is of, and the name there."""
    place = ROOT.joinpath(*module.split("."))
    inside = place / f"{name}.py", place / name / "__init__.py"
    for path in inside:
        if path.is_file():
            return path, ""
    return (place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py"), name
