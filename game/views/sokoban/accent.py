"""The colour that Sokoban wears."""

from game.ui.theme import Accent

ACCENT = Accent("#f2a541", "#945700")
