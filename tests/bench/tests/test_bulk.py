import asyncio
from random import Random

import pytest

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.verifying import Verified, verify_league
from scorekeeper.store.players import page
from tests.bench.loads.bulk import Bulk, known_matches, matches_for, names, write
from tests.bench.loads.known_matches import card_by_card, tallied
from tests.bench.loads.reading_work import ReadingWork, measure
from tests.bench.measuring import lines
from tests.bench.measuring.samples import Comparison, Work


def test_a_tallied_match_has_a_hundred_entries_and_a_winner():
    known = tallied(Random(1), names(9))
    assert known.length == 100
    assert known.recorded.state.status == "won"


def test_a_match_card_by_card_is_over():
    assert card_by_card(Random(1), names(4)).recorded.state.status != "open"


@pytest.mark.parametrize("content", ["mixed", "cards", "tallied"])
def test_as_many_matches_as_have_so_many_entries(content):
    matches = matches_for(content, 10_000)
    known = known_matches(Bulk("", "", matches, content=content))
    assert abs(sum(each.length for each in known) / len(known) * matches - 10_000) < 200


@pytest.mark.parametrize(("content", "players"), [("mixed", 4), ("tallied", 9)])
def test_a_league_written_in_bulk_is_sound_and_read_to_its_end(tmp_path, content, players):
    url = f"sqlite+aiosqlite:///{tmp_path}/large.sqlite3"
    bulk = Bulk(url, "large", 21, players, content)
    written = asyncio.run(write(bulk))

    async def verified():
        ledger = await Ledger.open_to_read(url)
        try:
            found = await ledger.read(lambda c: list(verify_league(c, "large", lambda _: None)))
            return found, await ledger.read(lambda c: page(c, "large", after=None, limit=99))
        finally:
            await ledger.close()

    [found], registered = asyncio.run(verified())
    assert {each.player for each in registered} == set(names(players))
    assert isinstance(found, Verified)
    assert found.matches == 21
    # The other entries: the league's opening, its owner's token, and all registrations.
    assert found.entries == written.entries + 2 + players
    for what in ("replay", "chain"):
        assert asyncio.run(measure(ReadingWork(url, "large", what))).per_second > 0


def test_every_other_lap_goes_the_other_way_round():
    order = []
    contenders = {name: lambda name=name: order.append(name) or Work(1, 1) for name in "ab"}
    assert len(lines.laps_of(contenders, 2)) == 2
    assert "".join(order) == "abba"


def test_what_was_found_is_printed_with_its_bound():
    line = lines.ratio_line("a ÷ b (/s)", Comparison(3000, 1000, 3, 2.5, 3.5), 0, "≥ 2")
    assert line == "a ÷ b (/s): 3,000 ÷ 1,000 = 3.00 (2.50–3.50)  to reach: ≥ 2"


def test_works_are_printed_as_medians_with_the_highest_peak(capsys):
    lines.works([{"all of it": Work(rate, peak)} for rate, peak in ((10, 70), (30, 90), (20, 80))])
    assert capsys.readouterr().out == "all of it (entries/s): 20 (10–30), peak memory 90 MB\n"
