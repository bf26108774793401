"""The search agents: best-first, IDA*, beam, LRTA*, and the optimiser of solutions."""
