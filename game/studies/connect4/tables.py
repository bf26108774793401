"""Tables and plots of the contests of the study `connect4-report`. Parts that are missing are left out."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from game.studies.connect4 import figures as report
from game.studies.connect4 import parts
from game.studies.connect4.contests import Shares, difference
from game.studies.pages import Cell, Plot, Sheet, rounded

Found = Mapping[str, Shares]
_COLOURS = {"offensive": "#ef6f5e", "defensive": "#4c9be8"}
_SUBJECTS = ("complex", "only-best-opponent")


def sheets(found: Found) -> tuple[Sheet, ...]:
    """All tables of the contests."""
    return (_weakened(found), _from_empty(found), _by_depth(found), _three(found), _seats(found), _duels(found))


def plots(found: Found) -> tuple[Plot, ...]:
    """All plots of the contests."""
    return (_weakened_plot(found), _depth_plot(found), _three_plot(found))


def _percent(shares: Shares | None) -> list[Cell]:
    """Share and standard error; nothing for what is missing."""
    return [None, None] if shares is None else [100 * shares.mean, 100 * shares.error]


def _apart(ours: Shares | None, theirs: Shares | None) -> list[Cell]:
    """Difference and its standard error."""
    if ours is None or theirs is None:
        return [None, None]
    mean, error = difference(ours, theirs)
    return [100 * mean, 100 * error]


def _rows(rows: Iterable[list[Cell]]) -> tuple[tuple[Cell, ...], ...]:
    return rounded([row for row in rows if any(isinstance(cell, float) for cell in row[1:])])


def _games(found: Iterable[Shares | None]) -> str:
    """How many games a contest has."""
    numbers = sorted({each.games for each in found if each is not None})
    return " or ".join(f"{number:,}" for number in numbers) or "no"


def _weakened(found: Found) -> Sheet:
    rows = []
    every: list[Shares | None] = []
    for share in parts.SHARES_OF_RANDOM:
        pair = [found.get(parts.weakened_name(share, opponent)) for opponent in parts.OPPONENTS]
        every += pair
        reported = report.UNWEAKENED if share == 0 and any(pair) else None
        rows.append([f"{share:g}", *_percent(pair[0]), *_percent(pair[1]), *_apart(pair[0], pair[1]), reported])
    head = ("random moves", "offensive, %", "±", "defensive, %", "±", "apart", "±", "report, both")
    note = (
        f"`{parts.searcher('complex', parts.WEAKENED_DEPTH)},random_moves=…`, {_games(every)} games against each. *Apart*: "
        "share against offensive less that against defensive."
    )
    title = "Complex plays more and more random moves, (6,7,5,4), two players"
    return Sheet("random-moves", title, head, _rows(rows), ("", *(".1f",) * 6, ".0f"), note)


def _from_empty(found: Found) -> Sheet:
    rows: list[list[Cell]] = []
    for depth in parts.DEPTHS_FROM_EMPTY:
        for share in parts.SHARES_FROM_EMPTY:
            pair = [found.get(parts.from_empty_name(depth, share, opponent)) for opponent in parts.OPPONENTS]
            cells: list[Cell] = []
            for shares in pair:
                seats = [None, None] if shares is None else [100 * each for each in shares.by_seat]
                cells += [*_percent(shares), *seats]
            games = next((shares.games for shares in pair if shares is not None), 0)
            rows.append([f"{share:g}", depth, games, *cells, None if share else report.UNWEAKENED])
    head = (
        "random moves", "depth", "games", "offensive, %", "±", "first", "second", "defensive, %", "±", "first", "second",
        "report, both",
    )  # fmt: skip
    title = "From the empty board, and with more depth, (6,7,5,4), two players"
    note = "*First*, *second*: share of the games in which complex begins, and of the others."
    rows = [row for row in rows if row[2]]
    return Sheet("random-moves-from-empty", title, head, rounded(rows), ("", "", ",", *(".1f",) * 8, ".0f"), note)


def _by_depth(found: Found) -> Sheet:
    rows = []
    every: list[Shares | None] = []
    for depth in parts.DEPTHS:
        row: list[Cell] = [str(depth)]
        for opponent in parts.OPPONENTS:
            ours = [found.get(parts.by_depth_name(name, opponent, depth)) for name in ("complex", "ibef2")]
            every += ours
            row += _percent(ours[0]) + _percent(ours[1]) + _apart(ours[0], ours[1])
        rows.append(row)
    head = ("depth", *(
        word
        for opponent in parts.OPPONENTS
        for word in (f"complex, {opponent}, %", "±", f"ibef2, {opponent}, %", "±", "apart", "±")
    ))  # fmt: skip
    note = f"Alpha-beta, {_games(every)} games each. *Apart*: complex less ibef2, against the same opponent."
    title = "Complex and IBEF2 by depth, (6,7,1,4), two players"
    return Sheet("by-depth", title, head, _rows(rows), ("", *(".1f",) * 12), note)


def _three(found: Found) -> Sheet:
    rows = []
    every: list[Shares | None] = []
    for others in parts.LINE_UPS:
        ours = [found.get(parts.three_name(subject, others)) for subject in _SUBJECTS]
        every += ours
        for copy in sorted(set(others)):
            control = found.get(parts.three_name(copy, others))
            rows.append(
                [
                    " + ".join(others),
                    copy,
                    *_percent(control),
                    *_percent(ours[0]),
                    *_percent(ours[1]),
                    *_apart(ours[0], control),
                    *_apart(ours[1], control),
                    *_apart(ours[0], ours[1]),
                ]
            )
    head = (
        "opponents", "control", "control, %", "±", "complex, %", "±", "only-best, %", "±", "complex − control", "±",
        "only-best − control", "±", "complex − only-best", "±",
    )  # fmt: skip
    note = (
        f"Alpha-beta of depth {parts.DEPTH_OF_THREE}, {_games(every)} games each, every opening in all orders of the "
        "three. The control sits in the agent's place: a copy of one of the opponents. Against two copies of itself "
        "its share is a third, because all orders are played."
    )
    title = "Three players, (6,7,1,4)"
    return Sheet("three-players", title, head, _rows(rows), ("", "", *(".1f",) * 12), note)


def _seats(found: Found) -> Sheet:
    rows: list[list[Cell]] = []
    for others in parts.LINE_UPS:
        for subject in (*_SUBJECTS, *sorted(set(others))):
            shares = found.get(parts.three_name(subject, others))
            if shares is not None:
                rows.append([" + ".join(others), subject, *(100 * share for share in shares.by_seat)])
    head = ("opponents", "agent", "first, %", "second, %", "third, %")
    return Sheet("three-seats", "Three players: share by seat", head, _rows(rows), ("", "", ".1f", ".1f", ".1f"))


def _duels(found: Found) -> Sheet:
    rows: list[list[Cell]] = []
    for depth in parts.DEPTHS:
        shares = found.get(parts.duel_name("complex", "ibef2", depth))
        if shares is not None:
            rows.append(["complex", "ibef2", depth, shares.games, *_percent(shares), 50.0])
    for depth in parts.DUEL_DEPTHS_OF_THREE:
        for subject, other in (_SUBJECTS, _SUBJECTS[::-1]):
            shares = found.get(parts.duel_name(subject, f"two {other}", depth))
            if shares is not None:
                rows.append([subject, f"two {other}", depth, shares.games, *_percent(shares), 100 / 3])
    head = ("agent", "against", "depth", "games", "share, %", "±", "even, %")
    note = (
        "(6,7,1,4). From one position these agents always play the same game, so here the openings alone make the "
        "games differ. With two players complex and only-best-opponent are the same function; they meet with three."
    )
    return Sheet("duels", "Duels of the heuristics", head, _rows(rows), ("", "", "", ",", ".1f", ".1f", ".1f"), note)


# Plots


def _curve(axes: Any, found: Found, points: Iterable[tuple[float, str]], look: str, **more: Any) -> None:
    """Shares with their standard errors."""
    known = [(place, found[name]) for place, name in points if name in found]
    if known:
        axes.errorbar(
            [place for place, _ in known],
            [100 * shares.mean for _, shares in known],
            [100 * shares.error for _, shares in known],
            fmt=look,
            capsize=2,
            markersize=4,
            **more,
        )


def _share_plot(name: str, title: str, draw: Callable[[Any], None], across: str) -> Plot:
    def whole(axes: Any) -> None:
        draw(axes)
        axes.set_ylim(0, 103)

    return Plot(name, title, whole, across, "share, %")


def _weakened_plot(found: Found) -> Plot:
    def draw(axes: Any) -> None:
        for opponent in parts.OPPONENTS:
            points = [(share, parts.weakened_name(share, opponent)) for share in parts.SHARES_OF_RANDOM]
            _curve(
                axes,
                found,
                points,
                "o-",
                color=_COLOURS[opponent],
                label=f"{opponent}, depth {parts.WEAKENED_DEPTH}, random openings",
            )
            for depth, look in zip(parts.DEPTHS_FROM_EMPTY, ("s:", "^--"), strict=True):
                points = [(share, parts.from_empty_name(depth, share, opponent)) for share in parts.SHARES_FROM_EMPTY]
                label = f"{opponent}, depth {depth}, empty board"
                _curve(axes, found, points, look, color=_COLOURS[opponent], label=label, alpha=0.5)
        axes.plot([0], [report.UNWEAKENED], "D", color="white", markeredgecolor="#22252e", label="report, both")

    title = "Complex with random moves on (6,7,5,4)"
    return _share_plot("random-moves", title, draw, "probability of a random move")


def _depth_plot(found: Found) -> Plot:
    def draw(axes: Any) -> None:
        for opponent in parts.OPPONENTS:
            for heuristic, look in (("complex", "o-"), ("ibef2", "s--")):
                points = [(depth, parts.by_depth_name(heuristic, opponent, depth)) for depth in parts.DEPTHS]
                label = f"{heuristic} against {opponent}"
                _curve(axes, found, points, look, color=_COLOURS[opponent], label=label)
        axes.set_xticks(parts.DEPTHS)

    return _share_plot("by-depth", "Complex and IBEF2 by depth on (6,7,1,4)", draw, "depth")


def _three_plot(found: Found) -> Plot:
    colours = {"complex": "#8b7cf6", "only-best-opponent": "#35b8a6"}

    def draw(axes: Any) -> None:
        for subject, colour in colours.items():
            shift = -0.06 if subject == _SUBJECTS[0] else 0.06
            points = [(at + shift, parts.three_name(subject, others)) for at, others in enumerate(parts.LINE_UPS)]
            _curve(axes, found, points, "o", color=colour, label=subject)
        for copy, look in (("offensive", "^"), ("defensive", "v")):
            points = [
                (at, parts.three_name(copy, others)) for at, others in enumerate(parts.LINE_UPS) if copy in others
            ]
            _curve(axes, found, points, look, color=_COLOURS[copy], label=f"control: {copy}", alpha=0.8)
        axes.axhline(100 / 3, color="#7f8794", linewidth=1)
        axes.set_xticks(range(len(parts.LINE_UPS)), [" + ".join(others) for others in parts.LINE_UPS])
        axes.set_xlim(-0.5, len(parts.LINE_UPS) - 0.5)

    title = f"Three players on (6,7,1,4), depth {parts.DEPTH_OF_THREE}"
    return _share_plot("three-players", title, draw, "opponents")
