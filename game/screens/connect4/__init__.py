"""Connect-4 in the window: the views of its board (`board`), and the screen around them."""
