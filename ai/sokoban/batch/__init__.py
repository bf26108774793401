"""Many games side by side, for learning from large batches."""
