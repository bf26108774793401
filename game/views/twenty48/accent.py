"""The colour that 2048 wears."""

from game.ui.theme import Accent

ACCENT = Accent("#ef6f5e", "#b33e2d")
