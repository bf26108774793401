"""Games to and from the clipboard, as text (`game.rules.connect4_text`)."""

from ai import catalogue
from ai.entries import Spec
from game.play.connect4 import boards
from game.play.connect4.session import MatchSession
from game.rules import connect4, connect4_text
from game.rules import replay as replays
from game.rules.game import PERSON
from game.rules.replay import Step
from game.screens import results
from game.ui import clipboard
from game.ui.scene import Host


def copy(session: MatchSession, window: Host) -> None:
    """Put the game up to here on the clipboard."""
    moves = len(session.state.moves)
    said = f"the game of {moves} move{'' if moves == 1 else 's'}" if moves else "the empty board"
    results.put(window, connect4_text.write_game(session.state), f"On the clipboard: {said}.")


def paste(session: MatchSession, window: Host) -> None:
    """Go on with the game on the clipboard; the one on the board is left as by 'new game', or stays where that fails."""
    text = clipboard.read()[: connect4_text.MAX_TEXT + 1]
    if not text.strip():
        window.say("There is no text on the clipboard.", "bad")
        return
    try:
        final = connect4_text.read_game(text, session.state.shape)
    except ValueError as error:
        window.say(f"Nothing was pasted: {str(error).rstrip('.')}.", "bad")
        return
    states = [connect4.start(final.shape)]
    for action in final.moves:
        states.append(connect4.apply(states[-1], action))
    same = final.shape.players == session.state.shape.players
    seats = (
        tuple(_seat(session.game, spec, final) for spec in session.driver.seats)
        if same
        else (PERSON,) * final.shape.players
    )
    record = replays.Replay(
        session.game, replays.setup_of(states[0]), tuple(Step(action) for action in final.moves), seats, session.seed,
        session.started, 0.0, "",
    )  # fmt: skip
    session.take_over(record, states, seats)
    window.say(f"Pasted: {boards.table(final.shape)}, {len(final.moves)} moves.", "good")


def _seat(game: str, spec: Spec | None, state: connect4.State) -> str:
    """Who sits there on the pasted board, as text."""
    if spec is None:
        return PERSON
    return str(catalogue.stand_in(game, spec, state) or spec)
