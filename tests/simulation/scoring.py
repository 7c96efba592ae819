"""Scores worked out once more, from the hands that the players held at the end."""

from scorekeeper.match.state import State
from scorekeeper.simulation.played_round import PlayedRound


def scores_by_hand(state: State, played: PlayedRound) -> dict[str, int]:
    # A player who is left alone after a catch has won. The cards in that hand count for nobody.
    worth = {
        player: sum(state.box.points[card] for card in cards)
        for player, cards in played.hands.items()
        if player not in played.winners
    }
    seated = [player for team in state.sides for player in team]
    team = {player: set(side) for side in state.sides for player in side}
    won = {player for player in seated if team[player] & set(played.winners)}
    whole = sum(worth.values())

    def score(player: str) -> int:
        own = sum(worth.get(one, 0) for one in team[player])
        match state.mode.name:
            case "winner-collects":
                return whole - own if player in won else 0
            case "lowest-total":
                return own
            case "elimination":
                return own + played.charges.get(player, 0)
            case "plus-minus":
                return whole if player in won else -own
            case _:
                return 0

    return {player: score(player) for player in seated}
