"""Every way to fail is one line and an exit code; nothing heavy is imported to find that out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from game.cli import agents
from game.cli import main as cli

MAIN = Path(__file__).parents[2] / "main.py"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "good.xsb").write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "twins.xsb").write_text("######\n#@$.@#\n######\n")
    (tmp_path / "text.txt").write_text("Once upon a time there was no level here.\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "torn.json").write_text('{"format":"trilogic replay","version":1,"game":"connect4","ti')
    (tmp_path / "lines.txt").write_text("4453\n9\n")
    return tmp_path


BAD = [
    ("dance", "'dance'"),
    ("--scene", "--scene"),
    ("--scene kitchen", "'kitchen'"),
    ("--open {dir}/missing.xsb", "missing.xsb"),
    ("agents chess", "'chess'"),
    ("agents --seed -1", "--seed"),
    ("agents --seed 99999999999999999999999999999999", "--seed"),
    ("agents --js", "--js"),
    ("solve", "FILE"),
    ("solve {dir}/good.xsb", "--agent"),
    ("solve {dir}/good.xsb --agent wizard", "'wizard'"),
    ("solve {dir}/good.xsb --agent astar,time", "NAME=VALUE"),
    ("solve {dir}/good.xsb --agent astar,time=soon", "time=soon"),
    ("solve {dir}/good.xsb --agent astar,depth=3", "'depth'"),
    ("solve {dir}/good.xsb --agent astar:model", "no model"),
    ("solve {dir}/missing.xsb --agent astar", "missing.xsb"),
    ("solve {dir} --agent astar", "a folder, not a file"),
    ("solve {dir}/text.txt --agent astar", "text.txt"),
    ("solve {dir}/binary --agent astar", "binary"),
    ("solve {dir}/empty --agent astar", "no level"),
    ("solve {dir}/twins.xsb --agent astar", "twins.xsb:1"),
    ("solve {dir}/good.xsb --agent astar --level 0", "--level"),
    ("solve {dir}/good.xsb --agent astar --level 2", "no level 2"),
    ("solve {dir}/good.xsb --agent astar --time -1", "--time"),
    ("solve {dir}/good.xsb --agent astar --time nan", "--time"),
    ("solve {dir}/good.xsb --agent astar --nodes 0", "--nodes"),
    ("solve {dir}/good.xsb --agent astar --jobs 0", "--jobs"),
    ("solve {dir}/good.xsb --agent astar --variant sideways", "'sideways'"),
    ("solve {dir}/good.xsb --agent fess --variant pull", "it plays push only, not push & pull"),
    ("match", "GAME"),
    ("match sokoban --agent astar", "solve"),
    ("match 2048", "--agent"),
    ("match 2048 --agent random --games 0", "--games"),
    ("match 2048 --agent random --games many", "--games"),
    ("match 2048 --agent random --size 9", "--size"),
    ("match 2048 --agent random --board 6,7,1,4", "--board"),
    ("match 2048 --agent random --record {dir}/text.txt", "text.txt"),
    ("match connect4 --agent random", "2 to 6"),
    ("match connect4" + 7 * " --agent random", "2 to 6"),
    ("match connect4 --agent random --agent expectimax", "'expectimax'"),
    ("match connect4 --agent random --agent random --board 0,7,1,4", "0,7,1,4"),
    ("match connect4 --agent random --agent random --board 6,7", "6,7"),
    ("match connect4 --agent random --agent random --board 6,7,1,9", "6,7,1,9"),
    ("match connect4 --agent random --agent random --size 4", "--size"),
    ("match connect4 --agent random --agent random --openings 42", "42"),
    ("match connect4 --agent random --agent random --time-per-move 0", "--time-per-move"),
    ("analyze connect4 --agent random", "--position"),
    ("analyze connect4 --agent random --position 4 --positions {dir}/lines.txt", "--position"),
    ("analyze connect4 --agent random --position 48", "move 2"),
    ("analyze connect4 --agent random --position abc", "move 1"),
    ("analyze connect4 --agent random --position 4 --players 7", "--players"),
    ("analyze connect4 --agent random --positions {dir}/lines.txt", "lines.txt:2"),
    ("analyze connect4 --agent random --positions {dir}/empty", "no position"),
    ("analyze 2048 --agent random --position 2", "3 to 8"),
    ("analyze 2048 --agent random --position 4453 --board 6,7,1,4", "--board"),
    ("analyze sokoban --agent astar --position {dir}/missing.xsb", "missing.xsb"),
    ("analyze sokoban --agent astar --position ###|#@#|###", "box"),
    ("replay", "FILE"),
    ("replay {dir}/missing.json", "missing.json"),
    ("replay {dir}", "a folder, not a file"),
    ("replay {dir}/text.txt", "text.txt"),
    ("replay {dir}/binary", "binary"),
    ("replay {dir}/torn.json", "torn.json"),
    ("replay {dir}/good.xsb", "good.xsb"),
    ("bench nothing", "'nothing'"),
]


@pytest.mark.parametrize(("line", "named"), BAD)
def test_bad_input_is_one_clear_line(run, files, line, named):
    ran = run(*(word.format(dir=files) for word in line.split()))
    print(ran.err)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("trilogic: ")
    assert ran.err.count("\n") == 1
    assert len(ran.err) < 400 + len(str(files))
    assert named.lower() in ran.err.lower()


def test_help_lists_exactly_the_commands_that_exist(run):
    ran = run("--help")
    assert ran.code == 0
    listed = [line.split()[0] for line in ran.out.splitlines() if line.startswith("    ") and line[4] != " "]
    assert listed == ["COMMAND", *cli.COMMANDS] or listed == list(cli.COMMANDS)
    for name in cli.COMMANDS:
        shown = run(name, "--help")
        assert shown.code == 0
        assert {"--json", "--seed"} <= set(shown.out.replace(",", " ").split())


def test_an_interrupt_is_one_line(run, monkeypatch):
    def stop(_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(agents, "run", stop)
    ran = run("agents")
    assert (ran.code, ran.err) == (130, "trilogic: stopped.\n")


def test_a_fault_is_one_line_and_its_traceback_is_in_the_log(run, monkeypatch, tmp_path):
    def break_down(_arguments):
        raise RuntimeError("a gear\nis missing")

    monkeypatch.setattr(agents, "run", break_down)
    ran = run("agents")
    print(ran.err)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "a gear is missing" in ran.err
    assert "report" in ran.err
    log = (tmp_path / "saves" / "log" / "trilogic.log").read_text("utf-8")
    assert "Traceback" in log
    assert "break_down" in log


def test_debug_lets_the_traceback_through(run, monkeypatch):
    def break_down(_arguments):
        raise RuntimeError("a gear is missing")

    monkeypatch.setattr(agents, "run", break_down)
    with pytest.raises(RuntimeError, match="gear"):
        run("agents", "--debug")


def test_the_program_itself(tmp_path):
    done = subprocess.run(
        [sys.executable, str(MAIN), "match", "connect4", "--board", "0,7,1,4", "--agent", "random"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    print(done.stderr)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_fault():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run([sys.executable, str(MAIN), "agents"], stdout=closed, stderr=subprocess.PIPE)
    assert done.stderr == b""
    assert done.returncode == 141


def test_heavy_libraries_wait_until_they_are_used(tmp_path):
    program = (
        "import sys\n"
        "from game.cli.main import main\n"
        "code = main(['agents', '--json'])\n"
        "print({'numba', 'torch', 'pygame', 'matplotlib'} & set(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=MAIN.parent, capture_output=True, text=True)
    assert done.stderr == "set()\n"
