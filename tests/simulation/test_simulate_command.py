import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from rich.console import Console

from scorekeeper.cli.simulate import refuse_problem, standings_table, write_league, write_tournament
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.service.reading.tournaments import TournamentStandingsView
from scorekeeper.simulation.leagues import LeaguePlan, Post, TournamentPlan
from scorekeeper.simulation.tellings import Telling
from tests.api.serving import ADMIN, serving
from tests.commands import invoked
from tests.simulation.playing import begin, recorded, told_events

PLAYED = ("--matches", "3", "--players", "4", "--seed", "11", "--edition", "classic-2025")


def simulate(*arguments: str) -> Result:
    return invoked("simulate", *arguments)


def posts_in(path: Path) -> list[Post]:
    return [msgspec.json.decode(line, type=Post) for line in path.read_bytes().splitlines()]


@contextmanager
def something_that_answers(status: int) -> Iterator[tuple[str, list[tuple[str, str, bytes]]]]:
    """Serve the same status to every request.

    Yields the address, and a list of the requests: path, authorization, body.
    """
    asked: list[tuple[str, str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.path, self.headers["Authorization"], body))
            self.send_response(status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def test_a_league_goes_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "league.ndjson"
    result = simulate("--out", str(out), *PLAYED)
    assert result.exit_code == 0, result.output
    posts = posts_in(out)
    assert posts[0] == Post("/v1/leagues", {"league": "simulated", "name": "Simulated league"})
    assert [post.post for post in posts[1:5]] == ["/v1/leagues/simulated/players"] * 4
    opened = [post.body for post in posts if post.post == "/v1/leagues/simulated/matches"]
    assert [body["match"] for body in opened] == ["match-1", "match-2", "match-3"]
    assert {body["edition"] for body in opened} == {"classic-2025"}
    assert "3 matches" in result.output
    assert "match-3" in result.output


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one", "same", "other"))
    simulate("--out", str(one), *PLAYED)
    simulate("--out", str(same), *PLAYED)
    simulate("--out", str(other), *PLAYED, "--seed", "12")
    assert one.read_bytes() == same.read_bytes() != other.read_bytes()


def test_a_service_is_told_what_would_stand_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "league.ndjson"
    simulate("--out", str(out), *PLAYED)
    with something_that_answers(201) as (url, asked):
        result = simulate("--url", f"{url}/below", "--token", "secret", *PLAYED)
    assert result.exit_code == 0, result.output
    assert {authorization for _, authorization, _ in asked} == {"Bearer secret"}
    told = [Post(path.removeprefix("/below"), msgspec.json.decode(body)) for path, _, body in asked]
    assert told == posts_in(out)


def test_a_service_that_refuses_ends_the_writing() -> None:
    with something_that_answers(422) as (url, asked):
        result = simulate("--url", url, "--token", "secret", *PLAYED)
    assert result.exit_code == 1
    assert "POST /v1/leagues: 422" in result.output
    assert len(asked) == 1


def test_a_service_that_is_not_there_is_named() -> None:
    with something_that_answers(201) as (url, _):
        pass
    result = simulate("--url", url, "--token", "secret", *PLAYED)
    assert result.exit_code == 1
    assert f"{url} does not answer" in result.output


def test_a_token_of_the_league_need_not_open_it() -> None:
    refuse_problem(Post("/v1/leagues", {}), 403, b"{}")


@pytest.mark.parametrize(
    "arguments",
    [(), ("--out", "x", "--url", "http://y", "--token", "t"), ("--url", "http://y")],
    ids=["nowhere to write to", "two places", "no token"],
)
def test_arguments_that_do_not_fit_are_explained(arguments: tuple[str, ...]) -> None:
    result = simulate(*arguments)
    assert result.exit_code == 2
    assert "--url" in result.output


@pytest.mark.clause("B-ROTATE-8")
def test_a_tournament_of_eight_is_played_to_its_champion(sqlite_url: str) -> None:
    plan = TournamentPlan(
        league="home",
        edition=EDITIONS["basic", 1],
        players=8,
        cycles=1,
        seed=5,
        telling=Telling.SEEN,
    )
    with serving(sqlite_url) as served:

        def deliver(post: Post) -> None:
            answer = served.ask("POST", post.post, json=post.body, token=ADMIN)
            refuse_problem(post, answer.status_code, answer.content)

        written = write_tournament(plan, deliver)
        address = f"{plan.path}/tournaments/cup/standings"
        found = served.ask("GET", address, params={"limit": 100}).json()
    assert len(written) == 14
    assert found["complete"] is True
    assert len(found["champions"]) >= 1
    assert [each["rounds"] for each in found["items"]] == [28] * 8
    totals = dict.fromkeys(plan.slugs, 0)
    for match in written:
        state = recorded(begin(match.played), told_events(match.played, Telling.EXACT)).state
        for player, total in state.totals.items():
            totals[player] += total
    assert {each["player"]: each["total"] for each in found["items"]} == totals
    assert [each["total"] for each in found["items"]] == sorted(totals.values())
    told = rendered(msgspec.convert(found, TournamentStandingsView))
    assert found["champions"][0] in told
    assert "champion" in told


def rendered(found: TournamentStandingsView) -> str:
    console = Console(width=100, no_color=True)
    with console.capture() as captured:
        console.print(standings_table(found))
    return captured.get()


def test_a_number_without_a_schedule_is_answered_with_those_that_work(tmp_path: Path) -> None:
    result = simulate("--out", str(tmp_path / "cup"), "--tournament", "14")
    assert result.exit_code == 2
    assert "13 or 16" in result.output


def test_a_tournament_goes_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "cup.ndjson"
    result = simulate("--out", str(out), "--tournament", "4", "--edition", "basic")
    assert result.exit_code == 0, result.output
    posts = posts_in(out)
    assert [post.post for post in posts[:6]] == [
        "/v1/leagues",
        *["/v1/leagues/simulated/players"] * 4,
        "/v1/leagues/simulated/tournaments",
    ]
    assert {post.post for post in posts[6:]} == {
        f"/v1/leagues/simulated/matches/cup-s{segment}-t1/events" for segment in (1, 2, 3)
    }
    events = sum(len(post.body["events"]) for post in posts[6:])
    assert f"3 matches, 12 rounds, {events} events told." in result.output


def test_a_league_and_a_tournament_are_played_by_house_rules(tmp_path: Path) -> None:
    out = tmp_path / "house.ndjson"
    for kind in (PLAYED, ("--tournament", "4", "--edition", "basic")):
        played = []
        for seed in ("7", "7", "8"):
            result = simulate("--out", str(out), "--house-rules", *kind, "--seed", seed)
            assert result.exit_code == 0, result.output
            opened = (
                post.body
                for post in posts_in(out)
                if post.post.endswith(("matches", "tournaments"))
            )
            played.append([body["house_rules"] for body in opened])
        assert played[0] == played[1] != played[2]
        assert any(played[0])


@pytest.mark.parametrize(
    ("telling", "house_rules"), [*((telling, False) for telling in Telling), (Telling.SEEN, True)]
)
def test_the_service_takes_a_league_and_comes_to_the_same_totals(
    telling: Telling, house_rules: bool, sqlite_url: str
) -> None:
    plan = LeaguePlan(
        league="home", editions=tuple(EDITIONS.values()), players=6, matches=4, seed=3,
        telling=telling, house_rules=house_rules,
    )  # fmt: skip
    posts: list[Post] = []
    written = write_league(plan, posts.append)
    with serving(sqlite_url) as served:

        def deliver_all() -> None:
            for post in posts:
                answer = served.ask("POST", post.post, json=post.body, token=ADMIN)
                refuse_problem(post, answer.status_code, answer.content)

        deliver_all()
        boards = {
            match.slug: served.ask("GET", f"{plan.path}/matches/{match.slug}").json()
            for match in written
        }
        # Once more: every id is known.
        deliver_all()
        for match in written:
            again = served.ask("GET", f"{plan.path}/matches/{match.slug}").json()
            assert again == boards[match.slug]
    for match in written:
        told = told_events(match.played, Telling.EXACT)
        state = recorded(begin(match.played), told).state
        expected = scoreboard(state, match=match.slug, position=1)
        board = boards[match.slug]
        assert board["totals"] == expected.totals
        assert tuple(board["winners"]) == expected.winners
        assert board["status"] == expected.status
        assert bool(board["house_rules"]) == house_rules
