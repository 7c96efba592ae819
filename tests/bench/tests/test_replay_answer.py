from tests.bench.replay_answer import compared


def test_every_view_and_language_is_measured() -> None:
    found = compared(entries=30, laps=1)
    assert len(found) == 4
    assert all(comparison.ratio > 0 for _, comparison in found)
