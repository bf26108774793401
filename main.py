"""Starts Trilogic: the window, or one of its commands."""

import sys

from game.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
