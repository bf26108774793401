"""The Sokoban screen and the board that it shares with the menu, the level list, the editor and the replays."""
