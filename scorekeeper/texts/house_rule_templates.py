"""The English messages about house rules, in the form of `templates`."""

from collections.abc import Mapping
from typing import Final

HOUSE_RULE_MESSAGES: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    ("house-rule-invalid", None): (
        "The house rules {house_rules} exclude each other.",
        (
            "{hand_size} cards for each of {players_count} players leave nothing to turn up: the "
            "box holds {in_box}."
        ),
        "These house rules can't be played together.",
    ),
    ("house-rule-not-in-force", None): (
        "This match is not played by the house rule {house_rule}.",
        "This match is not played by such a house rule.",
    ),
    ("swap-needed", None): (
        "Name the player with whom {player} exchanges hands for {card}.",
        "Name the player with whom hands are exchanged.",
    ),
    ("impossible-event", "swap-with-self"): ("{player} can't exchange hands with nobody else.",),
    ("rule-violation", "drawn-past-playable"): (
        "{player} draws on although a drawn card can be played ({clause}).",
    ),
    ("rule-violation", "jump-in-differs"): (
        "{player} can't jump in with {card} on {top_card} ({clause}).",
        "{player} can't jump in with {card} ({clause}).",
    ),
    ("rule-violation", "last-card-forbidden"): ("{player} can't go out with {card} ({clause}).",),
    ("rule-violation", "not-at-once"): ("{count} of {card} can't be laid at once ({clause}).",),
    ("rule-violation", "passed-too-early"): (
        "{player} passes before a card was drawn that can be played ({clause}).",
    ),
    ("rule-violation", "passed-with-playable"): (
        "{player} passes with a drawn card that has to be played ({clause}).",
    ),
    ("rule-violation", "swap-differs"): (
        "{card} has {player} exchange hands otherwise than is told ({clause}).",
    ),
}
