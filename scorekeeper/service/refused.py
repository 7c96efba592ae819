"""Why a request was not carried out."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from scorekeeper.texts.words import PLAIN, Words

Sought: TypeAlias = Literal[
    "address",
    "edition",
    "entry",
    "event",
    "file",
    "invitation",
    "league",
    "match",
    "player",
    "problem",
    "round",
    "size",
    "tile",
    "token",
    "tournament",
    "version",
]
"""The kinds of things that can be not found."""


class Refused(Exception):
    """A request that the service understood and won't carry out; nothing was written.

    `code` is the stable code of a problem, `reason` a finer distinction, and `facts` the figures
    behind it; None means that the problem has no such member. `texts` has the sentences for them.
    `members` are the problem's extension members, which a client may read (RFC 9457, section 3.2).
    `words` are those of the booklet that is played.
    """

    def __init__(
        self,
        code: str,
        *,
        reason: str | None = None,
        facts: Mapping[str, object] | None = None,
        words: Words = PLAIN,
        **members: object,
    ) -> None:
        super().__init__(code if reason is None else f"{code}: {reason}")
        self.code = code
        self.reason = reason
        self.facts = facts
        self.words = words
        self.members: Mapping[str, object] = members

    def __reduce__(self) -> tuple[object, ...]:
        """Make the exception picklable, so that one process can send it to another."""
        words = self.words
        plain = dict(words.terms), dict(words.people), dict(words.sitting)
        return _again, (self.code, self.reason, self.facts, plain, self.members)

    def with_facts(self, facts: Mapping[str, object] | None, **members: object) -> "Refused":
        """Return the same refusal with other facts and further members."""
        return Refused(
            self.code,
            reason=self.reason,
            facts=facts,
            words=self.words,
            **{**self.members, **members},
        )


def _again(
    code: str,
    reason: str | None,
    facts: Mapping[str, object] | None,
    words: tuple[Mapping[str, str], ...],
    members: Mapping[str, object],
) -> Refused:
    return Refused(code, reason=reason, facts=facts, words=Words(*words), **members)


def not_found(what: Sought, **facts: object) -> Refused:
    """Return the refusal for what does not exist, or must not be known to the caller to exist."""
    return Refused("not-found", reason=what, facts=facts or None)
