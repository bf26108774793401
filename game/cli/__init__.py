"""The command line: `main` finds the command, and every command has a small file of its own."""
