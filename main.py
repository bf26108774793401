"""Starts Trilogic: the window, or one of its commands. Signals are obeyed before the rest is imported."""

from ai import stopping

if __name__ == "__main__":
    stopping.install()
    from ai import threads

    threads.hold()  # before numpy is imported
    from game.cli.main import main

    stopping.leave(main())
