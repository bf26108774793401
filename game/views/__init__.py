"""How games look, sound and speak: boards, small pictures, words. One folder a game; nothing here knows a screen."""
