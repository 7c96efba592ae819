"""An edition that was added by one line of the registry is served like the five others."""

from random import Random

import msgspec
import pytest

from scorekeeper.editions.house_rules.registry import house_rule_clauses
from scorekeeper.match.events.events import encode
from scorekeeper.match.events.opening import Opening
from scorekeeper.simulation.dealt_round import FREQUENT
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling
from tests.api.serving import serving
from tests.editions.invented_edition import INVENTED, WITH_ONE_LINE_MORE

PLAYERS = ("ann", "bo", "cy")


@pytest.fixture
def served(database_url, monkeypatch):
    """A service with its own database: no other test could read matches of this edition."""
    for holder in ("scorekeeper.editions.registry", "scorekeeper.service.booklets"):
        monkeypatch.setattr(f"{holder}.EDITIONS", WITH_ONE_LINE_MORE)
    with serving(database_url) as running:
        yield running


def is_chinese(text):
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def in_both_languages(ask, path):
    """Return the answer in each language, after checking its header."""
    answers = {lang: ask(path, params={"lang": lang}) for lang in ("en", "zh-TW")}
    for lang, answer in answers.items():
        assert (answer.status_code, answer.headers["content-language"]) == (200, lang)
    return {lang: answer.json() for lang, answer in answers.items()}


def test_its_booklet_is_read_in_both_languages(served):
    def ask(path, **request):
        return served.ask("GET", path, token=None, **request)

    for lang, listed in in_both_languages(ask, "/v1/editions").items():
        assert [item["edition"] for item in listed["items"]][-1] == "travel"
        assert is_chinese(listed["items"][-1]["name"]) == (lang == "zh-TW")
    for lang, booklet in in_both_languages(ask, "/v1/editions/travel").items():
        assert (booklet["letter"], booklet["box_size"], booklet["deck"]["wild"]) == ("T", 116, 12)
        texts = {clause["id"]: clause["text"] for clause in booklet["clauses"]}
        of_house = {clause.id for clause in house_rule_clauses()}
        assert set(texts) == {clause.id for clause in INVENTED.clauses} | of_house
        assert all(is_chinese(text) == (lang == "zh-TW") for text in texts.values())
    # It has no card names of its own, and uses those of the message catalog.
    assert booklet["names"]["cards"]["red-reverse"] == "紅色迴轉"


def test_a_round_of_it_is_told_card_by_card_and_played_back_in_both_languages(served):
    table = Opening(edition="travel", players=PLAYERS, dealer="ann")
    played = play_match(Random(5), INVENTED, table, FREQUENT, most_rounds=1)
    match = served.league(PLAYERS).match(**msgspec.to_builtins(table))
    assert match.opened.json()["state"]["edition"] == "travel"
    for part in tell_match(Random(5), played, Telling.EXACT):
        for event in part:
            match.tell(msgspec.json.decode(encode(event)))

    (dealt,) = match.get("/rounds").json()["items"]
    assert (dealt["status"], dealt["winners"]) == ("ended", list(played.rounds[0].winners))
    clauses = {clause.id: clause.text for clause in INVENTED.clauses}
    for lang, replay in in_both_languages(match.get, "/rounds/1/replay").items():
        cited = [clause for step in replay["items"] for clause in step["clauses"]]
        assert {"T-DEAL", "T-PLAY", "T-SCORE"} <= {clause["id"] for clause in cited}
        for clause in cited:
            text = clauses[clause["id"]]
            assert clause["text"] == (text.zh_tw if lang == "zh-TW" else text.en)
        assert all(step["explanation"] for step in replay["items"])
        assert any(is_chinese(step["explanation"]) for step in replay["items"]) == (lang == "zh-TW")
