"""`.slc` files: what is kept, what is refused, and that nothing outside the file is ever touched."""

from pathlib import Path

import pytest
from test_levels import PUBLIC

from game.rules import levels, sokoban
from game.rules.levels import LevelError

GOOD = """<?xml version="1.0" encoding="{encoding}"?>
{doctype}<SokobanLevels>
  <Title>Entrepôt &amp; co</Title>
  <Description>
    One line.
    Another.
  </Description>
  <LevelCollection Copyright="Ann" MaxWidth="9" MaxHeight="9">
    <Level Id="One" Width="5" Height="3" Copyright="Bob">
      <L>#####</L>
      <L>#@$.#</L>
      <L>#####</L>
    </Level>
    <Level Id="Two">
      <L> ####</L>
      <L> #@#</L>
      <L> ###</L>
    </Level>
    <Level Id="Three"><L>  ####</L><L>###  #</L><L>#@$. #</L><L>######</L></Level>
  </LevelCollection>
</SokobanLevels>
"""
BARE = '<!DOCTYPE SokobanLevels SYSTEM "SokobanLev.dtd">\n'


@pytest.mark.parametrize("doctype", ["", BARE])
@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1", "UTF-16"])
def test_levels_and_what_is_said(doctype: str, encoding: str) -> None:
    pack, errors = levels.parse_lenient(GOOD.format(doctype=doctype, encoding=encoding).encode(encoding), "a.slc")
    assert (pack.title, pack.author, pack.comment) == ("Entrepôt & co", "Ann", "One line.\nAnother.")
    assert [(level.title, level.author) for level in pack.levels] == [("One", "Bob"), ("Three", "")]
    expected = [[0, 0, 1, 1, 1, 1], [1, 1, 1, 0, 0, 1], [1, 4, 2, 3, 0, 1], [1] * 6]
    assert sokoban.to_array(pack.levels[1].state).tolist() == expected, levels.board(pack.levels[1].state)
    line = 15 if doctype else 14
    assert [(error.line, error.reason) for error in errors] == [(line, "there is no box")]


def test_text_and_undeclared_latin_1() -> None:
    text = GOOD.format(doctype="", encoding="ISO-8859-1")
    assert levels.parse_lenient(text, "pasted")[0].title == "Entrepôt & co", "a pasted text needs no encoding"
    bare = text.split("?>", 1)[1].lstrip().encode("latin-1")
    assert levels.parse_lenient(bare, "a.slc")[0].title == "Entrepôt & co"


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha" * 10}">' for n in range(12))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (f"<?xml version='1.0'?>\n<!DOCTYPE x [{BOMB}]>\n<x>&e11;</x>", 2, "declarations"),
        ('<!DOCTYPE x [\n<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>', 1, "declarations"),
        ('<!DOCTYPE x [<!ENTITY % d SYSTEM "http://127.0.0.1:9/x">%d;]><x/>', 1, "declarations"),
        (BARE + "<SokobanLevels>\n&who;</SokobanLevels>", 3, "declarations or entities"),
        ("<SokobanLevels>\n<Level>", 2, "no well-formed XML"),
        ("<SokobanLevels></SokobanLevels>", None, "no level"),
        ("<!DOCTYPE html><html><body></body></html>", None, "no level"),
        ("<SokobanLevels><Level Id='x'>\n<L>#####</L><L>#@x.#</L></Level></SokobanLevels>", 1, "'x' means nothing"),
        ("<SokobanLevels>\n<Level Id='x'/></SokobanLevels>", 2, "the board is empty"),
        ("<?xml version='1.0' encoding='klingon'?><a/>", 1, "encoding|XML"),
        ("<SokobanLevels>" + "<a>" * 100, 1, "too deeply"),
        (f"<SokobanLevels><Level><L>{'#' * 70}</L></Level></SokobanLevels>", 1, "70 columns"),
    ],
)
def test_refused_with_line_and_reason(text: str, line: int | None, reason: str) -> None:
    for data in (text, text.encode()):
        if "klingon" in text and isinstance(data, str):
            continue  # what a pasted text says of its encoding means nothing
        with pytest.raises(LevelError, match=reason) as caught:
            levels.parse(data, "a.slc")
        print(caught.value)
        assert caught.value.line == line


def test_no_file_is_opened_and_no_address_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY who "opened">')
    text = (
        f'<!DOCTYPE SokobanLevels SYSTEM "{secret}">\n' + GOOD.format(doctype="", encoding="UTF-8").split("?>\n")[1]
    )

    def refuse(*_a: object, **_k: object) -> None:
        raise AssertionError("something outside the file was opened")

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("socket.socket.connect", refuse)
    pack, _errors = levels.parse_lenient(text, "a.slc")
    assert len(pack.levels) == 2


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the public level sets are not here")
def test_a_public_collection() -> None:
    pack = levels.read(PUBLIC / "takaken.slc")
    assert len(pack.levels) == 7
    assert pack.title == "Takaken collection"
    assert all(level.title and level.line for level in pack.levels)
    assert not any(sokoban.is_dead(level.state) for level in pack.levels)
