"""Actions as LURD text and back: a letter each, in capitals where a box moves.

Before the letter stands `-` where the player pulls a box behind him, and before that `&` where the second player acts:
`-L` pulls to the left, `&u` is a step up of the second player, `&-U` his pull.
"""

from collections.abc import Iterable

from game.rules.sokoban.board import State, apply, moves_box
from game.rules.sokoban.variants import PULL, SECOND

_LETTERS = "urdl"
MARKS = "&-"
"""What may stand before a letter."""


def to_lurd(state: State, actions: Iterable[int]) -> str:
    """The actions as LURD text; raises ValueError on one that is illegal from `state` on."""
    words = []
    for action in actions:
        after = apply(state, action)
        letter = _LETTERS[action & 3]
        mark = ("&" if action & SECOND else "") + ("-" if action & PULL else "")
        words.append(mark + (letter.upper() if moves_box(state, action) else letter))
        state = after
    return "".join(words)


def from_lurd(text: str) -> tuple[int, ...]:
    """The actions of LURD text in any case, white space ignored; raises ValueError where it is none."""
    actions = []
    more = 0
    for letter in "".join(text.split()):
        if letter == "&" and not more:
            more = SECOND
        elif letter == "-" and not more & PULL:
            more |= PULL
        else:
            action = _LETTERS.find(letter.lower())
            if action < 0:
                raise ValueError(f"{letter!r} is none of the moves l, u, r, d")
            actions.append(action + more)
            more = 0
    if more:
        raise ValueError("the last mark has no move behind it")
    return tuple(actions)
