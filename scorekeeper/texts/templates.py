"""The English messages of refusals and violations, which are also the catalogs' keys.

A message has several wordings if some of its facts may be missing, the one that says most first.
"""

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
    ("impossible-event", "swap-with-self"): (
        "{player} can't exchange hands with themselves: name another player.",
    ),
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


MESSAGES: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    ("dealer-needed", None): (
        "Nobody knows who deals this round: name the dealer, or record the draw for the deal.",
    ),
    ("dealer-not-in-match", None): ("{dealer} is to deal but is not a player of this match.",),
    ("edition-unknown", None): (
        "There is no edition {edition}; see /v1/editions.",
        "There is no such edition.",
    ),
    ("option-invalid", None): (
        (
            "{option} can't be used like this: extra cards are at most {most}, and none that the "
            "deck has already ({cards_in_deck})."
        ),
        "{option} can't be used like this.",
    ),
    ("option-not-in-edition", None): ("The edition {edition} has no option {option}.",),
    ("option-not-in-mode", None): ("The scoring mode {mode} has no option {option}.",),
    ("player-not-registered", None): ("Not registered in this league: {players}.",),
    ("players-invalid", None): (
        "A match has {fewest} to {most} players, and nobody sits at the table twice: {players}.",
        "Nobody enters twice: {twice}.",
    ),
    ("players-not-schedulable", None): (
        "No schedule of rotating partners is known for {count}; there is one for {nearest}.",
        "No schedule is known for so many players.",
    ),
    ("rounds-needed", None): ("The scoring mode {mode} needs an agreed number of rounds.",),
    ("rounds-per-partner-invalid", None): (
        "Partners play a multiple of {multiple_of} rounds, so that all deal equally often.",
    ),
    ("scoring-invalid", None): (
        "Each table of a tournament plays {rounds_per_partner} rounds, and to no target.",
        "The scoring mode {mode} can't be played to the target {target}.",
        "The scoring mode {mode} can't be played for {rounds} rounds.",
        "The scoring can't be used like this.",
    ),
    ("seating-invalid", None): (
        "The seating of round {round} has to name every player once and one of them as dealer.",
    ),
    ("team-scoring-not-in-mode", None): (
        "The team scoring {team_scoring} does not go with the scoring mode {mode}.",
    ),
    ("teams-invalid", None): (
        "Teams are pairs, at least two of them, and every player is in exactly one: {teams}.",
    ),
    ("teams-not-in-mode", None): ("The scoring mode {mode} is not played in teams.",),
    ("teams-not-opposite", None): (
        "In round {round} partners do not sit half a table apart.",
        "Partners have to sit half a table apart: teams {teams}, seats {players}.",
        "Partners have to sit half a table apart.",
    ),
    ("impossible-event", "card-not-in-box"): (
        "This box holds no card {card}. Look at what is told of {players}.",
        "This box holds no card {card}.",
    ),
    ("impossible-event", "charges-not-in-mode"): (
        "The scoring mode {mode} counts no hands at a catch, so there is nothing to charge.",
    ),
    ("impossible-event", "charges-with-scores"): (
        "Charges stand beside hands only: scores contain them already.",
    ),
    ("impossible-event", "draw-pile-not-whole"): (
        "The draw pile is told with {cards} cards; it has to be whole, with {whole}.",
    ),
    ("impossible-event", "draws-invalid"): (
        "The draw for the deal needs one card of each of these and of nobody else: {awaited}.",
    ),
    ("impossible-event", "hand-missing"): ("The hands of these players are missing: {players}.",),
    ("impossible-event", "hands-or-scores"): (
        "Tell the hands of these players, or else everybody's scores: {players}.",
        "Tell either the hands or the scores.",
    ),
    ("impossible-event", "loser-without-cards"): (
        "{player} has not won the round, so some cards must be left.",
    ),
    ("impossible-event", "no-round-played"): (
        "The match can't be closed before a round has been played.",
    ),
    ("impossible-event", "player-eliminated"): ("{player} is out of this match.",),
    ("impossible-event", "player-not-in-match"): ("{player} is not a player of this match.",),
    ("impossible-event", "player-not-in-tournament"): (
        "{player} does not play in this tournament.",
    ),
    ("impossible-event", "player-withdrawn"): ("{player} has withdrawn from this tournament.",),
    ("impossible-event", "points-exceed-box"): (
        (
            "The hands of {players} can't be worth {points} points together: the box does not hold "
            "such cards."
        ),
    ),
    ("impossible-event", "points-impossible"): (
        "The {points} points of {player} can't come from a hand of {cards_left}.",
        "No hand that {player} can hold is worth {points} points.",
        "No hand that {players} can hold is worth {points} points.",
    ),
    ("impossible-event", "points-negative"): (
        "A hand can't be worth {points} points, as is told of {player}.",
    ),
    ("impossible-event", "rounds-outstanding"): ("Some tables have rounds left to play.",),
    ("impossible-event", "score-contradicts-mode"): (
        (
            "In the scoring mode {mode} a score can't say that the hands of {players} are worth "
            "{points} points."
        ),
        "The scores of {players} can't come out like this in the scoring mode {mode}.",
        ("In the scoring mode {mode} there is no hand that these {points} points could come from."),
    ),
    ("impossible-event", "score-missing"): ("The scores of these players are missing: {players}.",),
    ("impossible-event", "scores-do-not-balance"): (
        "In the scoring mode {mode} these scores contradict each other.",
    ),
    ("impossible-event", "seats-invalid"): (
        "New seats have to name every player once: {players}.",
    ),
    ("impossible-event", "substitute-in-match"): (
        "{substitute} plays in this match already and can't stand in for {player}.",
    ),
    ("impossible-event", "substitute-in-tournament"): (
        "{substitute} takes part in this tournament already and cannot stand in for {player}.",
    ),
    ("impossible-event", "too-many-of-card"): (
        "The box holds {in_box} {card}; {count} are told. Look at what is told of {players}.",
        "The box holds {in_box} {card}; {count} are told.",
    ),
    ("impossible-event", "tournament-closed"): ("The tournament is closed.",),
    ("impossible-event", "winner-has-cards"): (
        "{player} has won the round, so no cards can be left.",
    ),
    ("impossible-event", "winners-invalid"): (
        "A round has at least one winner, and each is named once: {winners}.",
    ),
    ("impossible-event", "wrong-phase"): (
        "{type} belongs before the first round; {rounds} have begun.",
        "{type} can't be recorded now: the match is in the phase {phase}.",
    ),
    ("rule-violation", None): (
        "The rules of this edition forbid this. It can be recorded as played.",
    ),
    ("rule-violation", "cards-dealt"): (
        "{player} is dealt {cards} cards instead of {hand_size} ({clause}).",
    ),
    ("rule-violation", "cards-left"): (
        "The hand of {player} is told with {cards}; by the book it holds {book} ({clause}).",
    ),
    ("rule-violation", "joint-winners"): (
        "No card of this box lets several players win one round: {winners} ({clause}).",
    ),
    ("color-not-open", None): (
        "No colour is to be named for {card}.",
        "No colour is to be named now.",
    ),
    ("effects-not-allowed", None): (
        "{card} can't have had these effects here.",
        "These effects don't fit the card that was played.",
    ),
    ("not-in-edition", None): ("The booklet of {edition} has no such rule: {type}.",),
    ("points-needed", None): (
        "The hand of {player} counts now and is not known: tell its points.",
    ),
    ("verdict-needed", None): (
        "The hand of {player} is not known: tell the hand that was shown, or the verdict.",
    ),
    ("impossible-event", "card-needed"): (
        "{type} can't be recorded yet: no first card has been turned up.",
    ),
    ("impossible-event", "card-not-in-hand"): (
        "{player} can't hold {cards}; the hand is {hand}.",
        "{player} can't hold {cards}.",
    ),
    ("impossible-event", "card-not-on-top"): (
        "{card} can't be the top card of the draw pile: that is {top}.",
        "{card} can't be the top card of the draw pile.",
    ),
    ("impossible-event", "color-needed"): (
        "{player} has to name a colour first, one of {colors}.",
    ),
    ("impossible-event", "color-not-in-edition"): (
        "No card of this edition is {color}; the colours are {colors}.",
    ),
    ("impossible-event", "draw-contradicts-pile"): (
        "{player} can't have drawn {cards}: on top of the draw pile lies {top}.",
        "{player} can't have drawn {cards}: other cards lie on top of the draw pile.",
    ),
    ("impossible-event", "draw-invalid"): (
        "{player} draws {count}, but more cards are named: {cards}.",
    ),
    ("impossible-event", "hand-contradicts-book"): (
        "By the book {player} holds {card}, which the told hand lacks.",
    ),
    ("impossible-event", "no-challenge-open"): ("{by} has no wild-draw-four to challenge now.",),
    ("amendment-overlaps", None): (
        (
            "The amendments {amendments} touch the same entries. Withdraw the earlier one, or "
            "amend the log as corrected."
        ),
        "Two amendments touch the same entries.",
    ),
    ("dispute-closed", None): ("The dispute {dispute} has had its ruling.",),
    ("event-erased", None): ("The content of this entry was erased.",),
    ("inferred-not-removable", None): (
        (
            "These entries follow from others and would be inferred again: amend what they "
            "follow from."
        ),
    ),
    ("nothing-to-undo", None): (
        "Entry {entry} ({type}) is not taken back, and neither is anything older in its place.",
        "Entry {entry} does not count any more.",
        "Nothing that was told at the table is in force.",
    ),
    ("round-not-reached", None): ("Round {round} has not come yet: the next is round {next}.",),
    ("round-taken", None): ("Round {round} is recorded already: the next is round {next}.",),
    ("undo-would-void", None): (
        "Entries that rest on this and were told later: {count}. Take those back first.",
    ),
    ("too-many-amendments", None): (
        (
            "Each amendment has the match read anew: of {amendments} in one append, {most} can be "
            "taken here. Send the others on their own."
        ),
    ),
    ("too-many-amendments", "in-force"): (
        (
            "{in_force} amendments of this match are in force, and {most} is the most. Let the "
            "next one withdraw some of them."
        ),
    ),
    ("match-full", None): (
        "A match has at most {most} entries. Close this one, and go on in another.",
    ),
    ("opening-fixed", None): ("The opening of a match can't be amended.",),
    ("impossible-event", "no-such-amendment"): ("Entry {amendment} is no earlier amendment.",),
    ("impossible-event", "no-such-dispute"): ("Entry {dispute} is no dispute.",),
    ("impossible-event", "no-such-entry"): (
        "The amendment {entry} inserts no event with the index {index}.",
        "There is no entry {entry} before this one.",
    ),
    ("impossible-event", "no-such-round"): ("There is no round {round}; {rounds} have begun.",),
    ("impossible-event", "no-gift-owed"): ("{player} owes {to} no card.",),
    ("impossible-event", "nothing-owed"): (
        "{player} owes no cards, so there is no draw that was never made.",
    ),
    ("impossible-event", "no-misplay-open"): ("There is no misplay that {by} can call now.",),
    ("impossible-event", "not-their-color"): (
        "The colour is {pending}'s to name, not {player}'s.",
    ),
    ("impossible-event", "not-tied"): (
        "Lots are drawn among all who share a rank at the end: {tied}.",
        "Nobody shares a rank at the end: no lot is left to be drawn.",
    ),
    ("impossible-event", "pile-contradicts-book"): (
        "The draw pile is told otherwise than the book knows it: {cards}.",
    ),
    ("impossible-event", "pile-too-short"): (
        "{player} can't draw {count}: the cards left are {available}.",
    ),
    ("rule-violation", "card-does-not-match"): (
        (
            "{card} does not match {top_card} with the colour {named_color} ({clause}): same "
            "colour, number or symbol, or a wild."
        ),
        "{card} does not match {top_card} ({clause}): same colour, number or symbol, or a wild.",
    ),
    ("rule-violation", "card-on-penalty"): (
        "{player} still has to draw {count} and can't lay {card} on that ({clause}).",
    ),
    ("rule-violation", "drawn-while-able"): (
        "{player} draws while holding a card that has to be played ({clause}).",
    ),
    ("rule-violation", "not-the-drawn-card"): (
        "After a draw {player} may play the drawn card only, not {card} ({clause}).",
    ),
    ("rule-violation", "out-of-turn"): (
        "It is {turn}'s turn, not {player}'s ({clause}).",
        "It is not {player}'s turn ({clause}).",
    ),
    ("rule-violation", "passed-without-drawing"): (
        "{player} passes without having drawn ({clause}).",
    ),
    ("rule-violation", "pile-differs"): (
        "The new draw pile of {cards} cards is not made of the {whole} that were there ({clause}).",
    ),
    ("rule-violation", "points-told"): (
        "{points} points are told for the hand of {player}; its cards are worth {book} ({clause}).",
    ),
    ("rule-violation", "reshuffled-early"): (
        "The discards are shuffled while the draw pile still has {cards} cards ({clause}).",
    ),
    ("rule-violation", "too-few-drawn"): (
        "{player} draws {count} of the {allowed} cards that are due ({clause}).",
    ),
    ("rule-violation", "too-many-drawn"): (
        "{player} draws {count} cards where {allowed} can be drawn ({clause}).",
    ),
    ("rule-violation", "uno-not-called"): (
        "{player} goes down to one card without calling UNO ({clause}).",
    ),
    ("rule-violation", "verdict-contradicts-hand"): (
        "The verdict on {player} is not what the cards show ({clause}).",
    ),
    ("rule-violation", "wild-draw-four-bluff"): (
        "{player} plays {card} beside a hand that forbids it ({clause}).",
    ),
    **HOUSE_RULE_MESSAGES,
}
"""The wordings by the code and finer reason of a refusal or violation, or by the code and None."""
