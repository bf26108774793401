"""The house as its files import each other: no circle, nothing against the order, and the drawing in the docs is true."""

import graphlib
import subprocess
import sys
from collections import Counter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]


def test_no_file_imports_another_in_a_circle() -> None:
    """Imports inside functions and for types count as well."""
    graph = grimp.build_graph("game", "ai", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 300 and sum(map(len, imports.values())) > 1000
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names one


def test_a_screen_stands_on_one_class_at_most() -> None:
    """What every game's screen shares; a taller tower would be a place to hide things in."""
    from game.screens.play.screen import GameScreen
    from game.ui.scene import Scene

    program = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "game" / "screens").rglob("*.py")
    ]
    subprocess.run([sys.executable, "-c", program, *modules], cwd=ROOT, check=True, timeout=60)
    for module in modules:
        __import__(module)
    tall = Counter[str]()
    classes = [GameScreen]
    while classes:
        kind = classes.pop()
        classes += kind.__subclasses__()
        tall[kind.__name__] = kind.__mro__.index(Scene) - 1
    print(tall)
    assert len(tall) > 3 and max(tall.values()) <= 1


def test_the_drawing_of_the_house_is_true(tmp_path: Path) -> None:
    program = "import draw_house; print(draw_house.picture(), end='')"
    drawn = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={"PYTHONPATH": f"{ROOT}:{ROOT / 'scripts'}"}, capture_output=True,
        text=True, timeout=60,
    )  # fmt: skip
    print(drawn.stderr)
    assert drawn.stdout == (ROOT / "docs" / "house.svg").read_text("utf-8"), "python scripts/draw_house.py"
