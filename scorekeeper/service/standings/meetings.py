"""What people have of each other in some matches, folded from the results of these."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from scorekeeper.projections.contribution import MatchSums, Meeting
from scorekeeper.projections.meetings import all_along, read_kept
from scorekeeper.projections.points import kind_in
from scorekeeper.store.standings import MeetingSums, Pair


def meetings_in(pairs: Iterable[Pair]) -> list[MeetingSums]:
    """Of one player's pairs, match by match: opponents first, then partners, each by slug."""
    sums: dict[tuple[int, str], MatchSums] = defaultdict(MatchSums)
    for _, of_match in groupby(pairs, key=lambda pair: pair.match):
        first, *more = of_match
        met = _all_along([first, *more]) if first.met is None else _kept(first.met)
        for partners, other, meeting in met:
            sums[partners, other].add(meeting, kind_in(first.scoring_mode), won=bool(first.won))
    return [
        MeetingSums(other=other, partners=partners, **line.columns())
        for (partners, other), line in sorted(sums.items(), key=lambda each: each[0])
    ]


def _all_along(pairs: Iterable[Pair]) -> Iterator[tuple[int, str, Meeting]]:
    for pair in pairs:
        own = Meeting(rounds=pair.rounds, rounds_won=pair.rounds_won, points_for=pair.points_for)
        theirs = Meeting(points_for=pair.other_points)
        yield int(pair.other_side == pair.side), pair.other, all_along(own, theirs)


def _kept(text: str) -> Iterator[tuple[int, str, Meeting]]:
    met = read_kept(text)
    for partners, people in enumerate((met.opponents, met.partners)):
        for other, meeting in people.items():
            yield partners, other, meeting
