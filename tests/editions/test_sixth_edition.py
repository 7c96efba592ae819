"""A sixth edition is one file of data and one line of the registry: no code knows its name."""

from invented_edition import INVENTED

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events import RoundTallied, TalliedHand
from scorekeeper.match.fold import initial
from scorekeeper.match.opening import MatchOpened, Opening, open_match
from scorekeeper.match.record import Recorded, record


def test_a_match_is_played_in_an_edition_that_the_program_never_heard_of() -> None:
    registry = {**EDITIONS, ("travel", 1): INVENTED}
    opened = open_match(registry["travel", 1], Opening(edition="travel", players=("ann", "bo")))
    assert isinstance(opened, MatchOpened)
    left = TalliedHand(cards=("orange-draw-two", "wild", "red-4"))
    tally = RoundTallied(winners=("ann",), hands={"bo": left}, dealer="bo")
    recorded = record(initial(registry["travel", 1], opened), [tally])
    assert isinstance(recorded, Recorded)
    assert recorded.state.totals == {"ann": 0, "bo": 20 + 50 + 4}
