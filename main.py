"""Starts Trilogic: the window, or one of its commands."""

import sys

from ai import threads

threads.hold()  # before numpy is imported, which everything below does

from game.cli.main import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
