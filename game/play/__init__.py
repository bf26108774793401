"""Games being played, without a window: who sits where, what was played, what is thought and saved."""
