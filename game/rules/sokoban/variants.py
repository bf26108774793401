"""Sokoban's rule variants: what a player may do with a box, whose box a target is, how many players there are.

An action is a whole number: direction (0 up, 1 right, 2 down, 3 left), + 4 where the player pulls the box behind him
along, + 8 where the second player acts. A game that is only pushed keeps the numbers 0 to 3.
"""

import re
from dataclasses import dataclass
from functools import cached_property

PULL, SECOND = 4, 8
"""What is added to a direction: the player pulls; it is the second player."""

_WORDS = re.compile(r"[a-z0-9]+")
_NAMED = "push only, push & pull, pull only, fixed targets, two players"
_PULL, _PUSH = frozenset(("pull", "pulls", "reverse")), frozenset(("push", "pushes", "sokoban", "classic"))
_FIXED, _TWO = frozenset(("fixed", "colours", "colors")), frozenset(("two", "2"))
_KNOWN = _PULL | _PUSH | _FIXED | _TWO | {"only", "and", "targets", "players", "player"}


@dataclass(frozen=True)
class Rules:
    """One variant; every combination is a game. `Rules()` is Sokoban as it has always been."""

    pull: bool = False
    """Whether a player may pull a box."""
    fixed: bool = False
    """Whether every box has a colour (a letter) and one target of its own."""
    players: int = 1
    """1 or 2. Players are in each other's way; either may act at every step."""
    push: bool = True
    """Whether a player may push a box. Without it the game is Sokoban backwards."""

    @cached_property
    def actions(self) -> tuple[int, ...]:
        """The actions that the rules know, whether or not they are legal somewhere, in ascending order."""
        each = [0, 1, 2, 3] + [4, 5, 6, 7] * self.pull
        return tuple(each + [SECOND + action for action in each] * (self.players == 2))

    @property
    def name(self) -> str:
        """How a `Variant:` line says it: 'push only', 'push & pull', 'fixed targets', 'two players', or several."""
        how = {(True, True): ["push & pull"], (False, True): ["pull only"]}.get((self.push, self.pull), [])
        words = how + ["fixed targets"] * self.fixed + ["two players"] * (self.players == 2)
        return ", ".join(words) or "push only"

    @property
    def brief(self) -> str:
        """The same in as few letters as possible: 'push', 'pull', 'fixed', 'two', 'pull + two' or 'all rules'."""
        words = ["pull"] * self.pull + ["fixed"] * self.fixed + ["two"] * (self.players == 2)
        return "all rules" if len(words) == 3 else " + ".join(words) or "push"


PUSH_ONLY = Rules()


def rules_of(text: str) -> Rules:
    """The rules that a `Variant:` line or `--variant` asks for, in any order and with any marks between the words.

    `push`, `pull` (which allows pushes too), `pull only` or `reverse`, `fixed`, `two`; combined for example as
    `pull + two players`. An empty text is push only.

    Raises:
        ValueError: it has a word that means nothing here; the message lists what there is.
    """
    words = set(_WORDS.findall(text.lower()))
    pull, push, fixed, two = (bool(words & meant) for meant in (_PULL, _PUSH, _FIXED, _TWO))
    if not words <= _KNOWN or (words and not (pull or push or fixed or two)):
        raise ValueError(f"the rules of the variant {text.strip()[:40]!r} are not known (there are: {_NAMED})")
    backwards = "reverse" in words or (pull and not push and "only" in words)
    return Rules(pull, fixed, 2 if two else 1, not backwards)
