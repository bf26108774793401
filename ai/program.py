"""Where the program itself lies."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The folder with `main.py`, `levels`, `assets` and, where it can be written, `saves`."""
