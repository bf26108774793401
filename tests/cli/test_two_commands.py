"""`./play` and `./test` in a copy of the tree with a pretended Python and pip: no network, no real environment."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ("requirements-play.txt", "requirements.txt", "requirements-dev.txt")
TOOLS = ("bash", "cat", "chmod", "dirname", "env", "flock", "head", "mkdir", "mv", "readlink", "rm", "sha256sum")

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS), reason="the scripts are for Linux with bash"
)

PYTHON = """#!{bash}
# A system Python: `-m venv` makes an environment whose python only writes down what it is asked to do.
case "$*" in
  *ensurepip*) [ ! -e "{home}/bare" ] ;;
  *os.path.realpath*) echo /usr/bin/python3.11 ;;
  *"%d.%d"*) echo python3.11-venv ;;
  *version_info*) [ ! -e "{home}/old" ] ;;
  -V) echo "Python 3.11.0" ;;
  *"-m venv"*)
    for folder; do :; done
    mkdir -p "$folder/bin"
    cat "{home}/venv-python" >"$folder/bin/python"
    chmod +x "$folder/bin/python" ;;
  *) exit 9 ;;
esac
"""

VENV_PYTHON = """#!{bash}
echo "$*" >>"{home}/asked"
case "$*" in
  *version_info*) ;;
  *"pip install"*) [ ! -e "{home}/offline" ] ;;
  *main.py*) printf '<%s>' "${{@:2}}"; echo "home ${{HOME-unset}}" >>"{home}/asked" ;;
  *"-m mypy"*) [ ! -e "{home}/untyped" ] ;;
  *"-m pytest"*) echo "1 passed in 0.01s" ;;
esac
"""

APT_GET = """#!{bash}
echo "apt-get $*" >>"{home}/asked"
case "$*" in
  *update*) : >"{home}/updated" ;;
  *install*) [ -e "{home}/updated" ] && rm -f "{home}/bare" ;;
esac
"""


class Copy:
    """The scripts in a folder whose name has a space, and a PATH on which nothing else can be found."""

    def __init__(self, folder: Path) -> None:
        self.home = folder
        self.root = folder / "a copy"
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.root / "scripts").mkdir(parents=True)
        for name in ("play", "test", "scripts/setup.sh", *REQUIREMENTS):
            shutil.copy2(ROOT / name, self.root / name)
        for tool in TOOLS:
            (self.bin / tool).symlink_to(str(shutil.which(tool)))
        self.script(self.bin / "python3", PYTHON)
        self.script(folder / "venv-python", VENV_PYTHON)
        self.as_user(1000)

    def script(self, path: Path, text: str) -> None:
        path.write_text(text.format(bash=shutil.which("bash"), home=self.home))
        path.chmod(0o755)

    def as_user(self, number: int) -> None:
        self.script(self.bin / "id", f"#!{{bash}}\necho {number}\n")

    def start(self, command: str, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(self.root / command), *words],
            cwd="/",
            env={"PATH": str(self.bin), "HOME": ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, command: str, *words: str) -> "subprocess.CompletedProcess[str]":
        process = self.start(command, *words)
        out, err = process.communicate(timeout=60)
        print(f"--- {command} {' '.join(words)} -> {process.returncode}\n{out}{err}")
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def asked(self, what: str) -> list[str]:
        """What was asked of Python or apt-get since the last call, where `what` stands in it."""
        path = self.home / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        path.write_text("")
        return [line for line in lines if what in line]

    @property
    def ready(self) -> Path:
        return self.root / ".venv" / ".ready"


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def test_the_first_run_sets_up_and_the_second_touches_nothing(copy):
    first = copy.run("play", "solve", "two words")
    assert first.returncode == 0
    assert first.stdout == "<solve><two words>"
    assert "MB" in first.stderr
    assert "requirements-play.txt" in copy.asked("pip install")[0]
    before = copy.ready.stat().st_mtime_ns
    second = copy.run("play")
    assert (second.returncode, second.stderr) == (0, "")
    # Nothing but the program; and an empty HOME, which would mean the current folder, is gone
    assert copy.asked("") == [str(copy.root / "main.py"), "home unset"]
    assert copy.ready.stat().st_mtime_ns == before


def test_an_interrupted_set_up_starts_again(copy):
    (copy.home / "offline").touch()
    failed = copy.run("play")
    assert failed.returncode == 1
    assert not copy.ready.exists()
    (copy.root / ".venv" / "half a library").touch()
    (copy.home / "offline").unlink()
    copy.asked("")
    again = copy.run("play")
    assert again.returncode == 0
    assert "anew" in again.stderr
    assert len(copy.asked("pip install")) == 1
    assert not (copy.root / ".venv" / "half a library").exists()


def test_changed_requirements_are_installed_into_the_same_environment(copy):
    copy.run("play")
    copy.asked("")
    (copy.root / ".venv" / "library").touch()
    with (copy.root / "requirements-play.txt").open("a") as file:
        file.write("# another pin\n")
    changed = copy.run("play")
    assert changed.returncode == 0
    assert "changed" in changed.stderr
    assert len(copy.asked("pip install")) == 1
    assert (copy.root / ".venv" / "library").exists()
    assert copy.run("play").stderr == ""


def test_a_failed_update_is_not_taken_for_a_finished_one(copy):
    copy.run("play")
    (copy.home / "offline").touch()
    with (copy.root / "requirements-play.txt").open("a") as file:
        file.write("# another pin\n")
    assert copy.run("play").returncode == 1
    assert not copy.ready.exists()


def test_another_python_makes_the_environment_anew(copy):
    copy.run("play")
    python = copy.root / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(copy.home / "gone")
    gone = copy.run("play")
    assert gone.returncode == 0
    assert "anew" in gone.stderr
    text = copy.ready.read_text().splitlines()
    copy.ready.write_text("\n".join(["python /opt/python3.12", *text[1:]]) + "\n")
    assert "anew" in copy.run("play").stderr


def test_learning_needs_more_and_playing_is_content_with_it(copy):
    copy.run("play")
    copy.asked("")
    more = copy.run("play", "train", "2048")
    assert "torch" in more.stderr
    assert [line.endswith("/requirements.txt") for line in copy.asked("pip install")] == [True]
    assert copy.run("play").stderr == ""
    assert copy.run("play", "experiment").stderr == ""
    assert copy.asked("pip") == []


def test_every_check_runs_and_a_failure_is_named(copy):
    good = copy.run("test", "-k", "two words")
    assert good.returncode == 0
    assert good.stdout.splitlines()[-1] == "1 passed in 0.01s"
    asked = copy.asked("")
    assert sum("requirements-dev.txt" in line for line in asked) == 1
    for check in ("ruff check", "ruff format --check", "mypy", "lint_imports", "-m ai.preparing", "-m pytest"):
        assert any(check in line for line in asked), check
    assert any("-m pytest" in line and line.endswith("-k two words") for line in asked)
    (copy.home / "untyped").touch()
    bad = copy.run("test")
    assert bad.returncode == 1
    assert bad.stderr.splitlines()[-1] == "trilogic: failed: mypy"
    assert len(copy.asked("-m pytest")) == 1


def test_a_bare_system_says_what_to_install(copy):
    (copy.home / "bare").touch()
    for command in ("play", "test"):
        ran = copy.run(command)
        assert ran.returncode == 2
        assert len(ran.stderr.splitlines()) == 1
    assert "venv" in ran.stderr
    copy.script(copy.bin / "apt-get", APT_GET)
    told = copy.run("play")
    assert told.returncode == 2
    assert told.stderr.endswith("sudo apt install python3.11-venv\n")
    assert len(told.stderr.splitlines()) == 1
    assert copy.asked("apt-get") == []


def test_root_installs_what_is_missing(copy):
    (copy.home / "bare").touch()
    copy.as_user(0)
    copy.script(copy.bin / "apt-get", APT_GET)
    ran = copy.run("play", "agents")
    assert ran.returncode == 0
    assert ran.stdout == "<agents>"
    calls = [line for line in copy.asked("apt-get") if "update" in line or "python3.11-venv" in line]
    assert len(calls) == 3  # not found, lists brought up to date, installed


def test_an_old_python_is_not_used(copy):
    (copy.home / "old").touch()
    copy.script(copy.bin / "apt-get", APT_GET)
    ran = copy.run("play")
    assert ran.returncode == 2
    assert "sudo apt install python3.11-venv" in ran.stderr


def test_two_at_once_set_up_once(copy):
    both = [copy.start("play", "one"), copy.start("play", "two")]
    ended = [process.communicate(timeout=60) for process in both]
    print(ended)
    assert [process.returncode for process in both] == [0, 0]
    assert [out for out, _ in ended] == ["<one>", "<two>"]
    assert len(copy.asked("pip install")) == 1


def test_a_link_to_the_command_works(copy):
    link = copy.home / "trilogic"
    link.symlink_to(copy.root / "play")
    done = subprocess.run([str(link), "x"], env={"PATH": str(copy.bin)}, capture_output=True, text=True)
    print(done.stderr)
    assert (done.returncode, done.stdout) == (0, "<x>")


def test_the_scripts_can_be_run():
    for name in ("play", "test", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK), name
