"""Matches that are closed and so count in the league's table, whatever their scores are."""

CLOSED = {"type": "match_closed"}


def played(league, *events, players=("ann", "bo", "cy"), **opening):
    """Open a match, append the events, and close it."""
    return league.match(players=list(players), events=[*events, CLOSED], **opening)
