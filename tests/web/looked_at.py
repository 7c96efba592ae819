"""Pages of a league as its viewer gets them, and what its people are called there."""


def shown(league, path, query, language="en"):
    answer = league.served.ask(
        "GET",
        f"/l/{league.slug}{path}",
        token=league.viewer.token,
        params=query,
        headers={"accept-language": language},
    )
    assert answer.status_code == 200
    return answer.text


def names_of(league):
    return {
        each["player"]: each["name"] or each["player"]
        for each in league.viewer.get("/players").json()["items"]
    }
