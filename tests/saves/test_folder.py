"""Which folder is opened, who may write there, and the log in it."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from game.saves import folder, log
from game.saves.folder import open_saves

ROOT = Path(__file__).resolve().parents[2]


def test_the_override_is_made_and_cleared_of_left_overs(tmp_path: Path) -> None:
    root = tmp_path / "deep" / "saves"
    with open_saves(root) as saves:
        assert (saves.root, saves.writable, saves.notices) == (root, True, ())
        (root / ".settings.json-4194305-0123abcd.tmp").write_bytes(b"torn")
        assert saves.resume("sokoban") == root / "resume" / "sokoban.json"
    with open_saves(root) as saves:
        assert saves.writable, "the lock was not given back"
        assert sorted(entry.name for entry in root.iterdir()) == ["lock"]


def test_a_second_window_in_this_process_reads_only(tmp_path: Path) -> None:
    with open_saves(tmp_path) as first, open_saves(tmp_path) as second:
        assert first.writable
        assert not second.writable
        assert second.notices == ("Another window has these saves open: this one will not save.",)


_OTHER = """
import sys
from pathlib import Path
from game.saves.folder import open_saves
saves = open_saves(Path(sys.argv[1]))
print(saves.writable, flush=True)
sys.stdin.read()
"""


def test_another_process_holds_the_lock_until_it_is_killed(tmp_path: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", _OTHER, str(tmp_path)], cwd=ROOT, **pipes) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"True"
        with open_saves(tmp_path) as saves:
            assert not saves.writable
        other.kill()
        other.wait()
    with open_saves(tmp_path) as saves:
        assert saves.writable, "a killed window must not keep its lock"


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    path = tmp_path / "saves"
    path.write_bytes(b"mine")
    with open_saves(path) as saves:
        assert not saves.writable
        assert saves.notices[0].startswith(f"The folder {path} cannot be written (")
    assert path.read_bytes() == b"mine"


def test_a_folder_that_cannot_be_locked_is_still_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoLock:
        def __init__(self, *_arguments: object, **_options: object) -> None: ...

        def acquire(self, timeout: float) -> None:
            raise NotImplementedError

    monkeypatch.setattr(folder.filelock, "FileLock", NoLock)
    with open_saves(tmp_path) as saves:
        assert saves.writable
        assert "cannot be locked" in saves.notices[0]


def test_the_users_folder_serves_where_the_program_cannot_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside, user = tmp_path / "program" / "saves", tmp_path / "user"
    real = folder.why_not_writable
    forbidden = {beside}
    monkeypatch.setattr(folder, "PROGRAM_SAVES", beside)
    monkeypatch.setattr(folder, "user_folder", lambda: user)
    monkeypatch.setattr(folder, "why_not_writable", lambda path: "forbidden" if path in forbidden else real(path))
    with open_saves() as saves:
        assert (saves.root, saves.writable, saves.notices) == (user, True, ())
    forbidden.add(user)
    with open_saves() as saves:
        assert not saves.writable
        assert "nothing will be saved" in saves.notices[0]
    forbidden.clear()
    with open_saves() as saves:
        assert (saves.root, saves.writable) == (beside, True)


def test_the_program_folder_is_the_repository() -> None:
    assert folder.PROGRAM_SAVES == ROOT / "saves"


@pytest.fixture
def quiet_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger(), "level", logging.WARNING)


@pytest.mark.usefixtures("quiet_root")
def test_the_log_is_a_rotated_utf8_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_BYTES", 2000)
    with open_saves(tmp_path) as saves:
        handler = log.set_up(saves)
        for number in range(100):
            logging.getLogger("test").info("Zug №%d ☃", number)
        # straight to the file: what pytest keeps of a log has to be text that its processes can send each other
        handler.handle(logging.makeLogRecord({"name": "test", "level": "INFO", "msg": "half a letter \ud800"}))
        log.tear_down(handler)
        written = saves.log.read_text(encoding="utf-8")
        assert "Zug №99 ☃" in written and "half a letter \\ud800" in written
        assert len(list(saves.log.parent.iterdir())) == 1 + log.KEPT


@pytest.mark.usefixtures("quiet_root")
def test_without_a_file_warnings_go_to_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log").write_bytes(b"a file where the folder should be")
    with open_saves(tmp_path) as first, open_saves(tmp_path) as second:
        for saves in (first, second):
            handler = log.set_up(saves)
            logging.getLogger("test").info("quiet")
            logging.getLogger("test").warning("loud")
            log.tear_down(handler)
    assert capsys.readouterr().err.count("loud") == 2


def test_nothing_heavy_is_imported() -> None:
    code = (
        "import sys, game.saves.folder, game.saves.files, game.saves.writer, game.saves.settings, game.saves.progress,"
        "game.saves.resume, game.saves.replays, game.saves.log;"
        "print([name for name in ('numba', 'torch', 'pygame', 'asyncio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
