"""A repeated POST with the same Idempotency-Key gets the first answer again."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select, update

from scorekeeper.ledger.tables import answers
from tests.api.serving import ADMIN, note, tally
from tests.api.serving_kinds import on_both
from tests.databases import in_database

KEY = "idempotency-key"


@pytest.fixture
def key():
    return str(uuid4())


EVERY_POST = ("league", "player", "token", "match", "events")
SLUGS = {"league": "league", "player": "player", "match": "match"}


def request_of(league, kind, *, slug=True):
    """Return the token, the address and the body of a POST; `slug`: whether the body has a slug."""
    name = f"fresh-{uuid4().hex[:8]}"
    match kind:
        case "league":
            return ADMIN, "/v1/leagues", {"name": "New"} | ({"league": name} if slug else {})
        case "player":
            caller, path, body = league.scorekeeper, "/players", {"name": "New"}
            body |= {"player": name} if slug else {}
        case "token":
            caller, path, body = league.owner, "/tokens", {"role": "viewer", "name": "New"}
        case "match":
            caller, path = league.scorekeeper, "/matches"
            body = league.opening(events=[tally("ann", bo=1, cy=2, di=3)])
            if not slug:
                del body["match"]
        case _:
            match = league.match()
            caller, path, body = match, "/events", {"events": [note()]}
    return caller.token, caller.root + path, body


def post(league, token, address, body, key):
    return league.served.ask("POST", address, token=token, json=body, headers={KEY: key})


def log_size(league):
    """Return the position of an entry that is added for this, which is the league's last."""
    return league.match().opened.json()["position"]


@on_both
@pytest.mark.parametrize("slug", [True, False])
@pytest.mark.parametrize("kind_of_post", EVERY_POST)
def test_the_same_request_again_is_answered_as_the_first_time(league, kind_of_post, slug, key):
    token, address, body = request_of(league, kind_of_post, slug=slug)
    first = post(league, token, address, body, key)
    assert first.status_code == 201
    assert KEY not in first.headers
    size = log_size(league)
    again = post(league, token, address, body, key)
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers.get("location") == first.headers.get("location")
    assert again.headers.get("etag") == first.headers.get("etag")
    if "token" in first.json():
        # A secret is shown once.
        assert again.json() == {k: v for k, v in first.json().items() if k != "token"}
    else:
        assert again.content == first.content
    assert log_size(league) == size + 1
    if location := first.headers.get("location"):
        assert league.served.ask("GET", location).status_code == 200


@on_both
@pytest.mark.parametrize("kind_of_post", EVERY_POST)
def test_another_body_under_the_key_is_a_409(league, kind_of_post, key):
    token, address, body = request_of(league, kind_of_post)
    assert post(league, token, address, body, key).status_code == 201
    other = body | ({"events": [note("other")]} if "events" in body else {"name": "Other"})
    for changed in (other, {**other, **{k: other[k] + "x" for k in SLUGS.values() if k in other}}):
        answer = post(league, token, address, changed, key)
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency-key-reused")


def test_a_key_holds_for_one_token_and_one_path(league):
    first, second = league.match(), league.match()
    body = {"events": [note()]}
    for caller in (league.owner, league.scorekeeper, league.admin):
        for match in (first, second):
            path = f"/matches/{match.slug}/events"
            assert caller.post(path, body, headers={KEY: "same"}).status_code == 201
    assert first.board()["version"] == second.board()["version"] == 4


def test_a_refused_request_frees_its_key(league):
    match = league.match()
    assert match.append(tally("zed"), idempotency_key="k").status_code == 422
    assert match.append(note(), if_match='"9"', idempotency_key="k").status_code == 412
    assert match.append(note(), idempotency_key="k").status_code == 201


def test_the_key_is_looked_at_before_the_lock(league):
    match = league.match()
    first = match.append(note(), if_match='"1"', idempotency_key="k")
    match.tell(note("somebody else's"))
    again = match.append(note(), if_match='"1"', idempotency_key="k")
    assert (again.status_code, again.content) == (200, first.content)


def test_a_key_and_event_ids_go_together(league):
    match = league.match()
    event = note() | {"id": str(uuid4())}
    first = match.append(event, idempotency_key="k")
    assert match.append(event, idempotency_key="k").content == first.content
    assert match.append(event).content == first.content
    other = match.append(event, idempotency_key="k-2")
    assert (other.status_code, other.content) == (200, first.content)
    answer = match.append(note("other"), idempotency_key="k-2")
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency-key-reused")
    longer = [event, note("more") | {"id": str(uuid4())}]
    partial = match.append(*longer, idempotency_key="k-3")
    assert partial.headers["idempotency-replayed"] == "partial"
    replayed = match.append(*longer, idempotency_key="k-3")
    assert (replayed.status_code, replayed.content) == (200, partial.content)
    assert replayed.headers["idempotency-replayed"] == "true"


@on_both
@pytest.mark.parametrize("kind_of_post", EVERY_POST)
def test_many_at_once_under_one_key_write_once(league, kind_of_post, key):
    token, address, body = request_of(league, kind_of_post, slug=False)
    size = log_size(league)
    answers = league.served.together(
        *(
            league.served.asking("POST", address, token=token, json=body, headers={KEY: key})
            for _ in range(8)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    told = [{k: v for k, v in a.json().items() if k != "token"} for a in answers]
    assert all(body == told[0] for body in told)
    written = {"league": 0, "player": 1, "token": 1, "match": 3, "events": 1}[kind_of_post]
    assert log_size(league) == size + written + 1


@pytest.mark.parametrize("key", ["", "k" * 256, "k\tk", "ключ".encode()])
def test_a_key_has_1_to_255_printable_characters(league, key):
    body = {"player": "new", "name": "New"}
    headers = [(b"idempotency-key", key if isinstance(key, bytes) else key.encode())]
    headers.append((b"authorization", f"Bearer {league.owner.token}".encode()))
    for address, sent in (
        (f"{league.root}/players", body),
        (f"{league.root}/matches/m/events", {"events": [note()]}),
    ):
        answer = league.served.ask("POST", address, token=None, json=sent, headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (400, "idempotency-key")


def test_a_key_is_kept_although_time_passes_and_more_is_written(league):
    match = league.match()
    first = match.append(note(), idempotency_key="k" * 255)
    match.tell(*[note()] * 50)
    assert match.append(note(), idempotency_key="k" * 255).content == first.content


@on_both
def test_one_key_for_several_leagues_at_once_opens_one(league, key):
    names = [f"fresh-{uuid4().hex[:8]}" for _ in range(6)]
    answers = league.served.together(
        *(
            league.served.asking(
                "POST", "/v1/leagues", json={"league": name, "name": "New"}, headers={KEY: key}
            )
            for name in names
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    assert {a.json().get("code") for a in answers} == {None, "idempotency-key-reused"}
    found = [league.served.ask("GET", f"/v1/leagues/{name}").status_code for name in names]
    assert sorted(found) == [200] + [404] * 5


@on_both
def test_a_key_is_kept_for_a_day_and_what_opened_a_match_for_as_long_as_the_match(league):
    opening = league.opening()
    sent = league.scorekeeper.post("/matches", opening, headers={"idempotency-key": "k"})
    assert sent.status_code == 201
    of_match = select(answers.c.expires_at).where(
        answers.c.league == league.slug, answers.c.about == f"match:{opening['match']}"
    )
    found = in_database(league.served.url, lambda c: c.execute(of_match).scalars().all())
    recorded_at = sent.json()["entries"][0]["recorded_at"]
    a_day_after = datetime.fromisoformat(recorded_at) + timedelta(days=1)
    kept = sorted(expires or "for ever" for expires in found)
    assert kept == [a_day_after.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), "for ever"]


@on_both
def test_what_opened_a_league_is_kept_for_a_day(league, key):
    """The answer belongs to no league, so that openings of others delete it."""
    token, address, body = request_of(league, "league")
    assert post(league, token, address, body, key).status_code == 201
    kept = answers.c.about == f"league:{body['league']}"
    url = league.served.url
    expiry = in_database(
        url, lambda c: c.execute(select(answers.c.expires_at).where(kept)).scalar_one()
    )
    assert expiry is not None
    yesterday = "2026-01-01T00:00:00.000000Z"
    in_database(url, lambda c: c.execute(update(answers).where(kept).values(expires_at=yesterday)))
    _, _, another = request_of(league, "league")
    assert post(league, token, address, another, f"{key}-2").status_code == 201
    assert in_database(url, lambda c: c.execute(select(answers).where(kept)).all()) == []
