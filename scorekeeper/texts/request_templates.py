"""English messages for requests that can't be read, or that the service itself refuses.

Among them are sentences about a spreadsheet of past rounds: what is wrong with a row, and what a
row tells. As in `templates`, the English text is the key of the catalogs of other languages. A
message has several wordings if some of its facts may be missing.
"""

from collections.abc import Mapping
from typing import Final

_NOT_FOUND: Final = {
    "address": "There is nothing at this address.",
    "edition": "There is no such edition; /v1/editions lists them.",
    "entry": "There is no such entry here that you may see.",
    "event": "There is no such event in this match.",
    "file": "There is no such file.",
    "invitation": "There is no such invitation here that you may see.",
    "league": "There is no such league that you may see.",
    "match": "There is no such match here that you may see.",
    "player": "There is no such player here that you may see.",
    "problem": "There is no such type of problem.",
    "round": "The match has no such round.",
    "size": "The ledger never had so many entries.",
    "tile": "The ledger has no such tile.",
    "token": "There is no such token here that you may see.",
    "tournament": "There is no such tournament here that you may see.",
    "version": "The match has no such version.",
}

# Messages about the form of a request. `at` is the place in its body, or a parameter's name.
_MALFORMED: Final = {
    None: ("The request does not fit the description of this operation.",),
    "address": ("The address must be UTF-8 text.",),
    "body-incomplete": ("The body ended too early.",),
    "contradictory": ("{at}: {why}", "The body: {why}"),
    "cursor": ("This cursor is not valid: take the value of next from the page before.",),
    "duplicate-key": ("A key stands twice in one object.",),
    "field-missing": ("{at} lacks the field {field}.", "The field {field} is missing."),
    "field-unknown": (
        "{at} has no field {field}; there are: {allowed}.",
        "There is no field {field} here; there are: {allowed}.",
        "No field is expected here: {field}.",
    ),
    "host": ("The Host header has to be a name or an address, such as example.org:8000.",),
    "idempotency-key": ("An Idempotency-Key has 1 to {most} printable ASCII characters.",),
    "if-match": ('If-Match is * or quoted versions, such as "5".',),
    "last-event-id": ("Last-Event-ID is a position, such as 812.",),
    "no-date": ("{at} has to be a date, such as 2026-11-20.",),
    "no-slug": (
        (
            "{at} has to consist of lower-case letters, digits and hyphens, {most} at the most, "
            "and begin with a letter or a digit."
        ),
    ),
    "no-time": ("{at} has to be a time with its offset, such as 2026-11-20T19:00:00Z.",),
    "no-uuid": ("{at} has to be a UUID, such as 3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b.",),
    "not-a-choice": ("{at} has to be one of these: {allowed}.",),
    "not-json": ("The body must be JSON in UTF-8.",),
    "nul": ("A text holds a NUL.",),
    "number-of-characters": (
        "{at} has {count} characters; it has to have {least} to {most}.",
        "{at} has {count} characters; it has to have {least} at least.",
    ),
    "number-of-items": (
        "{at} has {count} items; it has to have {least} to {most}.",
        "{at} has {count} items; it has to have {least} at least.",
    ),
    "number-out-of-range": ("{at} has to lie between {least} and {most}.",),
    "number-too-large": ("A number lies beyond 2^53.",),
    "query-null": ("To ask without {parameter}, leave it out.",),
    "query-twice": ("The query parameter {parameter} stands twice.",),
    "query-unknown": ("There is no query parameter {parameter} here; there are: {allowed}.",),
    "slug-too-long": (
        (
            "The names of its matches would be too long: {tournament} has to have {most} "
            "characters at the most."
        ),
    ),
    "too-deep": ("The body has more than {most} levels.",),
    "wrong-kind": ("{at} has to be {kinds}.", "The body has to be {kinds}."),
}

_REFUSED: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    ("body-too-large", None): (
        "A body has {most} bytes at the most.",
        "The body is larger than the service reads.",
    ),
    ("event-erased", "answer"): (
        "This was recorded; the answer told of entries whose content was erased since.",
    ),
    ("event-erased", "event"): ("The event with this id was recorded and erased.",),
    ("event-id-reused", None): ("This id was given to another request before.",),
    ("event-id-reused", "elsewhere"): ("This id is that of an event elsewhere.",),
    ("event-id-reused", "other-content"): ("This id is that of another event.",),
    ("event-id-twice", None): ("One id stands twice in this request.",),
    ("event-ids-incomplete", None): ("Give every event of a request an id, or none.",),
    ("event-ids-incomplete", "past-match"): ("Give every event of a past match an id.",),
    ("event-ids-out-of-order", None): (
        "A recorded event stands behind a new one, or behind one that was recorded after it.",
    ),
    ("forbidden", None): (
        "A token of the role {role} may not do this; it takes the role {needed}.",
        "The token's role does not cover this.",
    ),
    ("forbidden", "ruling"): ("Only an owner's token rules on disputes.",),
    ("forbidden", "undo"): ("Only an owner takes back what others have told.",),
    ("idempotency-key-reused", None): (
        "The key was given to another request before: make a new one for this request.",
    ),
    ("if-match-needed", None): ('Say which version you saw, If-Match: "<version>", or * for any.',),
    ("internal", None): ("The log has the cause.",),
    ("invitation-unknown", None): ("This code is not known, or no longer good.",),
    ("league-exists", None): (
        "There is another league named {league}.",
        "A league with this slug was opened with other data before.",
    ),
    ("log-forked", "checkpoint-unreadable"): (
        "The checkpoint that was signed last can't be read.",
    ),
    ("log-forked", "entries-changed"): (
        "The ledger's head does not have the root of its entries: the database was changed.",
    ),
    ("log-forked", "entries-missing"): ("The ledger lacks entries that its head counts.",),
    ("log-forked", "log-unsound"): (
        "The entry at position {position} is not as it was recorded ({flaw}).",
        "The log is not as it was recorded ({flaw}).",
    ),
    ("log-forked", "older-backup"): (
        (
            "The ledger has {size} entries, but a checkpoint over {signed} was signed: an older "
            "backup was put in place of the database."
        ),
    ),
    ("log-forked", "other-history"): (
        (
            "The first {signed} entries are not those that were signed: the database was changed, "
            "or it was restored from a backup and written on."
        ),
    ),
    ("match-exists", None): (
        "There is another match named {match}.",
        "A match with this slug was opened with other data before.",
    ),
    ("method-not-allowed", None): ("The Allow header lists the methods of this address.",),
    ("not-erasable", "league-entry"): (
        (
            "These entries can't be erased: {positions}. They say who is in the league and what "
            "was erased, and nothing of a person."
        ),
    ),
    ("not-erasable", "opening"): (
        (
            "These entries can't be erased: {positions}. Without its opening nothing that was "
            "recorded after it could be read."
        ),
    ),
    ("not-erasable", "tournament-entry"): (
        (
            "These entries can't be erased: {positions}. They say who plays where, and what was "
            "recorded at the tables rests on them."
        ),
    ),
    ("player-exists", None): (
        "There is another player named {player}.",
        "A player with this slug was registered with other data before.",
    ),
    ("position-unknown", None): ("The ledger has {size} entries, and none at {positions}.",),
    ("proof-impossible", "consistency"): ("A ledger does not grow from {from} entries to {to}.",),
    ("proof-impossible", "inclusion"): (
        "A tree of {size} entries does not hold position {position}.",
    ),
    ("request-timeout", None): ("The body was not whole after {seconds} seconds.",),
    ("too-many-followers", "league"): ("{most} follow this league already.",),
    ("too-many-followers", "token"): ("{most} follow with this token already.",),
    ("too-many-invitations", None): ("{most} invitations are in force; end one first.",),
    ("too-many-requests", None): ("Wait for as long as the Retry-After header says.",),
    ("too-many-requests", "address"): (
        "Too many requests from this address had no valid token. Wait for {seconds} seconds.",
    ),
    ("too-many-requests", "token"): (
        "This token has asked too often. Wait for {seconds} seconds.",
    ),
    ("tournament-exists", None): (
        "There is another tournament named {tournament}.",
        "A tournament with this slug was opened with other data before.",
    ),
    ("unauthorized", "no-session"): ("No session of this browser is named.",),
    ("unauthorized", "other-site"): ("Only a page of this service may ask for this.",),
    ("unauthorized", "token-missing"): ("Send a token: Authorization: Bearer TOKEN.",),
    ("unauthorized", "token-unknown"): ("This token is not known, or was revoked.",),
    ("unavailable", None): (
        "The database does not answer: send it again with the same event ids or the same key.",
    ),
    ("rows-refused", "bad-rows"): (
        (
            "Nothing was imported, for rows are bad: lines {lines}. Import without their matches, "
            "or put them right."
        ),
    ),
    ("rows-refused", "imported-otherwise"): (
        (
            "Nothing was imported, for rows were imported otherwise before: lines {lines}. Say "
            "whether to amend what was imported."
        ),
    ),
    ("unavailable", "followers"): ("This process takes no more followers at the moment.",),
    ("unsupported-media-type", None): ("Send the body as application/json in UTF-8.",),
    ("unsupported-media-type", "content-encoding"): ("Send the body without a Content-Encoding.",),
    ("version-mismatch", None): (
        "Version {latest} is the latest now; If-Match names another one.",
    ),
}

REQUEST_MESSAGES: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    **{("not-found", what): (template,) for what, template in _NOT_FOUND.items()},
    **{("malformed", reason): templates for reason, templates in _MALFORMED.items()},
    **_REFUSED,
}
"""The wordings by the code and the finer reason of a problem, or by the code and None."""

DID_YOU_MEAN: Final = "Did you mean {nearest}?"


_ROWS: Final = {
    "before-uno": ("{day} lies before {year}, the first year of UNO",),
    "cells": ("there are more cells than columns",),
    "column-unnamed": ("the heading has a column without a name",),
    "columns-missing": ("the heading lacks {columns}",),
    "columns-twice": ("the heading has columns twice: {columns}",),
    "columns-unknown": ("the heading has unknown columns: {columns}",),
    "few-players": (
        "fewer than two players are named; names are parted by blanks, commas or semicolons",
    ),
    "hands-missing": ("the heading has neither points nor cards",),
    "hands-twice": ("a row has either points or cards",),
    "hand-alone": ("there are {seats} players and 1 hand",),
    "hand-count": ("there are {seats} players and {hands} hands",),
    "hand-empty": ("{name} has nothing left and is none of the winners",),
    "in-future": ("{day} lies in the future; {flag} imports it", "{day} lies in the future"),
    "match-unclear": ("{name} would be match {slug}, as {other} is: give it another name",),
    "name-long": ("a name has at most {most} characters: {name}",),
    "name-nul": ("a name holds a NUL: {name}",),
    "name-unclear": ("{name} is the name of {either}: write which of them",),
    "no-csv": ("from here on no cells can be read; a closing quotation mark may be missing",),
    "no-date": ("{found} is no date like 2024-11-20", "nothing is no date like 2024-11-20"),
    "no-edition": ("there is no edition {found}", "there is no edition without a name"),
    "no-mode": ("there is no scoring mode {found}",),
    "no-number": ("{name} is no number: {found}",),
    "no-round": ("this round can't be recorded: {found}",),
    "no-substitute": ("{found} does not say who sat in for whom, as ann=eve does",),
    "no-text": ("from here on this is no {encoding}; {flag} says what else it is",),
    "nobody-won": ("nobody won: give the winner {sign} for points, or say winners",),
    "other-scoring": ("another scoring than in line {line} of the same match",),
    "other-table": ("another edition or other players than in line {line} of the same match",),
    "rows": ("a file has at most {most} rows",),
    "seat-twice": ("{name} sits at the table twice",),
    "slug-taken": (
        "{name} would be {slug}, as {other} is: write {slug}, or register {name} before",
    ),
    "substitute-seated": ("{name} sits in and has a place of the own",),
    "substitute-for-nobody": ("{name} sits in for {absent}, who is none of the players",),
    "winner-away": ("won without playing: {names}",),
}

_OPENED: Final = (
    ", which can't be amended: take back its last entry, abandon it, and import the rows under "
    "another name"
)

_MATCHES: Final = {
    "amended-since": (
        "it was amended or went on in the league since it was imported: put it right there",
    ),
    "amended-to-this": ("it was amended in the league since",),
    "erased": ("what some of its entries held was erased; it is left as it is",),
    "imported-otherwise": (
        "it was imported otherwise; {flag} puts that right",
        "it was imported otherwise",
    ),
    "name-taken": ("the league has another match of this name; name this one otherwise",),
    "opened-at": (f"it was opened with another date{_OPENED}",),
    "opened-edition": (f"it was opened with another edition{_OPENED}",),
    "opened-players": (f"it was opened with other players, or other seats{_OPENED}",),
    "opened-scoring": (f"it was opened with another scoring{_OPENED}",),
}

_EVENTS: Final = {
    "told-abandoned": ("the match is abandoned",),
    "told-back": ("{name} plays again",),
    "told-closed": ("the match is closed",),
    "told-day": ("{day}: {told}",),
    "told-round": ("{names} won; {hands}", "{names} won"),
    "told-substitute": ("{name} sits in for {absent}",),
}

IMPORT_MESSAGES: Final[Mapping[str, tuple[str, ...]]] = {**_ROWS, **_MATCHES, **_EVENTS}
