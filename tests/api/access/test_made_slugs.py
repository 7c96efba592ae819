"""Slugs that the service derives from names if the client gives none."""

from tests.api.serving_kinds import on_both


@on_both
def test_of_a_players_name(league):
    names = ["Oma Ida", "Oma Ida", "Zoë", "美美"]
    made = [league.owner.post("/players", {"name": name}) for name in names]
    slugs = [answer.json()["player"] for answer in made]
    assert slugs[:3] == ["oma-ida", "oma-ida-2", "zoe"]
    assert slugs[3].startswith("player-")
    # A request that gives this slug itself does not repeat the one for which it was generated.
    taken = league.owner.post("/players", {"player": "oma-ida", "name": "Oma Ida"})
    assert (taken.status_code, taken.json()["code"]) == (409, "player-exists")
    for answer in made:
        path = answer.headers["location"]
        assert league.served.ask("GET", path).json().items() >= answer.json().items()


@on_both
def test_a_retry_by_its_key_finds_the_slug_that_was_made(league):
    for number in range(1, 13):
        headers = {"idempotency-key": f"flo-{number}"}
        first, again = (
            league.owner.post("/players", {"name": "Flo"}, headers=headers) for _ in range(2)
        )
        assert (first.status_code, again.status_code) == (201, 200)
        assert again.json() == first.json()
        assert again.headers["location"] == first.headers["location"]
        slug = first.json()["player"]
        numbered = "flo" if number == 1 else f"flo-{number}"
        assert slug == numbered if number < 10 else len(slug) == len("flo-0123456789")


@on_both
def test_of_a_leagues_name(league):
    body = {"name": f"Café {league.slug}"}
    answers = [league.served.ask("POST", "/v1/leagues", json=body) for _ in range(2)]
    key = {"idempotency-key": f"cafe of {league.slug}"}
    answers += [league.served.ask("POST", "/v1/leagues", json=body, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 200]
    slug = f"cafe-{league.slug}"
    made = [slug, f"{slug}-2", f"{slug}-3", f"{slug}-3"]
    assert [answer.json()["league"] for answer in answers] == made
    for answer in answers:
        assert answer.headers["location"] == f"/v1/leagues/{answer.json()['league']}"


@on_both
def test_of_a_tournaments_name(league):
    """The slugs of its matches are derived from its own, and must be free as well."""
    cup = {"name": "Winter Cup", "edition": "basic", "players": ["ann", "bo", "cy", "di"]}
    league.match(match="winter-cup-2-s1-t1")
    key = {"idempotency-key": "the third"}
    made = [league.scorekeeper.post("/tournaments", cup)]
    made += [league.scorekeeper.post("/tournaments", cup, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in made] == [201, 201, 200]
    slugs = ["winter-cup", "winter-cup-3", "winter-cup-3"]
    assert [answer.json()["tournament"] for answer in made] == slugs
    for answer, slug in zip(made, slugs, strict=True):
        assert answer.headers["location"] == f"{league.root}/tournaments/{slug}"
