"""Levels of the rule variants in and out of every form, and the first position of their replays."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules import levels, replay, sokoban
from game.rules.editing import checks, drawings
from game.rules.levels import Level, LevelError, Pack
from game.rules.replay import Step
from game.rules.sokoban import Rules, State
from game.saves import level_forms
from tests.rules.sokoban.test_sokoban_variants import RULES, room, show

FIXED = """\
########
#a  B  #
# *  b #
#A @   #
########
Variant: fixed targets
"""


def level(text: str) -> Level:
    (found,) = levels.parse(text, "test").levels
    print(show(found.state))
    return found


def test_letters_and_a_box_at_home() -> None:
    state = level(FIXED).state
    assert state.warehouse.rules == Rules(fixed=True)
    assert state.warehouse.letters == "abc"
    places = {8 + 1: "a", 2 * 8 + 5: "b", 2 * 8 + 2: "c"}
    assert {square: places[square] for square in state.placed} == dict(zip(state.placed, "abc", strict=True))
    assert state.warehouse.homes == (3 * 8 + 1, 8 + 4, 2 * 8 + 2)


def test_letters_alone_make_fixed_targets_and_a_second_player_makes_two() -> None:
    assert level("######\n#aA@ #\n######").state.warehouse.rules == Rules(fixed=True)
    both = level("#######\n#@$.  #\n# .$% #\n# $   #\n#######\nVariant: pull").state
    assert both.warehouse.rules == Rules(pull=True, players=2)


def test_what_a_mark_hides_is_worked_out_or_said() -> None:
    """The player on a target: the target that lacks; a box on another's target has to be said."""
    assert level("#####\n#a+ #\n#####").state.warehouse.homes == (7,)
    crossed = "######\n#* @ #\n#aB  #\n######\nCovered: bA\n"
    state = level(crossed).state
    assert (state.placed, state.warehouse.homes) == ((13, 7), (7, 14))
    assert (
        levels.dump(Pack((Level(state),))) == "######\n#* @ #\n#aB  #\n######\nVariant: fixed targets\nCovered: bA\n"
    )


def test_a_plain_board_with_fixed_targets_is_paired_in_reading_order() -> None:
    state = level("#######\n#$  @.#\n#.   $#\n#######\nVariant: fixed").state
    assert (state.placed, state.warehouse.homes, state.warehouse.letters) == ((8, 19), (12, 15), "ab")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("\n#####\n#a@ #\n#####\nVariant: fixed", 2, "as many boxes as targets"),
        ("#######\n#aB@ #\n#######\nVariant: fixed", 1, "box a has no target A"),
        ("#######\n#aB@ #\n#######", 2, "'a' means nothing on a board"),
        ("########\n#aaAB@ #\n########\nVariant: fixed", 1, "one box a, not several"),
        ("#######\n#$.@ #\n#######\nVariant: two players", 1, "exactly one second player, not 0"),
        ("#######\n#$.@&&#\n#######", 1, "exactly one second player, not 2"),
        ("#######\n#$. & #\n#######", 1, "exactly one player, not 0"),
        ("#######\n#*a@A #\n#######\nCovered: xX yY", 1, "Covered: has 2 words for 1 square"),
        ("#######\n#*a@A #\n#######\nCovered: ??", 1, "'??' is neither a box on a target"),
        ("#######\n#*a@A #\n#######\nCovered: bA", 1, "one target A, not several"),
        (
            "#######\n#$. @ #\n#######\nVariant: hexoban",
            1,
            "'hexoban' are not known (there are: push only, push & pull",
        ),
    ],
)
def test_refusals_name_line_and_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(LevelError) as caught:
        levels.parse(text, "test")
    print(caught.value)
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_more_boxes_than_letters() -> None:
    row = "#" + "$." * 27 + "@#"
    with pytest.raises(LevelError, match="26 letters"):
        levels.parse(f"{'#' * len(row)}\n{row}\n{'#' * len(row)}\nVariant: fixed", "test")


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32), st.sampled_from(RULES))
def test_round_trip_of_any_position(seed: int, rules: Rules) -> None:
    """Also with boxes on the targets of others, and players on targets: text, runs, arrays, JSON, replays."""
    state = room(seed, rules)
    for action in (0, 1, 2, 3, 8, 9, 4):
        if action in sokoban.legal_actions(state):
            state = sokoban.apply(state, action)
    if sokoban.is_solved(state):
        return
    print(show(state))
    found = Level(state, "A title", "Me", "Words", line=1)
    for runs in (False, True):
        text = levels.dump(Pack((found,)), runs)
        assert levels.parse(text, "test").levels == (found,), text
    assert sokoban.from_array(sokoban.to_array(state), rules) == state
    document = checks.document_of(found)
    assert checks.level_of(document) == found
    for form in (level_forms.as_xsb, level_forms.as_runs, level_forms.as_python, level_forms.as_json):
        (again,) = level_forms.documents(form(document), "test")
        assert again == document, form(document)
    picture = level_forms.as_png(document, 2, 2, bytes(12))
    assert level_forms.documents(picture, "test") == (document,)
    (numbers,) = level_forms.documents(level_forms.as_npy(document), "test")
    assert numbers.drawing == document.drawing
    record = replay.record(state, [Step(action) for action in sokoban.legal_actions(state)[:1]])
    assert replay.initial(replay.loads(replay.dumps(record), "test")) == state
    assert replay.states(replay.loads(replay.dumps(record), "test"))[-1] == replay.states(record)[-1]


def test_a_replay_of_a_level_played_backwards() -> None:
    start = level("#######\n#@ $ .#\n#######").state
    first = sokoban.backwards(start, 7 + 3)
    moves = sokoban.from_lurd("r-L-L")
    assert sokoban.to_lurd(first, moves) == "r-L-L"
    record = replay.record(first, [Step(action) for action in moves])
    print(record)
    assert record.result == {"outcome": "won", "moves": 3, "pushes": 2}
    again = replay.loads(replay.dumps(record), "test")
    assert replay.initial(again) == first
    assert replay.result_of(again) == record.result
    assert sokoban.to_lurd(start, sokoban.forwards(first, moves)) == "rRR"


def test_the_id_tells_the_rules_but_not_the_words() -> None:
    text = "#######\n#$  @.#\n#.   $#\n#######\n"
    plain, pulled, fixed = (level(text + more) for more in ("", "Variant: pull", "Variant: fixed"))
    ids = {levels.level_id(found) for found in (plain, pulled, fixed)}
    assert len(ids) == 3
    assert levels.level_id(level(text + "Title: Other\nVariant: push & pull")) == levels.level_id(pulled)
    assert levels.level_id(plain) == "5fc649a97053745c", "results that people have are kept by it"


def play(state: State, lurd: str) -> State:
    for action in sokoban.from_lurd(lurd):
        state = sokoban.apply(state, action)
    return state


def test_solutions_with_pulls_and_two_players() -> None:
    two = level("#########\n#@ $ . &#\n#########\nVariant: two players, pull").state
    assert levels.replayed(two, "r R R r", "moves") == (1, 1, 1)
    assert levels.replayed(two, "3(&l) &-R &-R", "moves") == (11, 11, 11, 13, 13)
    with pytest.raises(LevelError, match=r"move 2 \(second player pulling right\) has no box behind it"):
        levels.replayed(two, "&l &-r", "moves")
    with pytest.raises(LevelError, match="runs into the other player"):
        levels.replayed(level("######\n#@&$.#\n######").state, "r", "moves")
    with pytest.raises(LevelError, match="against the rules of the level: push only"):
        levels.replayed(level("######\n#@$ .#\n######").state, "-r", "moves")


def test_letters_of_a_drawing() -> None:
    drawing = drawings.of_array(np.zeros((4, 5), dtype=int))
    for square, kind in ((0, 2), (1, 2), (2, 3)):
        letter = drawings.next_letter(drawing, kind)
        assert letter == (1, 2, 1)[square]
        cell = kind | letter << (4 if kind == 2 else 9)
        drawing = drawings.paint(drawing, (square,), cell)
    print(drawing)
    assert str(drawing).startswith("abA")
    moved = drawings.paint(drawing, (7, 8), 2 | 1 << 4)
    assert [row.rstrip() for row in str(moved).split("\n")] == [" bA", "   a", "", ""]
    without = drawings.with_rules(moved, Rules())
    assert not without.lettered
    assert drawings.cells_of(drawings.written(moved)) == moved.cells


def test_spoilt_levels_are_read_or_refused_with_line_and_reason() -> None:
    chance = random.Random(8)
    read = 0
    for _ in range(600):
        text = list(
            FIXED + "\nTitle: Next\n\n#######\n#*@$.&#\n# a+A #\n#######\nCovered: bB cC\nVariant: two, pull\n"
        )
        for _ in range(chance.randint(1, 5)):
            at = chance.randrange(len(text))
            text[at : at + chance.randint(0, 3)] = chance.choice(
                (*"#aAbB*+&%@$. \n", "Covered: ", "Variant: ", "3", "|")
            )
        try:
            pack, errors = levels.parse_lenient("".join(text), "spoilt")
        except LevelError as error:
            errors, pack = (error,), Pack(())
        for error in errors:
            assert error.line is not None or "no level" in error.reason, "".join(text)
        read += len(pack.levels)
        for found in pack.levels:
            assert levels.parse(levels.dump(Pack((found,))), "again").levels[0].state == found.state
    print(read)
    assert read > 100
