"""The colour that connect-4 wears."""

from game.ui.theme import Accent

ACCENT = Accent("#35b8a6", "#0f7064")
