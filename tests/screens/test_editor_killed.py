"""The editor's process killed at random moments while it draws, saves and exports: afterwards everything opens."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from game.rules import levels
from game.saves import level_forms
from game.saves.draft import Draft
from game.saves.folder import open_saves
from game.saves.user_packs import UserPacks
from game.saves.writer import Writer

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("TRILOGIC_KILLS", "6"))

SCRIBBLER = """
import json, random, sys
from functools import partial
from pathlib import Path
from game.rules import editing
from game.screens import app
from game.screens.navigation import make_scene
from game.screens.editor import export
from game.ui import reading

chance = random.Random(int(sys.argv[2]))
window, context = app.open_window(Path(sys.argv[1]), (1024, 640))
reading.GRACE = 20.0  # what is read is there in the next line
scene = make_scene("editor", window, context)
window.push(scene)
window.running = True
window.toasts.say = lambda *_: None
CORRIDOR = "#######\\n#@ $ .#\\n#######\\nTitle: Level {}\\n"
for number in range(10**6):
    what = chance.random()
    if what < 0.7:
        scene.hand.begin(chance.randrange(len(scene.drawing.cells)))
        scene.hand.move(chance.randrange(len(scene.drawing.cells)))
        scene.hand.kind = chance.randrange(7)
        scene.hand.end()
    elif what < 0.8:
        window.command(chance.choice(("mirror", "rotate", "shift_up", "undo", "redo")))
    elif what < 0.95:
        scene.exchange.import_text(CORRIDOR.format(number), "it")
        packs = scene.exchange.packs
        stem = packs.packs[0].stem if packs.packs else packs.make("Mine")
        scene.exchange._put(scene.document, stem, True)
        if chance.random() < 0.2:
            packs.undo()
    else:
        form = chance.choice(export.FORMS)
        try:
            make = export.content(form, scene.document, scene.theme)
        except ValueError:
            continue
        path = context.saves.root / "exports" / f"level{form.suffix}"
        scene.exchange.exports.add(path.name, partial(export.write, path, make))
    window.frame(1 / 60)
    print(json.dumps([scene.document.drawing.rows, scene.document.drawing.cells]), flush=True)
"""


def test_nothing_is_torn_when_the_app_is_killed(tmp_path: Path) -> None:
    chance = random.Random(5)
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYTHONPATH": str(ROOT)}
    for kill in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIBBLER, str(tmp_path), str(kill)], cwd=ROOT, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        said: list[tuple[float, str]] = []
        until = None
        for line in process.stdout:
            if not line.startswith("["):
                continue
            said.append((time.monotonic(), line))
            until = until or time.monotonic() + chance.uniform(0.05, 2.0)
            if time.monotonic() > until:
                break
        process.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        rest, errors = process.communicate(timeout=30)
        assert said, errors
        said += [(killed, line) for line in rest.splitlines() if line.startswith("[") and line.endswith("]")]

        with open_saves(tmp_path) as saves:
            assert saves.writable
            writer = Writer(saves)
            draft, packs = Draft(saves, writer), UserPacks(saves, writer)
            assert draft.notice is None
            assert packs.notices == []
            drawing = draft.history.document.drawing
            now = json.dumps([drawing.rows, drawing.cells])
            # the newest state that the disk holds was shown at most a second (and the time to write) before the kill
            last = max((when for when, line in said if line.strip() == now), default=None)
            assert last is not None or killed - said[0][0] < 1.5, f"kill {kill}: the drawing on disk was never shown"
            assert last is None or killed - last < 1.5, f"kill {kill}: {killed - last:.2f} s are missing"
            for own in packs.packs:
                assert levels.dump(own.pack)
            for path in (tmp_path / "exports").glob("*"):
                assert level_forms.read(path), path
            assert not list(tmp_path.rglob("*.tmp"))
            writer.close()
        assert not (tmp_path / "damaged").exists()
