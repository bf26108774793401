"""The record of one game: its set-up, then every action and every random outcome, as versioned JSON.

A replay never depends on a generator: what chance answered is part of its steps. The file is one JSON document whose
head (everything but the steps) stands on the first line, so that a library of replays can be listed without
rebuilding a game. What is read is checked field by field, and its steps are counted before they are decoded: the only
error is `ReplayError`.

`recording` has the replay as a value, `steps` one step of it, `text` its form in a file. Import everything from here.
"""

from game.rules.reader import JSON, MAX_BYTES, MAX_TEXT, ReplayError
from game.rules.replay.recording import (
    MAX_SEATS,
    VERSION,
    Replay,
    after,
    chosen,
    initial,
    play,
    record,
    result_of,
    setup_of,
    states,
)
from game.rules.replay.steps import MAX_STEPS, MAX_WEIGHED, Step, Weighed, rounded, thought, weighed
from game.rules.replay.text import (
    FORMAT,
    MAX_FOREIGN_BYTES,
    MAX_HEAD_BYTES,
    dumps,
    loads,
    loads_head,
    read,
    read_head,
    retitled,
)

__all__ = [
    "FORMAT",
    "JSON",
    "MAX_BYTES",
    "MAX_FOREIGN_BYTES",
    "MAX_HEAD_BYTES",
    "MAX_SEATS",
    "MAX_STEPS",
    "MAX_TEXT",
    "MAX_WEIGHED",
    "VERSION",
    "Replay",
    "ReplayError",
    "Step",
    "Weighed",
    "after",
    "chosen",
    "dumps",
    "initial",
    "loads",
    "loads_head",
    "play",
    "read",
    "read_head",
    "record",
    "result_of",
    "retitled",
    "rounded",
    "setup_of",
    "states",
    "thought",
    "weighed",
]
