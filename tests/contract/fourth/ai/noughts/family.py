"""The agents of noughts and crosses."""

from ai.entries import Entry, Spec
from ai.family import Family

FAMILY = Family(
    agents=(
        Entry("careful", "Careful", "Wins where it can, and hinders.", "ai.noughts.agents:Careful"),
        Entry("random", "Random", "Any square.", "ai.noughts.agents:Random"),
    ),
    strongest=(Spec("careful"),),
)
