"""The texts that explain a match: the steps of its replay, the labels around them, its audit.

EXPLANATIONS has a text for each word that the projections use for a step. LABELS has the labels by
their names, AUDIT a text for each check and finding. All are English, which is also the catalogs'
key.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from scorekeeper.texts.language import CONVENTIONS, Language, translate
from scorekeeper.texts.singular import template_for
from scorekeeper.texts.words import PLAIN, Words, worded

EXPLANATIONS: Final[Mapping[str, str]] = {
    "abandoned": "The match is abandoned: {reason}.",
    "accusation": "{by} accuses {player} of drawing with a card to play ({clause}).",
    "advice": "{by} points out that {player} told another what to play ({clause}).",
    "amended": "So the log is amended: {reason}",
    "amended-back": "Withdrawn: the amendments {versions}.",
    "amended-in": "Before entry {first} this is to be read: {types}.",
    "amended-one-out": "Left out from now on: entry {first}.",
    "amended-out": "Left out from now on: the entries {first} to {last}.",
    "as-played": "It was against the rules and stands as the table played it.",
    "calls-uno": "{player} calls UNO.",
    "calls-uno-in-time": "{player} calls UNO, which was still owed ({clause}).",
    "can-not-apply": "As the log is read now this can't have happened, so it is left aside.",
    "caught": "{by} catches {player} with one card and no UNO ({clause}).",
    "caught-in-vain": "{by} points at {player}, who owes no UNO: it costs nothing ({clause}).",
    "caught-oneself": (
        "{player} points at the own hand, which only others can catch: it costs nothing ({clause})."
    ),
    "challenge-guilty": "{by} challenges {player}'s {card}: it was not allowed ({clause}).",
    "challenge-innocent": "{by} challenges {player}'s {card}: it was allowed ({clause}).",
    "challenge-last": (
        "{by} challenges {player}'s {card}: laid as the last card it is always allowed ({clause})."
    ),
    "charged": "{points} points are counted against {player}.",
    "charged-in-all": "In all, {points} points are counted against {player} at catches.",
    "closed": "The table stops here; the best so far wins.",
    "color-named": "{player} names {color}; {turn} is on turn.",
    "color-open": "{player} has yet to name the colour.",
    "counts": "{player} counts {points} points in the hand ({clause}).",
    "dealer-drawn": "{player} draws the highest card, {card}, and deals ({clause}).",
    "dealer-none": "None of the drawn cards decides: {players} draw again ({clause}).",
    "dealer-tied": "{players} draw equally high and draw again ({clause}).",
    "dealt": "{player} deals {count} cards each to {players} ({clause}).",
    "dealt-otherwise": "{by} deals {count} to {player} instead ({clause}).",
    "discards": "{player} also lays off {cards}.",
    "drawn-cards": "Drawn: {cards}.",
    "disputed": "{by} disputes round {round}: {claim}",
    "draws": "{player} draws {count} ({clause}).",
    "draws-owed": "{player} draws {count}, as owed ({clause}).",
    "draws-owed-accusation": "{player} draws {count} for the accusation ({clause}).",
    "draws-owed-advice": "{player} draws {count} for the advice ({clause}).",
    "draws-owed-guilty": (
        "{player} draws {count} for the wild-draw-four that was not allowed ({clause})."
    ),
    "draws-owed-innocent": "{player} draws {count} for the challenge that failed ({clause}).",
    "draws-owed-misplay": "{player} draws {count} for the misplay ({clause}).",
    "draws-owed-play": "{player} draws {count}, owed since {by}'s {card} ({clause}).",
    "draws-owed-turned-up": "{player} draws {count}, owed since {card} was turned up ({clause}).",
    "draws-owed-uno": "{player} draws {count} for the UNO that was not called ({clause}).",
    "draws-settled": "The table lets {player} draw no more.",
    "draws-still": "{player} still has to draw {count}.",
    "effect-draws": "{player} draws {count} by it.",
    "effect-reverses": "Play turns round by it.",
    "exchanged": "Everybody takes over the hand of the neighbour on the left ({clause}).",
    "gift-owed": "{player} is to give {to} {count} of the cards left.",
    "gives": "{player} gives {to} {cards}.",
    "gives-unseen": "{player} gives {to} cards that nobody named: {count}.",
    "goes-again": "{player} goes again.",
    "hands-pass": "Every hand goes to the next player, {direction} ({clause}).",
    "jumped-in": "{player} jumps in with {card}, on the same card ({clause}).",
    "laid-at-once": "These are {count} at once ({clause}).",
    "last-draw": "{victim} still has to draw {count}, and they count ({clause}).",
    "leaves": "Out of the match by it: {players}.",
    "match-won": "The match goes to {players} with {points} points ({clause}).",
    "match-won-rounds": "The match goes to {players}; rounds won: {rounds} ({clause}).",
    "misplay": "{by} calls {player}'s {card}: it is taken back with all it did ({clause}).",
    "must-draw": "{player} is to draw {count}.",
    "must-draw-and-skip": "{player} is to draw {count} and loses the turn.",
    "must-draw-or-stack": (
        "{player} is to draw {count} and loses the turn, unless another card goes on it ({clause})."
    ),
    "names-color": "{player} names {color}.",
    "next-turn-skipped": "{player}'s next turn is left out by it.",
    "no-points": "No points are kept in this mode ({clause}).",
    "note": "A note: {text}",
    "on-turn": "{player} is on turn.",
    "out": "No card is left with {players}: the round is over ({clause}).",
    "part-charge": "{points} at catches",
    "part-hand": "{player}'s {points}",
    "part-hand-lost": "{player}'s {points} lost",
    "part-total": "{player} {points}",
    "passes": "{player} passes; {turn} is on turn ({clause}).",
    "penalty-lapses": "The {count} cards that {player} was to draw lapse.",
    "played-against": "{player} plays {card}, which does not match {top} ({clause}).",
    "played-answer": "{player} answers the penalty with {card} ({clause}).",
    "played-freely": "{player} plays {card}; no colour is in force ({clause}).",
    "played-on-color": "{player} plays {card}, which matches the colour {color} ({clause}).",
    "played-on-number": "{player} plays {card}, which matches the number of {top} ({clause}).",
    "played-on-symbol": "{player} plays {card}, which matches the symbol of {top} ({clause}).",
    "played-wild": "{player} plays {card}, which goes on any card ({clause}).",
    "reflected": "The penalty goes back to {player}, who is to draw {count}.",
    "reshuffled": "The discards under {top} become the draw pile, now {count} cards ({clause}).",
    "reversed": "Play now runs {direction}.",
    "round-won": "Round {round} goes to {players} ({clause}).",
    "round-won-by-nobody": (
        "Round {round} goes to nobody, since all who played it are out of the match ({clause})."
    ),
    "ruling-rejected": "The dispute of {disputant} (entry {dispute}) is rejected: {reason}",
    "ruling-upheld": "The dispute of {disputant} (entry {dispute}) is upheld: {reason}",
    "score": "{player} scores {score}: {sum}.",
    "score-nothing": "Nothing for {players}.",
    "score-told": "{player} scores {score}, as the sheet says.",
    "seats": "The seats are changed; clockwise: {players}.",
    "shows": "{player} shows the hand: {cards}.",
    "shows-none": "{player} shows an empty hand.",
    "skip-lapses": "{player}'s next turn is not left out any more.",
    "skipped": "{player} is skipped.",
    "stacked": "{player} lays {card} on the penalty, which goes on ({clause}).",
    "stays": "In the match after all: {players}.",
    "substituted": "{substitute} plays on in place of {player}.",
    "substituted-back": "{player} plays again in person.",
    "swaps-hands": "{player} and {former} exchange their hands ({clause}).",
    "taken-back": "{card} goes back into {player}'s hand, and the card and colour before it hold.",
    "takes-hand": "{player} takes over {former}'s hand.",
    "tallied": "The round is told as a whole: {players} went out ({clause}).",
    "tallied-on-top": "What was followed card by card stays in the book.",
    "tallied-scores": "Only the scores are told.",
    "told-late": "The book had written this already; whatever cards it names are known now.",
    "totals": "Totals: {totals}.",
    "turned-up": "{card} is turned up; {player} begins ({clause}).",
    "turned-up-color-named": (
        "{card} is turned up; {namer} names {color} and {player} is on turn ({clause})."
    ),
    "turned-up-color-open": "{card} is turned up; {player} has yet to name the colour ({clause}).",
    "turned-up-draw": (
        "{card} is turned up; {victim} is to draw {count} and {player} begins ({clause})."
    ),
    "turned-up-reversed": (
        "{card} is turned up; {player} begins and play runs counter-clockwise ({clause})."
    ),
    "turned-up-skip": "{card} is turned up; {skipped} is skipped and {player} begins ({clause}).",
    "turned-up-to-bottom": (
        "{card} is turned up and goes to the bottom of the draw pile; another follows ({clause})."
    ),
    "turned-up-under": (
        "{card} is turned up and does not count; another is laid on it ({clause})."
    ),
    "uno-not-called": "{player} is down to one card and has not called UNO ({clause}).",
    "uno-not-recorded": "{player} is down to one card; no UNO is recorded.",
    "voided": "The round is broken off and brings nobody anything: {reason}.",
    "voided-redealt": "The round is broken off and dealt again: {reason}.",
    "worth": "It is worth {points} points ({clause}).",
}


LABELS: Final[Mapping[str, str]] = {
    "title": "{league} / {match}, round {round}",
    "step": "Step {step} of {steps}",
    "entry": "entry {version}",
    "inserted": "amendment {amendment}, event {index}",
    "follows": "follows as the log is read now",
    "inferred": "inferred",
    "recorded": "recorded by {by} at {time}",
    "legal": "legal",
    "illegal": "against the rules",
    "unknown": "can't be known",
    "voided": "left aside",
    "erased": "The content of this entry was erased.",
    "hidden": "{count} unknown",
    "unheard": "not told",
    "hand": "{player}: ",
    "known-now": "(known since: {cards})",
    "table": "Top card {top}, colour {color}, on turn {turn}, draw pile {pile}",
    "score": "The score",
    "total": "{player}: {score}, which makes {total}",
    "of-hand": "hand of {player}: {points}",
    "of-charge": "counted when {player} was caught: {points}",
    "of-told": "as the sheet says: {points}",
    "source": "step {step}: {how}",
    "of-source": "{whole} ({source})",
    "of-card": "{points} ({sources})",
    "of-card-maybe": "{points} ({sources} · one of these)",
    "dealt": "dealt",
    "drawn": "drawn",
    "given": "given",
    "swapped": "taken over with the hand",
    "taken-back": "taken back",
    "told": "as told",
    "counted": "as counted",
    "keys": "n or right: next, p or left: back, q: leave",
}

AUDIT: Final[Mapping[str, str]] = {
    "amendment": (
        "From entry {first} on, entries taken out: {remove}, events put in: {count}. Why: {reason}"
    ),
    "amendment-withdrawing": "The amendments {versions} do not count any more: {reason}",
    "amendment-withdrawn": "This amendment was withdrawn and does not count: {reason}",
    "cards-fewer": "From here on {count} cards are missing, as the table played it ({clauses}).",
    "cards-lost": "From here on {count} cards are missing, and nothing says why.",
    "cards-made": "From here on there are {count} cards too many, and nothing says why.",
    "cards-more": "From here on there are {count} cards more, as the table played it ({clauses}).",
    "chain": "Every header links to the one before it, over all {count} entries.",
    "chain-broken": "The header of version {version} does not link to the one before it.",
    "conservation": "Draw pile, discards and hands make up the whole deck after every step.",
    "conservation-broken": "In the rounds {rounds} cards appear or vanish, and nothing says why.",
    "conservation-none": "No round was followed card by card, so that no cards can be counted.",
    "contents": "Every entry still says what it said when it was recorded.",
    "contents-broken": "Version {version} does not say what it said when it was recorded.",
    "contiguity": "Versions 1 to {count} are all there, in the order in which they were recorded.",
    "contiguity-broken": "Version {version} is missing, or stands in the wrong place.",
    "dispute-open": "{by} disputes round {round}, and nobody has ruled on it yet: {claim}",
    "dispute-rejected": "{by} disputed round {round} ({claim}); it was rejected: {reason}",
    "dispute-upheld": "{by} disputed round {round} ({claim}); it was upheld: {reason}",
    "erased": (
        "The content of entry {version} ({type}) was erased: what it did in round {round} can't be "
        "derived any more."
    ),
    "inference": "All that the service concluded by itself follows from the rules.",
    "inference-broken": "Version {version} is not what the rules force there.",
    "inference-erased": (
        "Content was erased, so that it can't be compared any more what the service concluded "
        "after it."
    ),
    "list": "The list of matches shows what the log says.",
    "list-broken": "The list of matches shows something else than the log says.",
    "recorder": "Entries told by {token}: {told}; concluded from them: {inferred}.",
    "tree": "The last entry, at position {position}, stands in the ledger's tree.",
    "tree-broken": "The last entry, at position {position}, does not stand in the ledger's tree.",
    "voided": "As the log is read now this {type} can't have happened, so it is left aside.",
}


def explanation(
    saying: str, facts: Mapping[str, object], language: Language, words: Words = PLAIN
) -> str:
    """Return a sentence, or a part of one; `saying` is its key in EXPLANATIONS, else KeyError."""
    template = template_for(EXPLANATIONS[saying], facts, language)
    return worded(template, facts, language, words, whole=True)


def joined(sentences: Sequence[str], language: Language) -> str:
    """Return the sentences as one text."""
    return CONVENTIONS[language].between_sentences.join(sentences)


def label(name: str, language: Language, words: Words = PLAIN, **facts: object) -> str:
    """Return a word or line of a replay's page; `name` is its key in LABELS, else KeyError."""
    return worded(translate(LABELS[name], language), facts, language, words, whole=True)


def audit_line(
    name: str, language: Language, facts: Mapping[str, object], words: Words = PLAIN
) -> str:
    """Return a sentence of an audit; `name` is its key in AUDIT, else KeyError."""
    return worded(template_for(AUDIT[name], facts, language), facts, language, words)
