"""The opening book: making one on a small board, reading it back, what is wrong with a bad one, and playing by it."""

from pathlib import Path

import numpy as np
import pytest

from ai import models, trainers
from ai.agent import Thinking
from ai.connect4.board.names import board_name
from ai.connect4.exact import agent as perfect
from ai.connect4.exact import book as books
from ai.connect4.exact.agent import Perfect
from ai.connect4.exact.book import Book, load
from ai.connect4.exact.book_training import BookTraining
from ai.connect4.exact.solver import Solver, new_table, solve_positions
from ai.models import ModelCard
from ai.tensors import ModelError, TensorFile, write_whole
from game.rules import connect4
from game.rules.connect4 import Shape

SHAPE = Shape(4, 5, 1, 4)
SETTINGS = {"rows": 4, "columns": 5, "nodes": 300, "plies": 2, "table": 20}


def make(path: Path, thinking: Thinking | None = None, checkpoint: Path | None = None) -> BookTraining:
    """Train until the end, or as long as the thinking lasts."""
    training = BookTraining(SETTINGS, 0, checkpoint)
    trainers.run(training, path, "train connect4 book", thinking or Thinking())
    return training


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "connect4-book.safetensors"
    make(path)
    return path


def test_every_score_is_exact_and_perfect_play_is_covered(made: Path) -> None:
    book = load(made)
    assert book.shape == SHAPE
    table = new_table(20)
    assert table is not None
    solver = Solver(SHAPE, table)
    scores = book.scores()
    assert len(scores) == len(book) > 100
    positions = [solver.unfolded(key) for key in scores]
    assert solve_positions(SHAPE, positions, table) == list(scores.values())
    # Plies 0 to 2 are complete: what is missing is won at once, and no such position exists so early.
    assert {key for key in scores if bin(solver.unfolded(key)[1]).count("1") == 1} == {
        solver.folded(*child) for child in solver.moves(0, 0).values()
    }


def test_a_stopped_training_goes_on_to_the_same_book(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "part.safetensors"
    thinking = Thinking(seconds=0.3)
    try:
        first = make(path, thinking)
        assert first.games > 0
    except ValueError as error:
        assert "nothing that needs a book" in str(error)
    make(path, checkpoint=trainers.checkpoint_of(path))
    assert load(path).scores() == load(made).scores()
    assert models.card(path).problem is None
    assert models.check(path).games == len(load(path))


def test_a_checkpoint_keeps_its_board(made: Path) -> None:
    with pytest.raises(ValueError, match="begun with rows=4"):
        BookTraining({**SETTINGS, "rows": 5}, 0, trainers.checkpoint_of(made))
    with pytest.raises(ModelError):
        BookTraining(SETTINGS, 0, made)


def test_the_agent_looks_its_book_up(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FOLDERS", [made.parent])
    state = connect4.start(SHAPE)
    plan = Perfect().plan(state, Thinking())
    assert plan.nodes == 0
    assert plan.exact
    assert plan.values == Perfect(book=False).plan(state, Thinking(seconds=60)).values
    assert Perfect().score(state, Thinking()).exact
    other = Perfect().plan(connect4.start(Shape(4, 4, 1, 4)), Thinking(seconds=60))
    assert other.nodes > 0


@pytest.mark.parametrize("damage", ["cut", "order", "score", "board", "type"])
def test_a_bad_book_is_refused_and_the_solver_goes_on(
    made: Path, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "connect4-book.safetensors"
    with TensorFile(made) as file:
        keys = file.array("keys", "U64", (None,))
        scores = file.array("scores", "U8", (None,))
        texts = dict(file.metadata)
    if damage == "order":
        keys = keys[::-1].copy()
    elif damage == "score":
        scores = scores.copy()
        scores[0] = 200
    elif damage == "board":
        texts["board"] = "9x9x1x4 for 2"
    write_whole(path, {"keys": keys, "scores": scores if damage != "type" else scores.astype(np.float32)}, texts)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(ModelError) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(models, "FOLDERS", [tmp_path])
    plan = Perfect().plan(connect4.start(SHAPE), Thinking(seconds=60))
    assert plan.exact
    assert "the opening book cannot be used: connect4-book.safetensors" in plan.note


def test_a_book_is_kept_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "small.safetensors"
    book = Book(SHAPE, {7: -3, 2: 0, 90: 5})
    book.save(path, ModelCard(path, game="connect4", agent="perfect", board=board_name(SHAPE)))
    found = load(path)
    assert found.scores() == {2: 0, 7: -3, 90: 5}
    assert [found.score(key) for key in (2, 3, 7, 90, 91)] == [0, None, -3, 5, None]


def test_the_shipped_book_is_for_the_classic_board() -> None:
    found, problem = books.shipped(Shape(6, 7, 1, 4))
    assert problem == ""
    assert found is not None
    assert found.score(0) == 1
    assert books.shipped(Shape(5, 5, 1, 4)) == (None, "")


def test_a_proved_win_is_not_given_away_for_lack_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Shape(6, 7, 1, 4)
    before, after = (connect4.parse_position(moves, shape) for moves in ("457623", "45762332"))
    for patience, kept in ((1, False), (100_000, True)):
        monkeypatch.setattr(perfect, "_PATIENCE", patience)
        agent = Perfect(time=0.001)
        assert agent.plan(before, Thinking()).actions == (2,)
        plan = agent.plan(after, Thinking())
        print(patience, plan)
        assert plan.note.startswith("wins") is kept
    monkeypatch.setattr(perfect, "_PATIENCE", 100_000)
    agent = Perfect(time=0.001)
    agent.plan(before, Thinking())
    assert agent.plan(after, Thinking(seconds=0.001)).nodes < 400_000, "the limit of a request is kept"
