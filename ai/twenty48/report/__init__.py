"""The n-tuple network of the report this project grew from: its agent, its training and its study."""
