"""Matches that are closed and so count in the league's table, whatever their scores are."""

CLOSED = {"type": "match_closed"}


def played(league, *events, players=("ann", "bo", "cy"), **opening):
    """A match that is closed after its rounds."""
    return league.match(players=list(players), events=[*events, CLOSED], **opening)
