"""Work that goes on behind the screens, each in a process of its own."""
