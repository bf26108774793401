"""What plays noughts and crosses."""

from ai.entries import Entry, Spec
from ai.family import Family

FIRST = Entry("first", "noughts", "First", "Takes the first empty cell", "ai.noughts.agent:First")
FAMILY = Family(agents=(FIRST,), strongest=(Spec("first"),))
