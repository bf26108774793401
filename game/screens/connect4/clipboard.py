"""Games to and from the clipboard, as text (`game.rules.connect4_text`)."""

from typing import TYPE_CHECKING

from ai import catalogue
from ai.entries import Spec
from game.rules import connect4, connect4_text
from game.rules import replay as replays
from game.rules.game import PERSON
from game.rules.replay import Step
from game.screens import results
from game.ui import clipboard

if TYPE_CHECKING:
    from game.screens.connect4.table import Connect4Table


def copy(scene: "Connect4Table") -> None:
    """Put the game up to here on the clipboard."""
    moves = len(scene.state.moves)
    said = f"the game of {moves} move{'' if moves == 1 else 's'}" if moves else "the empty board"
    results.put(scene.window, connect4_text.write_game(scene.state), f"On the clipboard: {said}.")


def paste(scene: "Connect4Table") -> None:
    """Go on with the game on the clipboard; the one on the board is left as by 'new game', or stays where that fails."""
    text = clipboard.read()[: connect4_text.MAX_TEXT + 1]
    if not text.strip():
        scene.window.say("There is no text on the clipboard.", "bad")
        return
    try:
        final = connect4_text.read_game(text, scene.state.shape)
    except ValueError as error:
        scene.window.say(f"Nothing was pasted: {str(error).rstrip('.')}.", "bad")
        return
    states = [connect4.start(final.shape)]
    for action in final.moves:
        states.append(connect4.apply(states[-1], action))
    same = final.shape.players == scene.state.shape.players
    seats = (
        tuple(_seat(scene, spec, final) for spec in scene.driver.seats) if same else (PERSON,) * final.shape.players
    )
    record = replays.Replay(
        scene.game, replays.setup_of(states[0]), tuple(Step(action) for action in final.moves), seats, scene.seed,
        scene.started, 0.0, "",
    )  # fmt: skip
    scene.take_timeline(record, states, seats)
    scene.window.say(f"Pasted: {scene.board_words(final.shape)}, {len(final.moves)} moves.", "good")


def _seat(scene: "Connect4Table", spec: Spec | None, state: connect4.State) -> str:
    """Who sits there on the pasted board, as text."""
    if spec is None:
        return PERSON
    return str(catalogue.stand_in(scene.game, spec, state) or spec)
