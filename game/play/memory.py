"""How much memory there is left, for what can be had without."""

from pathlib import Path

_INFO = Path("/proc/meminfo")


def scarce(wanted: int) -> bool:
    """Whether less than `wanted` bytes are available; False where the machine does not say."""
    try:
        lines = _INFO.read_text().splitlines()
        found = next(line for line in lines if line.startswith("MemAvailable:"))
        return int(found.split()[1]) * 1024 < wanted
    except (OSError, StopIteration, ValueError, IndexError):
        return False
