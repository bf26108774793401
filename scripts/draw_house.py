#!/usr/bin/env python3
"""Draws the parts of the program and who imports whom; the picture in docs/architecture.md.

    python scripts/draw_house.py          # writes docs/house.svg

The arrows are the imports in the sources, also those inside functions and for types. One that follows from others is left
out, and what a part is for is how the text of its package begins. A test compares the file with what this draws.
"""

import sys
from html import escape
from importlib import import_module
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
PICTURE = ROOT / "docs" / "house.svg"
WIDTH, HIGH, GAP, EDGE = 360, 62, 42, 28
LANE = 26
"""Between arrows that pass by parts in between."""
STYLE = """
  text { font-family: Inter, "Segoe UI", "Helvetica Neue", sans-serif; fill: #1d2733; }
  .name { font-size: 17px; font-weight: 600; }
  .what { font-size: 13px; fill: #4a5766; }
  .part { fill: #ffffff; stroke: #b9c3cf; }
  .back { fill: #f3f5f8; }
  .arrow { fill: none; stroke: #5b6b7d; stroke-width: 1.6; }
  .head { fill: #5b6b7d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8edf3; } .what { fill: #a9b5c2; } .part { fill: #222b36; stroke: #45525f; } .back { fill: #161c24; }
    .arrow { stroke: #8fa0b2; } .head { fill: #8fa0b2; }
  }
"""


def parts() -> dict[str, set[str]]:
    """Each part -> the parts from which a file of it imports."""
    graph = grimp.build_graph("game", "ai", include_external_packages=False)
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        mine = _part(module)
        if mine:
            others = {_part(each) for each in graph.find_modules_directly_imported_by(module)}
            found.setdefault(mine, set()).update(others - {mine, ""})
    return found


def _part(module: str) -> str:
    names = module.split(".")
    return "ai" if names[0] == "ai" else ".".join(names[:2]) if len(names) > 1 else ""


def arrows(parts: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The imports that follow from no others."""

    def below(part: str) -> set[str]:
        return {part}.union(*(below(each) for each in parts[part]))

    return sorted(
        (part, each)
        for part, others in parts.items()
        for each in others
        if not any(each in below(other) for other in others - {each})
    )


def floors(parts: dict[str, set[str]]) -> list[list[str]]:
    """The parts from the top down: each stands above all that it imports."""

    def height(part: str) -> int:
        return 1 + max((height(each) for each in parts[part]), default=-1)

    heights = {part: height(part) for part in parts}
    return [sorted(part for part in parts if heights[part] == floor) for floor in sorted(set(heights.values()))[::-1]]


def picture() -> str:
    """The drawing as SVG."""
    found = parts()
    lines, rows = arrows(found), floors(found)
    floor = {part: number for number, row in enumerate(rows) for part in row}
    passing = [each for each in lines if floor[each[1]] - floor[each[0]] > 1]
    inside = max(len(row) for row in rows) * (WIDTH + GAP) - GAP
    wide, high = inside + 2 * EDGE + LANE * (len(passing) + 1), len(rows) * (HIGH + GAP) - GAP + 2 * EDGE
    corners = {}
    for number, row in enumerate(rows):
        left = EDGE + (inside - len(row) * (WIDTH + GAP) + GAP) / 2
        for place, part in enumerate(row):
            corners[part] = left + place * (WIDTH + GAP), EDGE + number * (HIGH + GAP)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
        f'<rect class="back" width="{wide:.0f}" height="{high:.0f}" rx="12"/>',
    ]
    for part, (left, top) in corners.items():
        what = (
            (import_module(part).__doc__ or "")
            .partition("\n")[0]
            .partition(". ")[0]
            .partition(":")[0]
            .strip(".")
            .replace("`", "")
        )
        drawn += [
            f'<rect class="part" x="{left:.0f}" y="{top}" width="{WIDTH}" height="{HIGH}" rx="9"/>',
            f'<text class="name" x="{left + 16:.0f}" y="{top + 25}">{part.replace(".", "/")}</text>',
            f'<text class="what" x="{left + 16:.0f}" y="{top + 47}">{escape(what)}</text>',
        ]
    for upper, lower in lines:
        (left, top), (below, bottom) = corners[upper], corners[lower]
        if (upper, lower) in passing:
            lane = EDGE + inside + LANE * (1 + passing.index((upper, lower)))
            path = f"M{left + WIDTH:.0f} {top + HIGH / 2:.0f} H{lane - 10} q10 0 10 10 V{bottom + HIGH / 2 - 10:.0f} "
            path += f"q0 10 -10 10 H{below + WIDTH + 3:.0f}"
        else:
            shift = (below - left) * 0.25
            path = f"M{left + WIDTH / 2 + shift:.0f} {top + HIGH} L{below + WIDTH / 2 - shift:.0f} {bottom - 3}"
        drawn.append(f'<path class="arrow" marker-end="url(#head)" d="{path}"/>')
    return "\n".join([*drawn, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
    print(PICTURE.relative_to(ROOT))
