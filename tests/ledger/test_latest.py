"""When something was last recorded in each of many streams."""

from tests.ledger.asking import LEAGUE, noting


def test_of_each_stream_the_time_of_its_last_entry(ledger, run):
    streams = [f"match:{name}" for name in ("a", "b", "a-1")]
    for count, stream in enumerate((*streams, streams[0]), start=1):
        run(ledger.append(noting(stream, count)))
    found = run(ledger.last_recorded(LEAGUE, [*streams, "match:none"]))
    last = {stream: run(ledger.stream(LEAGUE, stream))[-1].time for stream in streams}
    assert found == last | {"match:none": None}
    assert len(set(last.values())) == 3
    assert run(ledger.last_recorded(LEAGUE, [])) == {}
    assert run(ledger.last_recorded("other", streams[:1])) == {streams[0]: None}
