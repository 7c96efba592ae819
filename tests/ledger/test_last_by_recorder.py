"""When tokens last recorded something."""

from scorekeeper.ledger.token_times import AT_ONCE, last_recorded_by
from tests.ledger.asking import LEAGUE, MATCH, noting, opening


def test_of_each_token_the_time_of_its_last_entry(ledger, run, monkeypatch):
    def asked(*tokens, league=LEAGUE):
        return run(last_recorded_by(ledger, league, tokens))

    opened = run(ledger.part(LEAGUE, 0, 1)).entries[0].time
    run(ledger.append(noting(MATCH, AT_ONCE)))
    last = run(ledger.stream(LEAGUE, MATCH))[-1].time
    assert asked("t-scorer", "t-owner", "t-nobody") == {"t-scorer": last, "t-owner": opened}
    assert asked() == {}
    assert asked("t-scorer", league="other") == {}

    monkeypatch.setattr("scorekeeper.ledger.token_times.MOST", AT_ONCE)
    assert asked("t-scorer", "t-owner") == {"t-scorer": last}


def test_another_league_s_entries_do_not_count(ledger, run):
    run(ledger.append(opening("other")))
    run(ledger.append(noting(MATCH, league="other")))
    assert run(last_recorded_by(ledger, LEAGUE, ["t-scorer"])) == {}
