"""Icons and sprites: every file draws at every size, colours are replaced, and wrong names are refused by name."""

import re

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui import surfaces, svg

SPRITES = sorted(path for path in svg.ASSETS.rglob("*.svg") if path.parent.name != "icons")
ASKED_FOR = [
    "back", "menu", "undo", "redo", "hint", "help", "settings", "play", "pause", "step", "stop", "restart", "next",
    "previous", "close", "check", "warning", "info", "sound", "mute", "fullscreen", "list", "grid", "trophy", "person",
    "robot", "chevron-down", "chevron-up", "chevron-left", "chevron-right", "plus", "minus", "star", "lock", "folder",
    "eye", "eye-off", "edit", "replay", "cube", "flask", "shuffle", "orbit", "layers", "slices", "moon", "sun", "speed",
    "target", "flag", "copy", "trash", "clock", "lightning",
]  # fmt: skip


@pytest.fixture(autouse=True)
def empty_store():
    surfaces.clear()
    yield
    surfaces.clear()


def ink(surface: pygame.Surface) -> pygame.Rect:
    return surface.get_bounding_rect(min_alpha=40)


def test_every_icon_asked_for_exists():
    assert set(ASKED_FOR) <= set(svg.icons())


@pytest.mark.parametrize("name", svg.icons())
@pytest.mark.parametrize("size", [16, 24, 33, 128])
def test_icons_fill_their_square_and_stay_inside(name, size):
    surface = svg.icon(name, size, "#ffffff")
    box = ink(surface)
    print(name, size, box)
    assert surface.get_size() == (size, size)
    assert max(box.size) >= 0.5 * size
    assert max(box.size) < size


@pytest.mark.parametrize("name", svg.icons())
def test_icons_wear_one_colour(name):
    surface = svg.icon(name, 48, "#8b7cf6")
    solid = {
        tuple(surface.get_at((x, y)))[:3] for x in range(48) for y in range(48) if surface.get_at((x, y)).a == 255
    }
    print(name, solid)
    wanted = (0x8B, 0x7C, 0xF6)
    assert solid and all(abs(a - b) <= 2 for colour in solid for a, b in zip(colour, wanted, strict=True))


def test_the_opacity_of_a_colour_is_that_of_the_icon():
    full, half = svg.icon("stop", 24, "#102030"), svg.icon("stop", 24, "#10203080")
    assert full.get_at((12, 12)).a == 255
    assert half.get_at((12, 12)).a == 128


@pytest.mark.parametrize("path", SPRITES, ids=lambda path: path.stem)
@pytest.mark.parametrize("size", [16, 24, 64, 128])
def test_sprites_draw_at_any_size(path, size):
    surface = svg.sprite(path, size)
    box = ink(surface)
    print(path.stem, size, box)
    assert surface.get_size() == (size, size)
    assert box.width >= 0.25 * size and box.height >= 0.25 * size


@pytest.mark.parametrize("path", sorted(svg.ASSETS.rglob("*.svg")), ids=lambda path: path.stem)
def test_files_use_only_what_the_rasteriser_knows(path):
    text = path.read_text()
    assert not re.search(r"<(text|filter|style|image|use|mask|clipPath)\b", text)
    assert set(re.findall(r"url\(#(\w+)\)", text)) <= set(re.findall(r'id="(\w+)"', text))


def test_the_keeper_looks_another_way_in_each_facing():
    drawn = {
        facing: pygame.image.tobytes(svg.sprite(f"sokoban/keeper-{facing}-{pose}", 48), "RGBA")
        for facing in ("up", "right", "down", "left")
        for pose in ("stand",)
    }
    assert len(set(drawn.values())) == 4
    mirrored = pygame.transform.flip(svg.sprite("sokoban/keeper-right-stand", 48), True, False)
    left = svg.sprite("sokoban/keeper-left-stand", 48)
    worst = max(
        abs(a - b)
        for x in range(48)
        for y in range(48)
        for a, b in zip(left.get_at((x, y)), mirrored.get_at((x, y)), strict=True)
        if left.get_at((x, y)).a == 255 == mirrored.get_at((x, y)).a
    )
    assert worst < 90


@pytest.mark.parametrize("facing", ["up", "right", "down", "left"])
def test_each_pose_differs(facing):
    poses = ("stand", "step-a", "step-b", "push")
    assert (
        len({pygame.image.tobytes(svg.sprite(f"sokoban/keeper-{facing}-{pose}", 48), "RGBA") for pose in poses}) == 4
    )


def test_a_sprites_colours_can_be_chosen():
    plain, painted = svg.sprite("sokoban/floor", 32), svg.sprite("sokoban/floor", 32, floor="#123456")
    assert painted.get_at((16, 16)) == pygame.Color("#123456")
    assert plain.get_at((16, 16)) != painted.get_at((16, 16))


def test_the_same_request_gives_the_same_surface_until_cleared():
    first = svg.icon("undo", 20, pygame.Color("#ffffff"))
    assert svg.icon("undo", 20, pygame.Color("#ffffff")) is first
    assert svg.icon("undo", 21, pygame.Color("#ffffff")) is not first
    surfaces.clear()
    assert svg.icon("undo", 20, pygame.Color("#ffffff")) is not first


def test_unknown_names_are_refused_by_name():
    with pytest.raises(svg.AssetError, match=r"no drawing nonsense in icons; known are arrow-down"):
        svg.icon("nonsense", 24, "#ffffff")
    with pytest.raises(svg.AssetError, match="no drawing dragon in sokoban; known are box"):
        svg.sprite("sokoban/dragon", 24)
    with pytest.raises(svg.AssetError, match="box has no colour called lava"):
        svg.sprite("sokoban/box", 24, lava="#ff0000")
    with pytest.raises(svg.AssetError, match="too small"):
        svg.icon("undo", 0, "#ffffff")
    with pytest.raises(svg.AssetError, match="cannot be read"):
        svg.rasterise("this is no drawing", (8, 8))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 12)), max_size=40))
def test_the_store_never_outgrows_its_limit(requests):
    store = surfaces.SurfaceStore(limit=2000)
    kept: dict[int, pygame.Surface] = {}
    for key, side in requests:
        if store.get(key) is None:
            kept[key] = pygame.Surface((side * 2, side * 2))
            store.put(key, kept[key])
        print(key, side, store.bytes, len(store))
        assert store.bytes <= store.limit
        if side * side * 16 <= store.limit and store.get(key) is not None:
            assert store.get(key) is kept[key]


def test_the_least_recently_used_goes_first():
    store = surfaces.SurfaceStore(limit=3 * 400)
    for key in "abc":
        store.put(key, pygame.Surface((10, 10)))
    store.get("a")
    store.put("d", pygame.Surface((10, 10)))
    assert [key for key in "abcd" if store.get(key)] == ["a", "c", "d"]
