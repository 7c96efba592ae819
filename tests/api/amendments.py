"""Amendments and disputes that tests append, and a match in which a draw was forgotten."""

DEAL = [
    {"type": "round_started", "dealer": "ann"},
    {"type": "first_card_turned", "card": "red-draw-two"},
]
PLAY = {"type": "card_played", "player": "cy", "card": "red-5"}
DRAW = {"type": "cards_drawn", "player": "cy", "count": 1}
FORGOTTEN = {"from": 5, "remove": 0, "insert": [DRAW]}


def amended(**fields):
    return {"type": "log_amended", "reason": "forgotten", **fields}


def dispute(**fields):
    return {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "no", **fields}


def evening(league):
    """Open the match; bo's draw (entry 4) was inferred before cy's play (entry 5)."""
    match = league.match(dealer="ann", events=DEAL)
    assert match.append(PLAY).headers["etag"] == '"5"'
    return match
