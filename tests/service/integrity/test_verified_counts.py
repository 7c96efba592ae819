"""`verify` counts what stands in the matches; cards that don't add up are a finding."""

from pathlib import Path

import pytest
from click.testing import Result

from scorekeeper.service.integrity import replayed_matches
from tests.api.serving import League, note, serving, tally
from tests.commands import invoked
from tests.databases import in_database
from tests.service.forging import forge

STARTED = {"type": "round_started", "dealer": "ann"}
TURNED = {"type": "first_card_turned", "card": "red-5"}


def verify(*arguments: str) -> Result:
    return invoked("verify", *arguments)


def verify_database(url: str) -> Result:
    return verify("--database-url", url)


def lines(league: League, done: Result) -> list[str]:
    return [line for line in done.output.splitlines() if line.startswith(f"{league.slug}: ")]


def test_what_was_recorded_as_it_was_played_is_counted_and_no_finding(
    database_url: str, tmp_path: Path
) -> None:
    bundle = tmp_path / "league.tar"
    with serving(database_url) as served:
        league = served.league()
        cards = league.match(events=[STARTED, TURNED, note()])
        cards.tell({"type": "card_played", "player": "bo", "card": "blue-skip", "as_played": True})
        told = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
        amended = {"from": 2, "remove": 1, "insert": [tally("bo", ann=1, cy=2, di=3)]}
        told.tell({"type": "log_amended", "reason": "it was bo"} | amended)
        told.tell({"type": "dispute_opened", "by": "ann", "round": 1, "claim": "it was me"})
        bundle.write_bytes(league.owner.get("/export").content)
    said = (
        f"{league.slug}: violations that stand 1, amendments 1, voided entries 0, "
        "disputes open 1 and ruled 0; cards conserved in 1 of 1 rounds followed card by card."
    )
    for done in (verify_database(database_url), verify(str(bundle))):
        assert done.exit_code == 0, done.output
        assert lines(league, done)[0] == said


def test_rulings_voided_entries_and_rounds_that_are_read_anew_are_counted(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        league = served.league()
        match = league.match(events=[STARTED, TURNED])
        match.tell({"type": "card_played", "player": "bo", "card": "red-7"})
        match.tell({"type": "card_played", "player": "cy", "card": "red-8"})
        opened = {"type": "dispute_opened", "by": "cy", "round": 1, "claim": "it was a wild"}
        dispute = match.tell(opened)["version"]
        ruled = {"type": "dispute_ruled", "dispute": dispute, "ruling": "upheld", "reason": "so"}
        wild = [{"type": "card_played", "player": "bo", "card": "wild"}]
        amended = {"from": 4, "remove": 1, "insert": wild, "reason": "so", "dispute": dispute}
        rulings = {"events": [ruled, {"type": "log_amended"} | amended]}
        assert league.owner.post(f"/matches/{match.slug}/events", rulings).is_success
        summed_up = league.match(events=[STARTED, TURNED])
        whole = {"from": 2, "remove": 2, "insert": [tally("ann", bo=1, cy=2, di=3)]}
        summed_up.tell({"type": "log_amended", "reason": "only the sum was told"} | whole)
        done = verify_database(sqlite_url)
    assert done.exit_code == 0, done.output
    # The voided entry is the next card, which needs a colour that nobody named.
    assert lines(league, done)[0] == (
        f"{league.slug}: violations that stand 0, amendments 2, voided entries 1, "
        "disputes open 0 and ruled 1; cards conserved in 1 of 1 rounds followed card by card."
    )


def test_where_only_results_were_told_no_cards_can_be_counted(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        league = served.league()
        league.match(events=[tally("ann", bo=1, cy=2, di=3)])
    done = verify_database(sqlite_url)
    assert lines(league, done)[0].endswith("; no round followed card by card.")


def test_rounds_from_before_a_match_was_packed_away_are_counted_too(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(sqlite_url) as served:
        league = served.league()
        voided = {"type": "round_voided", "reason": "the cat", "redealt": True}
        match = league.match(events=[STARTED, TURNED, voided])
        league.match(events=[note()])
        match.tell(STARTED)
    monkeypatch.setattr(replayed_matches, "_MOST_UNPACKED", 1)
    monkeypatch.setattr("scorekeeper.ledger.integrity.raw_rows.PART", 1)
    done = verify_database(sqlite_url)
    assert "cards conserved in 2 of 2 rounds" in lines(league, done)[0]


def test_a_count_that_the_table_took_is_a_reason_for_other_cards(sqlite_url: str) -> None:
    """The table insisted on another number of cards, which X-COUNT marks."""
    with serving(sqlite_url) as served:
        league = served.league()
        match = league.match(players=["ann", "bo"], events=[STARTED, TURNED])
        shown = {"type": "hand_shown", "player": "bo", "cards": ["red-1"] * 2}
        match.tell(shown | {"as_played": True})
    done = verify_database(sqlite_url)
    assert done.exit_code == 0, done.output
    assert "cards conserved in 1 of 1 rounds" in lines(league, done)[0]


def test_cards_that_do_not_add_up_are_a_finding(database_url: str) -> None:
    """A forger who recomputes all hashes still can't bring in a card."""
    with serving(database_url) as served:
        league = served.league()
        match = league.match(events=[note(), STARTED])
    pile = ",".join(['"red-5"'] * 81)
    body = f'{{"dealer":"ann","draw_pile":[{pile}],"type":"round_started"}}'.encode()
    in_database(database_url, lambda c: forge(c, league.slug, match.slug, 3, body))
    done = verify_database(database_url)
    assert done.exit_code == 1
    finding, counts, summary = lines(league, done)
    assert finding == (
        f"{league.slug}: In round 1 of the match {match.slug} cards appear or vanish, "
        "and nothing says why. [events.body]"
    )
    assert counts.endswith("; cards conserved in 0 of 1 rounds followed card by card.")
    assert summary.endswith(": 1 finding.")
