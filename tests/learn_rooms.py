"""Solutions of the ten rooms that teach, each with the fewest moves there are."""

SOLUTIONS = {
    "Push": "rRR",
    "No pulling": "drruLL",
    "The corner": "ddrUluR",
    "One each": "ruLLddRR",
    "Taken back": "drUUddllUU",
    "Frozen": "rURdrUluL",
    "Far end": "uLLLrddrUruLL",
    "Another door": "urRRdrUddlLL",
    "The tunnel": "urrdRRRlllulldRRRR",
    "Sand clock": "DDDrdLLuruuurrdLulDDDldRRuluuulldRurDDD",
}
"""By title, in their order."""
