"""`…/audit` of matches that were changed in the database: which check fails for which change."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

from scorekeeper.ledger.entry import decode_header, encode_header
from scorekeeper.ledger.tables import events
from scorekeeper.store import tables
from tests.api.serving import Caller, League, note, serving, tally
from tests.api.serving_kinds import on_both
from tests.databases import KINDS, in_database, migrated
from tests.service.forging import forge

EVENING = "evening"
# The versions that every match has after its tally.
TALLIED, ENDED, NOTED, STARTED, LAST = 2, 3, 4, 5, 6
TOLD = (
    tally("ann", bo=7, cy=0, di=0),
    note("one"),
    {"type": "round_started", "dealer": "ann"},
    note("two"),
)


def entry(league: str, version: int) -> ColumnElement[bool]:
    stream = events.c.stream == f"match:{EVENING}"
    return and_(events.c.league == league, stream, events.c.version == version)


def change_content(connection: Connection, league: str) -> None:
    body = b'{"text":"won","type":"note_added"}'
    connection.execute(update(events).where(entry(league, NOTED)).values(body=body))


def change_header(connection: Connection, league: str, version: int, **fields: Any) -> None:
    of_it = entry(league, version)
    header = decode_header(connection.execute(select(events.c.header).where(of_it)).scalar_one())
    changed = encode_header(replace(header, **fields))
    connection.execute(update(events).where(of_it).values(header=changed))


def change_link(connection: Connection, league: str) -> None:
    change_header(connection, league, NOTED, prev="0" * 64)


def change_author(connection: Connection, league: str) -> None:
    change_header(connection, league, LAST, actor="somebody-else")


def delete_row(connection: Connection, league: str, version: int = NOTED) -> None:
    connection.execute(delete(events).where(entry(league, version)))


def forge_scores(connection: Connection, league: str) -> None:
    body = connection.execute(select(events.c.body).where(entry(league, ENDED))).scalar_one()
    forged = body.replace(b'"scores":{"ann":0', b'"scores":{"ann":1')
    assert forged != body
    forge(connection, league, EVENING, ENDED, forged)


def bring_in_a_card(connection: Connection, league: str) -> None:
    pile = ",".join(['"red-5"'] * 81)
    body = f'{{"dealer":"ann","draw_pile":[{pile}],"type":"round_started"}}'.encode()
    forge(connection, league, EVENING, STARTED, body)


def change_status(connection: Connection, league: str) -> None:
    where = tables.matches.c.league == league
    connection.execute(update(tables.matches).where(where).values(status="won"))


class Tampering(Struct):
    """A change of the database by hand, and the sentences of the checks that then fail."""

    change: Callable[..., None]
    broken: Mapping[str, tuple[str, str]]


CHAIN = (
    "The header of version 4 does not link to the one before it.",
    "版次 4 的標頭與前一筆不相連。",
)
TREE = (
    "The last entry, at position 15, does not stand in the ledger's tree.",
    "位於第 15 位的最後一筆紀錄，不在帳本的樹中。",
)
TAMPERINGS = {
    "content": Tampering(
        change_content,
        {
            "contents": (
                "Version 4 does not say what it said when it was recorded.",
                "版次 4 的內容和當初記錄時不同。",
            )
        },
    ),
    "link": Tampering(change_link, {"chain": CHAIN, "tree": TREE}),
    "author": Tampering(change_author, {"tree": TREE}),
    "missing": Tampering(
        delete_row,
        {
            "chain": (
                "The header of version 5 does not link to the one before it.",
                "版次 5 的標頭與前一筆不相連。",
            ),
            "contiguity": (
                "Version 4 is missing, or stands in the wrong place.",
                "版次 4 缺漏，或放錯了位置。",
            ),
            "tree": TREE,
        },
    ),
    # Nothing after it is possible by the rules any more.
    "missing round": Tampering(
        partial(delete_row, version=TALLIED),
        {
            "chain": (
                "The header of version 3 does not link to the one before it.",
                "版次 3 的標頭與前一筆不相連。",
            ),
            "contiguity": (
                "Version 2 is missing, or stands in the wrong place.",
                "版次 2 缺漏，或放錯了位置。",
            ),
            "tree": TREE,
        },
    ),
    "missing opening": Tampering(
        partial(delete_row, version=1),
        {
            "chain": (
                "The header of version 2 does not link to the one before it.",
                "版次 2 的標頭與前一筆不相連。",
            ),
            "contiguity": (
                "Version 1 is missing, or stands in the wrong place.",
                "版次 1 缺漏，或放錯了位置。",
            ),
            "tree": TREE,
        },
    ),
    "scores": Tampering(
        forge_scores,
        {
            "inference": (
                "Version 3 is not what the rules force there.",
                "版次 3 不是規則在那裡必然的結果。",
            )
        },
    ),
    "card": Tampering(
        bring_in_a_card,
        {
            "conservation": (
                "In round 2 cards appear or vanish, and nothing says why.",
                "第 2 輪有牌憑空出現或消失，沒有任何紀錄說明原因。",
            )
        },
    ),
    "status": Tampering(
        change_status,
        {
            "list": (
                "The list of matches shows something else than the log says.",
                "比賽清單與紀錄不符。",
            )
        },
    ),
}


class Tampered(Struct):
    """A match that was changed, as its owner sees it, and the tag of its audit before that."""

    match: Caller
    sound: str


@pytest.fixture(scope="module", params=KINDS)
def tampered(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[str, Tampered]]:
    """A match for each tampering, changed while no service ran."""
    with migrated(request.param, request, tmp_path_factory.mktemp("tampered")) as url:
        with serving(url) as served:
            leagues = {name: served.league() for name in TAMPERINGS}
            sound: dict[str, str] = {}
            for name, league in leagues.items():
                match = league.match(match=EVENING)
                match.tell(*TOLD)
                sound[name] = match.get("/audit").headers["etag"]
        for name, tampering in TAMPERINGS.items():
            in_database(url, partial(tampering.change, league=leagues[name].slug))
        with serving(url) as again:
            yield {
                name: Tampered(
                    Caller(again, league.owner.token, f"{league.root}/matches/{EVENING}"),
                    sound[name],
                )
                for name, league in leagues.items()
            }


@pytest.mark.parametrize("name", TAMPERINGS)
def test_what_was_changed_by_hand_breaks_its_checks_and_no_others(
    tampered: Mapping[str, Tampered], name: str
) -> None:
    said: dict[str, tuple[str, ...]] = {}
    for language in ("en", "zh-TW"):
        found = tampered[name].match.get("/audit", params={"lang": language}).json()
        assert not found["ok"], found
        for check in found["checks"]:
            if not check["ok"]:
                said[check["check"]] = (*said.get(check["check"], ()), check["message"])
    assert said == TAMPERINGS[name].broken


@pytest.mark.parametrize("name", TAMPERINGS)
def test_who_has_the_audit_of_the_sound_match_is_told_of_the_change(
    tampered: Mapping[str, Tampered], name: str
) -> None:
    known = {"if-none-match": tampered[name].sound}
    found = tampered[name].match.get("/audit", headers=known)
    assert (found.status_code, found.json()["ok"]) == (200, False)


@on_both
def test_a_finding_is_not_confirmed_once_it_was_put_right(league: League) -> None:
    match = league.match(match=EVENING)
    in_database(league.served.url, partial(change_status, league=league.slug))
    known = {"if-none-match": match.get("/audit").headers["etag"]}
    assert match.get("/audit", headers=known).status_code == 304
    assert league.owner.post("/rebuild", None).status_code == 200
    mended = match.get("/audit", headers=known)
    assert (mended.status_code, mended.json()["ok"]) == (200, True)
