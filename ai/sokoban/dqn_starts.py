"""Starts of a DQN's games: the board's own, and positions pulled back from its solution, farther and farther.

A reverse curriculum (Florensa et al. 2017). From all boxes on their targets a random walk backwards undoes pushes (and
pulls, where the rules have them); half of its moves are drawn among those that bring the boxes nearer to where they stand
at the start, by a matching like that of pushes left. Games begin so few moves before the end that half of them are won.
"""

from ai.jit import kernel
from ai.sokoban.chance import Stream, below, random_word, unit
from ai.sokoban.dqn_world import FIRST_REACH, Games, World, begin, matching_of, settle
from ai.sokoban.layout import Ints

STEP = 0.25
"""So many more after a game that was won, fewer after one that was not."""
HOMEWARDS = 0.5
"""Share of the moves backwards that are drawn among those towards the start."""


@kernel
def begin_somewhere(world: World, games: Games, game: int, share: float, stream: Stream) -> None:
    """A new game: with probability `share` some moves before a solution, otherwise at the start."""
    begin(world, games, game, stream)
    games.depth[game] = 0
    if share > 0.0 and unit(random_word(stream)) < share:
        depth = 1 + below(stream, int(games.reach[0]))
        if go_back(world, games, game, depth, stream):
            games.depth[game] = depth
            settle(world, games, game)
        else:
            begin(world, games, game, stream)


@kernel
def heed(games: Games, game: int, won: bool, most: int) -> None:
    """Move the farthest start by how a game ended that began in the farther half."""
    depth = games.depth[game]
    if depth > 0 and 2 * depth > games.reach[0]:
        games.reach[0] = min(max(games.reach[0] + (STEP if won else -STEP), FIRST_REACH), float(most))


@kernel
def longest(games: Games, game: int, limit: int) -> int:
    """Steps after which a game is given up: `limit`, or fewer where it began near the end."""
    depth = games.depth[game]
    return limit if depth == 0 else min(limit, 20 + 4 * depth)


@kernel
def go_back(world: World, games: Games, game: int, depth: int, stream: Stream) -> bool:
    """Put the boxes on the targets, the player anywhere, and undo `depth` moves of boxes; whether it is unsolved then.

    `begin` of the same game has set the board and comes first; `settle` has to follow.
    """
    board, boxes, occupied = games.board[game], games.boxes[game], games.occupied[game]
    steps, targets, size = world.steps[board], world.targets[board], len(games.boxes[game])
    squares = len(occupied)
    box = 0
    for square in range(squares):
        occupied[square] = targets[square]
        if targets[square]:
            boxes[box] = square
            box += 1
    player = below(stream, squares)
    while not world.floor[board, player] or occupied[player]:
        player = below(stream, squares)
    here, queue = games.scratch[6], games.scratch[7]
    # a move backwards: 8 * box + 4 if it was a pull + direction
    moves, nearer = games.choices[0], games.choices[1]
    for _ in range(depth):
        here[:] = 0
        here[player] = 1
        queue[0] = player
        first, last = 0, 1
        while first < last:
            square = queue[first]
            first += 1
            for way in range(4):
                other = steps[square, way]
                if other >= 0 and not here[other] and not occupied[other]:
                    here[other] = 1
                    queue[last] = other
                    last += 1
        games.player[game] = player
        before = matching_of(world.back, world, games, game)
        count = closer = 0
        for box in range(size):
            for way in range(4):
                for pulled in range(1 + world.size[2]):
                    start, goal, stood = undone(steps, boxes[box], way, pulled)
                    beside = boxes[box] if goal < 0 else (steps[boxes[box], way] if pulled else start)
                    if goal < 0 or not here[beside] or occupied[start] or (not pulled and occupied[stood]):
                        continue
                    moves[count] = 8 * box + 4 * pulled + way
                    count += 1
                    old = boxes[box]
                    boxes[box], games.player[game] = start, stood
                    if matching_of(world.back, world, games, game) < before:
                        nearer[closer] = moves[count - 1]
                        closer += 1
                    boxes[box] = old
        if count == 0:
            break
        if closer > 0 and unit(random_word(stream)) < HOMEWARDS:
            move = nearer[below(stream, closer)]
        else:
            move = moves[below(stream, count)]
        box = move // 8
        start, goal, stood = undone(steps, boxes[box], move % 4, move // 4 % 2)
        occupied[boxes[box]] = 0
        occupied[start] = 1
        boxes[box], player = start, stood
    games.player[game] = player
    astray = 0
    for box in range(size):
        astray += 1 - targets[boxes[box]]
    return astray > 0


@kernel
def undone(steps: Ints, square: int, way: int, pulled: int) -> tuple[int, int, int]:
    """(square of the box before it came to `square` by this move, `square`, the player's before it); -1 where impossible."""
    behind = steps[square, way ^ 2]
    if behind < 0:
        return -1, -1, -1
    if pulled:
        ahead = steps[square, way]
        if ahead < 0:
            return -1, -1, -1
        return behind, square, square
    stood = steps[behind, way ^ 2]
    if stood < 0:
        return -1, -1, -1
    return behind, square, stood
