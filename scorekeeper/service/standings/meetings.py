"""What people have of each other in some matches, added up from the results of these."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from scorekeeper.projections.contribution import MatchSums, Meeting
from scorekeeper.projections.meetings import decode_meetings
from scorekeeper.projections.points import kind_in
from scorekeeper.store.standings import KeptMeetings, PairSums

Meetings = Mapping[str, Mapping[str, int]]
"""By person, the sums by their names."""


def meetings_in(
    pairs: Iterable[PairSums], kept: Iterable[KeptMeetings]
) -> tuple[Meetings, Meetings]:
    """One player's opponents and partners, each by slug."""
    sums: tuple[dict[str, MatchSums], ...] = (defaultdict(MatchSums), defaultdict(MatchSums))
    for pair in pairs:
        meeting = Meeting(
            rounds=pair.rounds,
            rounds_won=pair.rounds_won,
            points_for=pair.points_for,
            points_against=pair.points_against,
        )
        sums[pair.partners][pair.other].add(
            meeting, kind_in(pair.scoring_mode), won=pair.won, played=pair.played
        )
    for match in kept:
        met = decode_meetings(match.met)
        for people, found in zip((met.opponents, met.partners), sums, strict=True):
            for other, meeting in people.items():
                found[other].add(meeting, kind_in(match.scoring_mode), won=match.won)
    opponents, partners = (
        {other: line.columns() for other, line in sorted(found.items())} for found in sums
    )
    return opponents, partners
