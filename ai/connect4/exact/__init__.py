"""The exact solver of flat boards for two: its search, its opening book, and exact labels to learn from."""
