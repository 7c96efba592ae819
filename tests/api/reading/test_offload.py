"""Worker processes answer long computations as the serving process itself would."""

import asyncio
import multiprocessing

import pytest

from scorekeeper.ledger.integrity.tree import stored_nodes
from scorekeeper.ledger.merkle_tree import TILE_WIDTH
from scorekeeper.service.question_pool import RememberedAnswers
from scorekeeper.service.questions import (
    SeasonFigures,
    TournamentFigures,
)
from scorekeeper.web.page import page as write_page
from tests.api.serving import PLAYERS, League, Match, note, serving, tally
from tests.databases import KINDS, migrated
from tests.forked_programs import instead_of_new_ones

AMENDMENT = {"from": 4, "remove": 1, "insert": [tally("bo", ann=9, cy=8, di=7)]}


@pytest.fixture(scope="module", params=KINDS)
def served(request, tmp_path_factory):
    """A service that treats every computation as long."""
    folder = tmp_path_factory.mktemp("offloaded")
    with pytest.MonkeyPatch.context() as patch, migrated(request.param, request, folder) as url:
        patch.setattr("scorekeeper.service.readers.SHORT_MATCH", 0)
        patch.setattr("scorekeeper.service.readers.SMALL_LEAGUE", 0)
        patch.setattr("scorekeeper.service.readers.SHORT_TOURNAMENT", 0)
        if request.param == "sqlite":
            patch.setattr(multiprocessing, "get_context", instead_of_new_ones)
        with serving(url, offload=True) as served:
            yield served


@pytest.fixture(scope="module")
def league(served) -> League:
    return served.league()


@pytest.fixture(scope="module")
def match(league) -> Match:
    events = [
        *(tally("ann", bo=round_, cy=8, di=13) for round_ in range(1, 5)),
        {"type": "round_started", "dealer": "ann", "hands": {"bo": ["red-1", "blue-skip"]}},
        {"type": "first_card_turned", "card": "red-9"},
        {"type": "card_played", "player": "bo", "card": "green-2", "as_played": True},
        note(),
    ]
    played = league.match(events=events)
    league.match(events=[tally("di", ann=60, bo=500, cy=1)])
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": PLAYERS[:4]}
    assert league.scorekeeper.post("/tournaments", cup).status_code == 201
    told = {"events": [tally("ann", bo=10, cy=20, di=30)] * 4}
    league.scorekeeper.post("/matches/cup-s1-t1/events", told)
    return played


def questions(match):
    root = f"/matches/{match.slug}"
    yield from (
        ("GET", f"{root}/rounds/{round_}/replay?view={view}&lang={lang}{names}", {})
        for round_ in (1, 5, 9)
        for view in ("recorded", "corrected")
        for lang, names in (("en", ""), ("zh-TW", "&names=display"))
    )
    yield "GET", f"{root}/audit?lang=zh-TW", {}
    yield "GET", f"{root}/audit?at=3&names=display", {}
    yield "GET", f"{root}/audit?at=99", {}
    yield "POST", f"{root}/what-if", {"json": AMENDMENT}
    yield "POST", f"{root}/what-if?names=display", {"json": AMENDMENT | {"insert": []}}
    yield "POST", f"{root}/what-if?names=display", {"json": AMENDMENT | {"from": 1}}
    yield "POST", f"{root}/what-if", {"json": AMENDMENT | {"insert": [note()] * 3, "from": 77}}
    yield "GET", "/standings?edition=basic&limit=2", {}
    yield "GET", "/standings?with=nobody", {}
    yield "GET", "/standings?edition=basic", {"headers": {"accept": "text/csv"}}
    yield "GET", "/results?limit=3", {}
    yield "GET", "/results", {"headers": {"accept": "text/csv"}}
    yield "GET", "/players/bo/statistics", {}
    yield "GET", "/players/nobody/statistics", {}
    yield "GET", "/tournaments/cup/standings?limit=3", {}
    yield "GET", "/tournaments/cup/standings", {"headers": {"accept": "text/csv"}}
    yield "GET", "/tournaments/cup/progress", {}
    yield "GET", "/tournaments/nobodys/progress", {}


@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_a_process_answers_as_this_one_does(served, league, match, role):
    """This includes refusals, entity tags, names, and what is hidden from viewers."""
    services = served.services
    processes, here = services.answering, services.readers
    caller = league.callers[role]
    try:
        for method, path, sent in questions(match):
            services.answering = processes
            there = caller.ask(method, path, **sent)
            services.answering = here
            answer = caller.ask(method, path, **sent)
            same = [
                (
                    each.status_code,
                    each.headers.get("etag"),
                    each.content.replace(each.headers["x-request-id"].encode(), b""),
                )
                for each in (there, answer)
            ]
            assert same[0] == same[1], path
    finally:
        services.answering = processes


def test_a_process_need_not_compute_the_tree(served):
    """It can't store nodes, and would read all headers of the ledger for each audit."""
    league = served.league()
    assert league.match(events=[note()] * TILE_WIDTH).get("/audit").json()["ok"]
    read = served.services.ledger.read(lambda connection: [*stored_nodes(connection, league.slug)])
    (nodes,) = served.together(read)
    assert [(level, number) for level, number, _ in nodes] == [(1, 0)]


class Noted:
    """Passes questions on to `others`, and notes them in `asked`."""

    def __init__(self, others):
        self.others = others
        self.asked = []

    async def answer(self, asked):
        self.asked.append(asked)
        return await self.others.answer(asked)


@pytest.mark.parametrize("page", ["", "?matrix=opponents", "/hall", "/print"])
def test_a_page_of_a_tournament_is_worked_out_beside_the_event_loop(
    served, league, match, page, monkeypatch
):
    """The figures come from a worker process, and a long page is rendered on a thread."""
    aside = []
    to_thread = asyncio.to_thread

    async def noted(work, *arguments, **named):
        aside.append(work)
        return await to_thread(work, *arguments, **named)

    monkeypatch.setattr(asyncio, "to_thread", noted)
    services = served.services
    processes = Noted(services.answering)
    texts = []
    for answering in (processes, services.readers):
        monkeypatch.setattr(services, "answering", answering)
        address = f"/l/{league.slug}/t/cup{page}"
        texts.append(served.ask("GET", address, token=league.viewer.token).text)
    assert processes.asked == [TournamentFigures(league=league.slug, tournament="cup")]
    assert texts[0] == texts[1]
    assert "Cup" in texts[0]
    assert (write_page in aside) == (page != "/hall")


def test_a_season_is_worked_out_by_a_process(served, league, match, monkeypatch):
    """Its matches have to be folded to find the best rounds."""
    services = served.services
    processes = Noted(services.answering)
    year = league.viewer.get("/results").json()["items"][0]["held_at"][:4]
    address = f"/l/{league.slug}/table?from={year}-01-01&to={year}-12-31"
    texts = []
    for answering in (processes, services.readers):
        monkeypatch.setattr(services, "answering", answering)
        texts.append(served.ask("GET", address, token=league.viewer.token).text)
    asked = SeasonFigures(league=league.slug, chosen=processes.asked[0].chosen)
    assert asked in processes.asked
    assert texts[0] == texts[1]
    assert "Best rounds" in texts[0]


@pytest.mark.parametrize("page", ["t/cup", "table?from={0}-01-01&to={0}-12-31"])
def test_what_many_look_at_is_worked_out_once_until_the_ledger_grows_or_a_minute_is_over(
    served, league, match, page, monkeypatch
):
    """A rebuild adds no entry, so the rows that it corrects are shown a minute later."""
    year = league.viewer.get("/results").json()["items"][0]["held_at"][:4]
    address = f"/l/{league.slug}/{page.format(year)}"
    now = [0.0]
    others = Noted(served.services.readers)
    remembered = RememberedAnswers(served.services.ledger, others, clock=lambda: now[0])
    monkeypatch.setattr(served.services, "answering", remembered)

    def worked_out():
        return sum(isinstance(each, SeasonFigures | TournamentFigures) for each in others.asked)

    for grown in (1, 2):
        match.tell(note())
        texts = {served.ask("GET", address, token=league.viewer.token).text for _ in range(3)}
        assert len(texts) == 1
        assert worked_out() == grown
    now[0] += 60
    assert {served.ask("GET", address, token=league.viewer.token).text} == texts
    assert worked_out() == 3


def test_what_was_told_a_moment_ago_is_in_the_answer(served, match):
    for told in range(1, 4):
        version = match.tell(note(f"note {told}"))["version"]
        assert match.get("/audit").json()["version"] == version
        shown = match.get("/rounds/5/replay").json()["items"]
        assert shown[-1]["event"]["text"] == f"note {told}"


def test_a_process_that_is_killed_is_made_anew(served, match):
    assert match.get("/audit").status_code == 200
    for process in multiprocessing.active_children():
        # A process of an earlier test may still be ending.
        process.kill()
        process.join()
    assert match.get("/audit").status_code == 200
