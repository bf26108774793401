"""Saved models: the cards, the folder behind them, and the short test of one."""
