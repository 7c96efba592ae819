"""The pages of a tournament: what they show is what the API answers, for any number of players."""

import html
import json
import re

import pytest
import segno

from scorekeeper.web.static_files import STATIC
from tests.api.serving import tally
from tests.web.shown_tables import shown_tables

EIGHT = ("ann", "bo", "cy", "di", "ed", "fay", "gus", "hal")
MANY = tuple(f"p{number:02}" for number in range(1, 42))
SHOWING = ("", "?matrix=partners", "/hall", "/print")
_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)


def opened(league, players, **fields):
    asked = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": players}
    answer = league.scorekeeper.post("/tournaments", asked | fields)
    assert answer.status_code == 201, answer.text
    return answer.json()["segments"]


def play(league, segments, *, points=10):
    """Let the player who sits first in the first round win every round."""
    for table in (table for segment in segments for table in segment["tables"]):
        (winner, partner), others = table["teams"]
        hands = {partner: 0} | {other: points + len(other) for other in others}
        told = [tally(winner, **hands)] * len(table["rounds"])
        path = f"/matches/{table['match']}/events"
        assert league.scorekeeper.post(path, {"events": told}).status_code == 201


@pytest.fixture(scope="module")
def cup(served):
    """A tournament of eight, with one possible substitute; three segments are played."""
    league = served.league([*EIGHT, "ida"])
    play(league, opened(league, EIGHT)[:3])
    return league


@pytest.fixture(scope="module")
def crowd(served):
    league = served.league(MANY)
    play(league, opened(league, MANY)[:2])
    return league


def get(league, path, role="viewer", **headers):
    token = league.callers[role].token if role in league.callers else None
    return league.served.ask("GET", f"/l/{league.slug}/t{path}", token=token, headers=headers)


def text_of(league, path, role="viewer"):
    answer = get(league, path, role)
    assert answer.status_code == 200
    return answer.text


def rows(text, caption):
    """What stands in the cells of the table with this caption, without its head."""
    table = re.search(rf"<caption>{caption}</caption>(.*?)</table>", text, re.DOTALL)[1]
    body = table.rpartition("</thead>")[2]
    return [
        [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in _CELL.findall(row)]
        for row in _ROW.findall(body)
    ]


def standings(league, tournament="cup"):
    return league.viewer.get(f"/tournaments/{tournament}/standings").json()


def test_the_standings_are_those_of_the_api(cup):
    shown = rows(text_of(cup, "/cup"), "Standings")
    assert shown == [
        [
            f"{each['rank']}. {each['player']}",
            *(str(each[name]) for name in ("total", "rounds", "round_wins")),
        ]
        for each in standings(cup)["items"]
    ]


@pytest.mark.parametrize(("league", "players"), [("cup", EIGHT), ("crowd", MANY)])
@pytest.mark.parametrize("kind", ["partners", "opponents"])
def test_a_matrix_has_what_was_scored_with_and_against_everybody(request, league, players, kind):
    league = request.getfixturevalue(league)
    text = text_of(league, f"/cup?matrix={kind}")
    met = {each["player"]: each[kind] for each in standings(league)["items"]}
    expected = [
        [
            player,
            *(
                "–" if player == other else str(met[player].get(other, {}).get("total", ""))
                for other in players
            ),
        ]
        for player in players
    ]
    assert rows(text, kind.capitalize()) == expected
    if players == EIGHT:
        assert rows(text_of(league, "/cup"), kind.capitalize()) == expected


def test_the_plot_stands_beside_its_figures(cup):
    text = text_of(cup, "/cup")
    figures = re.search(r"<summary>Totals by round</summary>(.*?)</table>", text, re.DOTALL)[1]
    shown = [_CELL.findall(row) for row in _ROW.findall(figures.rpartition("</thead>")[2])]
    progress = cup.viewer.get("/tournaments/cup/progress").json()
    assert shown == [
        [str(number), *("" if total is None else str(total) for total in row)]
        for number, row in enumerate(progress["rounds"], start=1)
    ]
    assert text.count('class="line"') == len(EIGHT)


@pytest.mark.parametrize("league", ["cup", "crowd"])
def test_the_schedule_has_every_table_with_a_link_to_its_match(request, league):
    league = request.getfixturevalue(league)
    first = text_of(league, "/cup")
    parts = dict.fromkeys(re.findall(r'href="\?from=(\d+)#schedule"', first)) or ["1"]
    shown = [
        link
        for part in parts
        for link in re.findall(
            r'href="/l/[^/]+/m/(cup-s[^"]+)"', text_of(league, f"/cup?from={part}")
        )
    ]
    schedule = league.viewer.get("/tournaments/cup/schedule").json()["segments"]
    assert shown == [table["match"] for segment in schedule for table in segment["tables"]]
    # The page opens on the current segment if none is asked for.
    assert "cup-s3-t1" in first


@pytest.mark.parametrize(("league", "rests"), [("cup", False), ("crowd", True)])
@pytest.mark.parametrize("path", ["/cup", "/cup/print"])
def test_the_schedule_has_a_column_of_who_rests_where_anybody_does(request, league, rests, path):
    league = request.getfixturevalue(league)
    head, *lines = shown_tables(text_of(league, path))["Schedule"]
    assert ("Rests" in head) == rests
    assert {len(line) for line in lines} == {len(head)}


def test_a_tie_is_said_and_then_what_the_lot_decided(served):
    league = served.league()
    four = ["ann", "bo", "cy", "di"]
    segments = opened(league, four)
    for table in (table for segment in segments for table in segment["tables"]):
        told = [tally("di", ann=10, bo=10, cy=10)] * 4
        league.scorekeeper.post(f"/matches/{table['match']}/events", {"events": told})
    (tied,) = standings(league)["tied"]
    text = text_of(league, "/cup", "scorekeeper")
    assert f"{', '.join(tied)} are equal in everything that counts" in text
    assert "Draw the lot" in text
    assert "Draw the lot" not in text_of(league, "/cup")
    order = tied[::-1]
    for lot in (tied, order[:2], order):
        event = {"type": "tie_drawn", "order": lot}
        league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
    text = text_of(league, "/cup", "scorekeeper")
    assert f"★ Champion: {standings(league)['champions'][0]}" in text
    assert f"A lot decided the order of those who were equal: {', '.join(tied)}." in text
    assert "Draw the lot" not in text


def all_tied(served):
    four = ("ann", "bo", "cy", "di")
    league = served.league(four)
    for table in (table for segment in opened(league, four) for table in segment["tables"]):
        told = [tally(out, **dict.fromkeys(set(four) - {out}, 10)) for out in four]
        league.scorekeeper.post(f"/matches/{table['match']}/events", {"events": told})
    return league


def test_several_who_share_the_first_rank_are_called_champions(served):
    league = all_tied(served)
    for page in ("/cup", "/cup/hall", "/cup/print"):
        assert "★ Champions: ann, bo, cy, di" in text_of(league, page)


def test_the_standings_on_paper_say_what_their_order_rests_on(served):
    """Without it, who withdrew stands last for no reason, and equals stand one behind another."""
    league = all_tied(served)
    for event, said in (
        ({"type": "tie_drawn", "order": ["cy", "ann", "di", "bo"]}, ": cy, ann, di, bo."),
        ({"type": "player_withdrawn", "player": "cy"}, "cy withdrew."),
    ):
        league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
        for page in ("/cup", "/cup/print"):
            text = re.sub(r"<[^>]*>", "", text_of(league, page))
            assert said in text
            assert "Order: the total for each round played" in text


def test_nobody_sits_in_or_withdraws_where_nothing_is_left_to_play(served):
    four = ("ann", "bo", "cy", "di")
    league = served.league([*four, "ed"])
    segments = opened(league, four)
    told = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [told]})

    def forms():
        found = re.findall(r'<form[^>]* id="([a-z]+)', text_of(league, "/cup", "scorekeeper"))
        return set(found) - {"draw", "told"}

    assert forms() == {"return", "substitute", "withdraw", "close"}
    # Whoever goes home next may be the one who sits in.
    chosen = re.findall(r'<option value="ann">([^<]*)</option>', text_of(league, "/cup", "owner"))
    assert chosen == ["ed for ann"] * 2
    play(league, segments)
    assert forms() == {"close"}


@pytest.mark.parametrize("role", ["viewer", "scorekeeper", "owner", "stranger"])
def test_a_page_is_for_those_who_may_do_what_it_is_for(cup, role):
    found = {path: get(cup, f"/cup{path}", role).status_code for path in SHOWING}
    assert set(found.values()) == {404 if role == "stranger" else 200}
    may_open = {"viewer": 403, "stranger": 404}.get(role, 200)
    assert get(cup, "/new", role).status_code == may_open
    assert ("<form" in get(cup, "/cup", role).text) == (role in {"scorekeeper", "owner"})
    assert ("/pad" in get(cup, "/cup/hall", role).text) == (role in {"scorekeeper", "owner"})


def test_names_are_text(served):
    league = served.league()
    opened(league, ["ann", "bo", "cy", "di"])
    for player in ("ann", "ed"):
        league.owner.patch(f"/players/{player}", {"name": "<b>Ann</b> \"&'"})
    event = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
    for path in (*(f"/cup{each}" for each in SHOWING), "/new?added=<b>x</b>&players=ann"):
        assert "<b>" not in text_of(league, path, "owner")


def test_the_hall_is_complete_without_a_script(cup):
    text = text_of(cup, "/cup/hall")
    board = cup.viewer.get("/tournaments/cup/board").json()
    for table in board["tables"]:
        region = re.search(
            rf'<section[^>]*aria-label="Table {table["table"]}">(.*?)</section>', text, re.DOTALL
        )[1]
        assert re.findall(r"<strong>(\w+)</strong> <span[^>]*>(-?\d+)<", region) == [
            (player, str(table["scores"][player])) for player in table["seats"]
        ]
        assert re.search(rf"<strong>{table['dealer']}</strong>.*deals", region)
        assert f"Round {table['round']} of {table['rounds']}" in region
    for table in board["next"]["tables"]:
        pairs = " : ".join(" + ".join(team) for team in table["teams"])
        assert f"Table {table['table']}: {pairs}" in re.sub("</?bdi>", "", text)
    first = standings(cup)["items"][:5]
    leaders = [f"{each['rank']}. {each['player']}" for each in first]
    assert [name for name, *_ in rows(text, "Leaders")] == leaders
    script = json.loads(re.search(r'id="given">(.*?)</script>', text, re.DOTALL)[1])
    assert script["standings"]["items"] == [
        {name: each[name] for name in ("player", "rank", "total", "rounds")} for each in first
    ]


def test_the_picture_of_a_hall_is_made_once(served, monkeypatch):
    """It takes longer than all else on the page."""
    made = []
    make = segno.make
    monkeypatch.setattr(segno, "make", lambda text, **how: made.append(text) or make(text, **how))
    cup = served.league()
    opened(cup, ["ann", "bo", "cy", "di"])
    texts = {text_of(cup, "/cup/hall") for _ in range(2)}
    assert len(texts) == len(made) == 1
    assert made[0].endswith(f"/l/{cup.slug}/t/cup/hall")


@pytest.mark.parametrize("league", ["cup", "crowd"])
def test_there_is_a_sheet_for_every_table_of_every_segment(request, league):
    league = request.getfixturevalue(league)
    text = text_of(league, "/cup/print")
    (script,) = re.findall("<script[^>]*>", text)
    assert STATIC.address("core/fresh.js") in script
    sheets = iter(
        re.findall(r'<section class="sheet scroll"[^>]*>(.*?)</section>', text, re.DOTALL)
    )
    for segment in league.viewer.get("/tournaments/cup/schedule").json()["segments"]:
        for table in segment["tables"]:
            sheet = next(sheets)
            assert f"Segment {segment['segment']}, table {table['table']}" in sheet
            lines = [_CELL.findall(row)[1] for row in _ROW.findall(sheet)[1:]]
            assert [re.search("<u>(.*) .deals.</u>", line)[1] for line in lines] == [
                each["dealer"] for each in table["rounds"]
            ]
            assert [re.sub(r"<[^>]*>| .deals.", "", line).split(" → ") for line in lines] == [
                each["players"] for each in table["rounds"]
            ]
    assert "Schedule" in next(sheets)
    assert "Standings" in next(sheets)
    assert next(sheets, None) is None


def test_whoever_sits_in_stands_on_the_sheets_that_are_still_to_be_played(served):
    league = served.league([*EIGHT, "ida"])
    play(league, opened(league, EIGHT)[:1])
    event = {"type": "player_substituted", "player": "ann", "substitute": "ida"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
    for segment, said in ((1, 0), (2, 1)):
        text = text_of(league, f"/cup/print?segment={segment}")
        assert text.count("ida sits in for ann") == said
        assert text.count('class="sheet scroll"') == 2


def test_who_rests_on_a_sheet_is_who_would_sit_there(served):
    league = served.league([*EIGHT[:5], "ida"])
    segments = opened(league, EIGHT[:5])
    play(league, segments[:1])
    first, second, *later = [player for segment in segments for player in segment["byes"]]

    def resting(kind, **facts):
        event = {"type": kind, **facts}
        league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
        return re.findall(r"Rests in this segment: ([^<]*)<", text_of(league, "/cup/print"))

    sits_in = "player_substituted"
    assert resting(sits_in, player=first, substitute="ida") == [first, second, *later]
    assert resting(sits_in, player=first, substitute=first) == [first, second, *later]
    assert resting(sits_in, player=second, substitute="ida") == [first, "ida", *later]
    assert resting("player_withdrawn", player=later[0]) == [first, second, *later[1:]]


def test_a_table_that_is_played_no_more_has_no_lines_to_write_on(served):
    league = served.league(EIGHT)
    segments = opened(league, EIGHT)
    event = {"type": "player_withdrawn", "player": "ann"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
    text = text_of(league, "/cup/print")
    assert text.count('class="lines"') == text.count("<p>Abandoned.</p>") == len(segments)
    assert text.count("(abandoned)</td>") == len(segments)


@pytest.mark.parametrize(("number", "said"), [(3, "4 to 41"), (14, "13, 16"), (42, "4 to 41")])
def test_a_number_that_does_not_work_is_said_with_the_nearest_that_do(crowd, number, said):
    asked = "&".join(
        [*(f"players={player}" for player in MANY[:number]), "added=One+more"][:number]
    )
    text = text_of(crowd, f"/new?{asked}", "scorekeeper")
    assert said in text
    assert re.search(r'<button type="button" id="open" disabled>', text)
    assert "<caption>Who sits where" not in text


def test_what_is_laid_out_is_what_is_opened(served):
    league = served.league(EIGHT)
    asked = "&".join(f"players={player}" for player in EIGHT[:7])
    text = text_of(league, f"/new?{asked}&added=%20Zoe%20%0A%0A&rounds=8", "scorekeeper")
    assert "8 people: 7 segments, 2 tables at the same time." in text
    assert re.search(r"<option selected>8</option>", text)
    league.owner.post("/players", {"player": "zoe", "name": "Zoe"})
    schedule = opened(league, [*EIGHT[:7], "zoe"])
    named = {"zoe": "Zoe"}
    assert [line[2:] for line in rows(text, "Who sits where")] == [
        [
            " : ".join(" + ".join(named.get(p, p) for p in team) for team in table["teams"]),
            " → ".join(named.get(p, p) for p in table["rounds"][0]["players"]),
        ]
        for segment in schedule
        for table in segment["tables"]
    ]


def test_the_list_says_how_each_tournament_stands(served):
    league = served.league()
    opened(league, ["ann", "bo", "cy", "di"])
    assert "being played" in text_of(league, "")
    assert "/t/new" not in text_of(league, "")
    event = {"type": "tournament_closed"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [event]})
    assert "closed" in text_of(league, "", "scorekeeper")
    assert "Closed before anything was played." in text_of(league, "/cup")
    at_table = "/matches/cup-s1-t1/events"
    reopened = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "to play"}
    answer = league.scorekeeper.post(at_table, {"events": [reopened]})
    assert answer.status_code == 201, answer.text
    assert "Closed before anything was played." not in text_of(league, "/cup")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "UNO, the basic game · Lowest total"),
        ({"scoring": {"mode": "winner-collects"}}, "UNO, the basic game · Winner collects"),
        ({"house_rules": {"stacking": "same", "zero": "pass"}}, "2 house rules"),
    ],
)
def test_a_tournament_says_what_it_is_played_by(served, fields, said):
    """Else nobody knows whether the lowest total is the best one."""
    league = served.league(EIGHT[:4])
    asked = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": EIGHT[:4]}
    assert league.scorekeeper.post("/tournaments", asked | fields).status_code == 201
    assert said in re.sub(r"<[^>]*>", "", text_of(league, "/cup"))
