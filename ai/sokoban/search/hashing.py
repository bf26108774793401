"""Hash tables of words in the kernels of Sokoban: arrays a power of two long, with 0 for a free place."""

import numpy as np

from ai.jit import kernel
from ai.sokoban.board.layout import Words


@kernel
def locate(words: Words, word: np.uint64) -> np.int64:
    """The place of a word, or the free one where it belongs."""
    place = np.int64(word & np.uint64(len(words) - 1))
    while words[place] != np.uint64(0) and words[place] != word:
        place = (place + 1) & (len(words) - 1)
    return place


@kernel
def contains(words: Words, word: np.uint64) -> bool:
    """Whether a word is in a hash set."""
    return bool(words[locate(words, word)] == word)


@kernel
def add(words: Words, word: np.uint64) -> None:
    """Put a word into a hash set with room for it."""
    words[locate(words, word)] = word
