"""Settings, progress, sessions and the library: what is kept comes back, and damage is never an exception."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from game.rules import connect4, twenty48
from game.rules import replay as rules
from game.rules.games import GAMES
from game.rules.replay import Replay, Step
from game.saves import progress as progress_file
from game.saves import replays, resume, settings
from game.saves.folder import Saves, open_saves
from game.saves.progress import Connect4Setup, Progress, Score, Tally
from game.saves.replays import Entry, Library
from game.saves.resume import Session
from game.saves.settings import SETTINGS, Settings
from game.saves.writer import Writer

BOARD = "#####\n#@$.#\n#   #\n#####"
GAME = rules.Replay("sokoban", {"board": BOARD}, (), ("person",), 0, "2026-01-02T03:04:05+00:00", 1.0, "Line")


def walk(length: int) -> Replay:
    """Down and up again."""
    return rules.record(
        rules.initial(GAME), [Step((2, 0)[n % 2]) for n in range(length)], started=GAME.started, title="Line"
    )


def scanned(library: Library) -> tuple[list[Entry], list[str]]:
    """What the library holds besides examples, and what it says about damaged files."""
    found = list(library.scan())
    entries = [item for item in found if isinstance(item, Entry)]
    return [item for item in entries if not library.is_example(item.path)], [
        item for item in found if isinstance(item, str)
    ]


@pytest.fixture
def saves(tmp_path: Path) -> Iterator[Saves]:
    with open_saves(tmp_path) as opened:
        yield opened


@pytest.fixture
def writer(saves: Saves) -> Iterator[Writer]:
    thread = Writer(saves)
    yield thread
    thread.close()


# --- settings ---


def test_the_table_describes_the_record() -> None:
    assert [row.name for row in SETTINGS] == [
        "theme",
        "ui_scale",
        "animation",
        "fullscreen",
        "volume",
        "mute",
        "show_values",
        "show_stuck",
        "wheel_undoes",
    ]
    for row in SETTINGS:
        assert row.checked(row.default) == row.default == getattr(Settings(), row.name)
        assert row.title and row.section and row.help.endswith(".")
        assert len(row.labels) == len(row.choices)
    assert settings.setting("theme").choices == ("dark", "light")
    assert settings.setting("volume").kind == "number"


def test_settings_come_back(saves: Saves, writer: Writer) -> None:
    chosen = settings.changed(Settings(), "theme", "light")
    chosen = settings.changed(chosen, "ui_scale", 1.2999999)
    chosen = settings.changed(chosen, "volume", 33)
    chosen = settings.with_window(chosen, -1200, 40, 1280, 800)
    chosen = settings.with_seat(chosen, "connect4", 1, "alphabeta,time=0.5")
    settings.save(chosen, saves, writer)
    writer.flush()
    assert settings.load(saves) == (chosen, ())
    assert (chosen.ui_scale, chosen.volume) == (1.3, 35)
    assert settings.seat_spec(chosen, "connect4", 1) == "alphabeta,time=0.5"
    assert settings.seat_spec(chosen, "connect4", 0) == "person"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("theme", 1),
        ("theme", None),
        ("ui_scale", 0.79),
        ("ui_scale", 2.01),
        ("ui_scale", float("nan")),
        ("ui_scale", float("inf")),
        ("ui_scale", "1"),
        ("ui_scale", True),
        ("volume", -1),
        ("volume", 10**400),
        ("mute", 1),
        ("mute", "true"),
    ],
)
def test_a_value_out_of_range_is_refused_and_on_reading_replaced(saves: Saves, name: str, value: object) -> None:
    with pytest.raises(settings.SettingError, match=settings.setting(name).title):
        settings.changed(Settings(), name, value)
    saves.settings.write_text(json.dumps({"version": 1, "animation": "instant", name: value, "unknown": [1]}))
    found, notices = settings.load(saves)
    if isinstance(value, float) and value not in (0.79, 2.01):  # NaN and infinity are no JSON at all
        assert found == Settings()
        assert "kept as damaged/settings-" in notices[0]
    else:
        assert found == Settings(animation="instant")
        assert len(notices) == 1
        assert notices[0].endswith("The default is used.")
        assert saves.settings.exists()


def test_hidden_fields_out_of_range_are_replaced_too(saves: Saves) -> None:
    saves.settings.write_text(
        json.dumps({"version": 1, "window": {"x": 0, "y": 0, "w": 3, "h": 9e9}, "seats": {"a": 1}})
    )
    found, notices = settings.load(saves)
    assert found == Settings()
    assert len(notices) == 2
    assert settings.with_window(Settings(), 0, 0, 5, 5) == Settings()


def test_remembered_seats_are_bounded() -> None:
    chosen = Settings()
    for number in range(settings.MAX_SEATS + 5):
        chosen = settings.with_seat(chosen, "game", number, "x" * 1000)
    assert len(chosen.seats) == settings.MAX_SEATS
    assert settings.seat_spec(chosen, "game", 0) == "person"
    assert settings.seat_spec(chosen, "game", settings.MAX_SEATS + 4) == "x" * 500


# --- progress ---


def test_best_solutions_by_moves_and_by_pushes(saves: Saves, writer: Writer) -> None:
    progress = Progress(saves, writer)
    assert progress.level("a") is None
    assert progress.solved_level("a", 20, 8, "l" * 20, "astar") == (True, True)
    assert progress.level("a").own is None, "no person solved it yet"
    assert progress.solved_level("a", 18, 9, "l" * 18) == (True, False), "fewer moves, more pushes"
    assert progress.solved_level("a", 25, 8, "l" * 25) == (False, False), "a tie by pushes with more moves"
    assert progress.solved_level("a", 19, 8, "l" * 19) == (False, True), "a tie by pushes with fewer moves"
    assert progress.solved_level("a", 18, 8, "l" * 18, "astar") == (True, True), "a tie by moves with fewer pushes"
    assert progress.solved_level("a", 18, 8, "l" * 18, "astar") == (False, False), "the same again"
    assert progress.solved_level("a", 18, 8, "r" * 18) == (True, True), "a person did what the agent did"
    assert progress.solved_level("a", 18, 8, "u" * 18, "astar") == (False, False)
    level = progress.level("a")
    assert level is not None
    assert level.person
    assert level.own is not None
    assert (level.own.by_moves, level.own.by_pushes) == ((18, 8), (18, 8))
    assert level.by_moves == level.by_pushes == progress_file.Solution(18, 8, "r" * 18, "person")


def test_progress_comes_back(saves: Saves, writer: Writer) -> None:
    progress = Progress(saves, writer)
    progress.solved_level("a", 3, 1, "drU", "astar")
    progress.open_level("first steps", "b")
    progress.open_level("depot", "c")
    assert progress.played_2048(4, 1000, 128)
    assert not progress.played_2048(4, 900, 256)
    assert progress.played_2048(4, 5000, 512, "expectimax,depth=2")
    assert progress.played_connect4("6,7,1,4", ("person", "alphabeta"), 1) == Tally((0, 1))
    assert progress.played_connect4("6,7,1,4", ("person", "alphabeta"), None) == Tally((0, 1), 1)
    progress.set_up_connect4(6, 7, 5, 4, ("person", "random", "random"))
    writer.flush()
    again = Progress(saves, writer)
    assert again.notice is None
    assert again.solved("a") and not again.solved("b")
    assert not msgspec.structs.asdict(again.level("a") or Score())["person"]
    assert (again.last_pack, again.last_level("first steps"), again.last_level("none")) == ("depot", "b", None)
    assert again.best_2048(4, "person") == Score(1000, 256)
    assert again.best_2048(4, "expectimax,depth=9") == Score(5000, 512)
    assert again.best_2048(4) == Score(1000, 256), "what agents scored is not the person's"
    assert again.best_2048(5) == Score()
    assert again.tally("6,7,1,4", ("person", "alphabeta")).games == 2
    assert again.tally("6,7,1,4", ("alphabeta", "person")) == Tally((0, 0))
    assert again.connect4_setup == Connect4Setup(6, 7, 5, 4, ("person", "random", "random"))


def test_names_of_files_that_are_no_utf8_can_be_saved(saves: Saves, writer: Writer) -> None:
    odd = b"pack-\xff".decode("utf-8", "surrogateescape") + "x" * 600
    progress = Progress(saves, writer)
    progress.open_level(odd, "a")
    progress.played_connect4("6,7,1,4", (odd, odd), 0)
    progress.solved_level("a", 2_000_000, 1, "l" * 2_000_000, odd)
    settings.save(settings.with_seat(Settings(), "connect4", 0, odd), saves, writer)
    resume.save(saves, writer, "sokoban", Session(walk(1), 1, (odd,), odd, "", {odd: odd}))
    writer.flush()
    assert writer.problems() == []
    again = Progress(saves, writer)
    assert again.notice is None
    assert again.last_level(odd) == "a"
    assert again.tally("6,7,1,4", (odd, odd)).games == 1
    assert settings.load(saves)[1] == ()
    assert resume.load(saves, "sokoban").notice is None


def test_progress_is_bounded(saves: Saves, writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_file, "MAX_LEVELS", 20)
    monkeypatch.setattr(progress_file, "MAX_LURD", 100)
    monkeypatch.setattr(progress_file, "MAX_MATCHES", 3)
    progress = Progress(saves, writer)
    for number in range(30):
        progress.solved_level(str(number), 10, 5, "l" * 10)
        progress.played_connect4("6,7,1,4", (str(number), "b"), 0)
    kept = [str(number) for number in range(30) if progress.solved(str(number))]
    assert kept == [str(number) for number in range(10, 30)]
    levels = [progress.level(name) for name in kept]
    assert sum(len(level.by_moves.lurd) + len(level.by_pushes.lurd) for level in levels if level) <= 100
    newest = levels[-1]
    assert newest is not None
    assert newest.by_moves.lurd == "l" * 10
    assert levels[0] is not None
    assert (levels[0].by_moves.lurd, levels[0].by_moves.moves) == ("", 10)
    assert [progress.tally("6,7,1,4", (str(n), "b")).games for n in (26, 27, 28, 29)] == [0, 1, 1, 1]


# --- sessions ---


def session(length: int, cursor: int, when: str = "2026-05-01T10:00:00+00:00") -> Session:
    return Session(walk(length), cursor, ("astar,time=5",), "Line · 3 moves", when, {"zoom": 1.5, "won": False})


def test_a_session_comes_back_with_its_undone_tail(saves: Saves, writer: Writer) -> None:
    assert resume.load(saves, "sokoban") == resume.Loaded()
    saved = session(10, 4)
    resume.save(saves, writer, "sokoban", saved)
    writer.flush()
    loaded = resume.load(saves, "sokoban")
    assert loaded.notice is None
    assert loaded.session == saved
    assert list(loaded.states) == rules.states(saved.replay)
    resume.save(saves, writer, "sokoban", lambda: session(10, 5))
    writer.flush()
    assert resume.load(saves, "sokoban").session == session(10, 5)
    resume.forget(saves, writer, "sokoban")
    writer.flush()
    assert resume.load(saves, "sokoban") == resume.Loaded()


def test_a_session_without_a_time_gets_one(saves: Saves, writer: Writer) -> None:
    resume.save(saves, writer, "sokoban", Session(walk(1), 1, ("person",)))
    writer.flush()
    loaded = resume.load(saves, "sokoban").session
    assert loaded is not None
    assert loaded.when[:2] == "20"


def test_the_last_session_is_found_by_its_time_whatever_the_zone(saves: Saves, writer: Writer) -> None:
    assert resume.last_session(saves) is None
    start = twenty48.start(4, 1)
    tiles = rules.record(start, [rules.chosen(start, twenty48.legal_actions(start)[0])[0]])
    resume.save(saves, writer, "sokoban", session(2, 0, "2026-05-01T12:00:00+02:00"))
    resume.save(saves, writer, "twenty48", Session(tiles, 0, ("person",), "2048 · 0", "2026-05-01T10:30:00+00:00"))
    writer.flush()
    found = resume.last_session(saves)
    assert found is not None and found.game == "sokoban", "an untouched board of 2048 is nothing to go on with"
    resume.save(saves, writer, "twenty48", Session(tiles, 1, ("person",), "2048 · 0", "2026-05-01T10:30:00+00:00"))
    writer.flush()
    saves.resume("connect4").write_bytes(b"damaged")
    assert resume.last_session(saves) == resume.Headline("twenty48", "2048 · 0", "2026-05-01T10:30:00+00:00")
    assert saves.resume("connect4").exists(), "the menu sets nothing aside"


def test_a_session_under_the_name_of_another_game_is_no_session(saves: Saves) -> None:
    path = saves.resume("connect4")
    path.parent.mkdir()
    path.write_bytes(resume.dump(session(2, 2)))
    assert resume.last_session(saves) is None
    assert "it is of another game" in (resume.load(saves, "connect4").notice or "")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:50],
        lambda text: text[:-3],
        lambda text: text[:-10],
        lambda text: text.replace('"version":1', '"version":2', 1),
        lambda text: text.replace('"cursor":4', '"cursor":11'),
        lambda text: text.replace('"cursor":4', '"cursor":-1'),
        lambda text: text.replace('"cursor":4', '"cursor":"4"'),
        lambda text: text.replace("trilogic session", "trilogic replay"),
        lambda text: text.replace('"game":"sokoban"', '"game":"twenty48"'),
        lambda text: text.replace("[2,0,2", "[2,2,2"),
        lambda text: text.replace("2026-05-01", "2026-15-01"),
        lambda text: text.replace("astar", "x" * 600),
        lambda text: rules.dumps(walk(3)),
    ],
    ids=range(14),
)
def test_a_damaged_session_is_set_aside(saves: Saves, spoil: Callable[[str], str]) -> None:
    good = resume.dump(session(10, 4)).decode()
    data = spoil(good).encode()
    assert data != good.encode()
    path = saves.resume("sokoban")
    path.parent.mkdir()
    path.write_bytes(data)
    loaded = resume.load(saves, "sokoban")
    assert loaded.session is None
    assert loaded.notice is not None
    assert loaded.notice.startswith("sokoban.json could not be read (")
    (kept,) = saves.damaged.iterdir()
    assert kept.read_bytes() == data


# --- the library ---


def test_finished_games_are_kept_under_readable_names(saves: Saves, writer: Writer) -> None:
    library = Library(saves, writer)
    first, second = library.keep(walk(4)), library.keep(walk(4))
    assert first == saves.replays / "2026-01-02-030405-sokoban-line-4-moves-0-pushes.json"
    assert second == saves.replays / "2026-01-02-030405-sokoban-line-4-moves-0-pushes-2.json"
    writer.flush()
    assert rules.read(first) == walk(4)
    assert [entry.head.result["moves"] for entry in scanned(library)[0]] == [4, 4]
    library.discard(first)
    library.empty_trash()
    writer.flush()
    assert [entry.path for entry in scanned(library)[0]] == [second]


def test_names_of_other_alphabets_and_games(saves: Saves, writer: Writer) -> None:
    library = Library(saves, writer)
    made = [
        library.keep(replace(walk(1), title="Über/..\\☃")),
        library.keep(rules.record(twenty48.start(4, 1), [], started=GAME.started)),
        library.keep(
            rules.record(
                connect4.start(connect4.Shape(4, 4, 1, 2, 2)),
                [Step(0), Step(3), Step(0)],
                seats=("a", "b"),
                started=GAME.started,
            )
        ),
    ]
    names = [path.name.removeprefix("2026-01-02-030405-") for path in made if path]
    assert names[0] == "sokoban-ber-1-moves-0-pushes.json"
    assert names[1].startswith("2048-")
    assert names[2] == "connect-4-player-1-won.json"
    writer.flush()
    assert {entry.path for entry in scanned(library)[0]} == set(made)


def test_a_batch_keeps_the_best_and_the_last_hundred(saves: Saves, writer: Writer) -> None:
    library = Library(saves, writer)
    made = rules.record(twenty48.start(4, 1), [])
    best = library.keep_auto(replace(made, result={"score": 9999, "max_tile": 512, "moves": 0}))
    for number in range(150):
        library.keep_auto(replace(made, result={"score": number % 7, "max_tile": 8, "moves": number}))
    writer.flush()
    entries = scanned(library)[0]
    assert len(entries) == replays.AUTO_KEPT + 1
    assert best in [entry.path for entry in entries]
    assert {entry.head.result["moves"] for entry in entries} == {0, *range(50, 150)}
    again = Library(saves, writer)
    better = again.keep_auto(replace(made, result={"score": 10**6, "max_tile": 8, "moves": 7}))
    writer.flush()
    paths = [entry.path for entry in scanned(again)[0]]
    assert len(paths) <= replays.AUTO_KEPT + 1
    assert better in paths


def test_a_deleted_game_comes_back_or_goes_for_good(saves: Saves, writer: Writer) -> None:
    library = Library(saves, writer)
    kept = library.keep(walk(4))
    assert kept is not None
    library.discard(kept)
    assert scanned(library)[0] == []
    library.take_back(kept)
    assert [entry.path for entry in scanned(library)[0]] == [kept]
    assert rules.read(kept) == walk(4)
    library.discard(kept)
    library.empty_trash()
    assert not list(saves.root.rglob("*4-moves*"))


def test_an_example_is_hidden_and_never_changed(saves: Saves, writer: Writer, tmp_path: Path) -> None:
    examples = tmp_path / "shipped"
    examples.mkdir()
    shipped = examples / "one.json"
    shipped.write_text(rules.dumps(walk(2)), "utf-8")
    library = Library(saves, writer, examples)
    assert [item.path for item in library.scan() if isinstance(item, Entry)] == [shipped]
    library.discard(shipped)
    library.empty_trash()
    writer.flush()
    assert list(Library(saves, writer, examples).scan()) == []
    library.take_back(shipped)
    writer.flush()
    assert [item.path for item in Library(saves, writer, examples).scan() if isinstance(item, Entry)] == [shipped]
    assert shipped.read_text("utf-8") == rules.dumps(walk(2))


@limits(deadline=None)
@given(title=st.text(max_size=600))
def test_another_title(tmp_path_factory: pytest.TempPathFactory, title: str) -> None:
    with open_saves(tmp_path_factory.mktemp("saves")) as saves:
        thread = Writer(saves)
        library = Library(saves, thread)
        kept = library.keep(walk(5))
        assert kept is not None
        thread.flush()
        entry = library.rename(scanned(library)[0][0], title)
        thread.flush()
        after = rules.read(kept)
        thread.close()
    assert (after.steps, after.setup, entry.path) == (walk(5).steps, walk(5).setup, kept)
    assert after.title == title.encode("utf-8", "replace").decode()[: rules.MAX_TEXT]
    assert entry.head.title == after.title


def test_the_best_of_sokoban_is_the_fewest_pushes() -> None:
    merit = GAMES["sokoban"].merit
    assert merit({"outcome": "won", "pushes": 3}) > merit({"outcome": "won", "pushes": 4})
    assert merit({"outcome": "won", "pushes": 99}) > merit({"outcome": "open", "pushes": 1})
    assert merit({}) == GAMES["connect4"].merit({"winner": 0})


def test_damaged_replays_are_set_aside_by_the_listing(saves: Saves, writer: Writer) -> None:
    library = Library(saves, writer)
    good = library.keep(walk(2))
    writer.flush()
    (saves.replays / "bad.json").write_bytes(b"\xff\x00")
    (saves.replays / "notes.txt").write_bytes(b"mine")
    entries, notices = scanned(library)
    assert [entry.path for entry in entries] == [good]
    assert notices[0].startswith("bad.json could not be read (")
    assert not (saves.replays / "bad.json").exists()
    assert (saves.replays / "notes.txt").exists()
    assert scanned(library)[1] == []


def test_a_read_only_window_keeps_nothing(saves: Saves) -> None:
    with open_saves(saves.root) as second:
        thread = Writer(second)
        library = Library(second, thread)
        progress = Progress(second, thread)
        progress.solved_level("a", 1, 1, "r")
        settings.save(Settings(), second, thread)
        resume.save(second, thread, "sokoban", session(1, 1))
        assert library.keep(walk(1)) is None
        assert library.keep_auto(walk(1)) is None
        thread.close()
    assert sorted(entry.name for entry in saves.root.iterdir()) == ["lock"]


# --- damage, for every kind of file ---


def _fill(saves: Saves, writer: Writer) -> dict[str, Path]:
    settings.save(settings.with_window(Settings(), 1, 2, 1280, 800), saves, writer)
    progress = Progress(saves, writer)
    progress.solved_level("a", 3, 1, "drU")
    progress.played_2048(4, 1000, 128)
    progress.played_connect4("6,7,1,4", ("person", "alphabeta"), 1)
    resume.save(saves, writer, "sokoban", session(10, 4))
    kept = Library(saves, writer).keep(walk(6))
    assert kept is not None
    writer.flush()
    return {
        "settings": saves.settings,
        "progress": saves.progress,
        "session": saves.resume("sokoban"),
        "replay": kept,
    }


@pytest.mark.parametrize("kind", ["settings", "progress", "session", "replay"])
def test_torn_cut_and_flipped_files_never_raise(saves: Saves, writer: Writer, kind: str) -> None:
    path = _fill(saves, writer)[kind]
    good = path.read_bytes()
    chance = random.Random(kind)
    damaged = [good[:cut] for cut in range(0, len(good), max(1, len(good) // 40))]
    damaged += [good[: len(good) // 2] + bytes(len(good) // 2), good + good, b"\xef\xbb\xbf" + good]
    damaged += [good.replace(b'"version": 1', b'"version": 99').replace(b'"version":1', b'"version":99')]
    for _ in range(150):
        flipped = bytearray(good)
        flipped[chance.randrange(len(good))] ^= 1 << chance.randrange(8)
        damaged.append(bytes(flipped))
    for data in damaged:
        path.write_bytes(data)
        _found, notices = settings.load(saves)
        read_all = [*notices, Progress(saves, writer).notice, resume.load(saves, "sokoban").notice]
        read_all += scanned(Library(saves, writer))[1]
        resume.last_session(saves)
        said = [notice for notice in read_all if notice]
        if path.exists():
            assert path.read_bytes() == data, "a file that could be read was changed"
        else:
            assert len(said) == 1, (data, said)
            assert path.name in said[0]
            assert data in [entry.read_bytes() for entry in saves.damaged.iterdir()]
            for entry in saves.damaged.iterdir():
                entry.unlink()


@given(data=st.binary(max_size=200))
def test_random_bytes_in_every_file(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    with open_saves(tmp_path_factory.mktemp("saves")) as saves:
        saves.resume("x").parent.mkdir()
        saves.replays.mkdir()
        paths = [saves.settings, saves.progress, saves.resume("connect4"), saves.replays / "a.json"]
        for path in paths:
            path.write_bytes(data)
        thread = Writer(saves)
        said = settings.load(saves)[1]
        notices = [*said, Progress(saves, thread).notice, resume.load(saves, "connect4").notice]
        notices += scanned(Library(saves, thread))[1]
        assert None not in notices
        assert len(notices) == 4
        assert sorted(entry.read_bytes() for entry in saves.damaged.iterdir()) == [data] * 4
        thread.close()
