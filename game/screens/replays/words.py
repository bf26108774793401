"""What is said about a finished game in lists, in the theatre and under pictures."""

from ai import catalogue
from ai.entries import CatalogueError
from game.rules.game import PERSON
from game.rules.games import GAMES
from game.rules.replay import Replay
from game.views.view import view_of, whole

OTHERS = {PERSON: "Person", "file": "Published solution", "pasted": "Pasted moves"}
"""Who is no agent, by what stands in a replay; a file's is the solution that came with a level."""
KINDS = {"won": "Won", "lost": "Lost", "draw": "Draw", "open": "Unfinished"}


def agent_id(seat: str) -> str:
    """'person', or the id of the agent in the text of its spec."""
    return seat.partition(",")[0].partition(":")[0]


def agent_title(game: str, agent: str) -> str:
    """What people call an agent; the id itself where the catalogue does not know it (any more)."""
    if agent in OTHERS:
        return OTHERS[agent]
    try:
        return catalogue.entry(game, agent).title
    except CatalogueError:
        return agent


def seat_title(game: str, seat: str) -> str:
    """Who sat there, with the model: 'n-tuple network · 2048-small'."""
    model = seat.partition(",")[0].partition(":")[2]
    return " · ".join(part for part in (agent_title(game, agent_id(seat)), model) if part)


def who_played(head: Replay) -> str:
    """'A person against Alpha-beta', each name once."""
    names = [seat_title(head.game, seat) for seat in head.seats]
    if len(names) > 1 and len(set(names)) == 1:
        return f"{names[0]} against itself" if agent_id(head.seats[0]) != PERSON else "People"
    return " – ".join(dict.fromkeys(names))


def title_of(head: Replay) -> str:
    """The game's own title, else the name of the game with its board."""
    if head.title:
        return head.title
    game = GAMES[head.game]
    return " · ".join(part for part in (game.title, game.board_words(head.setup)) if part)


def result_words(head: Replay) -> str:
    """How it ended, in words."""
    return view_of(head.game).result_words(head.result, head.seats)


def kind_of(head: Replay) -> str:
    """'won', 'lost', 'draw' or 'open', as a person at the board sees it; between agents somebody won."""
    game, result, outcome = GAMES[head.game], head.result, head.result.get("outcome")
    if outcome == "draw":
        return "draw"
    if game.milestone is not None:
        reached = whole(result, game.milestone.name) >= game.milestone.goal
        return "won" if reached else "lost" if outcome == "over" else "open"
    if outcome != "won":
        return "open"
    people = [seat == PERSON for seat in head.seats]
    lost = len(people) > 1 and any(people) and not people[whole(result, "winner") % len(people)]
    return "lost" if lost else "won"


def moves_of(head: Replay) -> int:
    """How long the game is, as its head says."""
    return whole(head.result, "moves")
