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
"""What is not found."""


class Refused(Exception):
    """A request that the service understood and won't carry out; nothing was written.

    `code` is the stable code of a problem, `reason` a finer word, `facts` the figures behind it,
    None for a problem without such a member: `texts` has the words for them. `members` are the
    further fields of the problem that a client may read (RFC 9457, section 3.2). `words` are those
    of the booklet that is played.
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
        """So that a process can hand it to another."""
        words = dict(self.words.terms), dict(self.words.people)
        return _again, (self.code, self.reason, self.facts, words, self.members)

    def telling(self, facts: Mapping[str, object] | None, **members: object) -> "Refused":
        """The same with other facts and further members."""
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
    words: tuple[Mapping[str, str], Mapping[str, str]],
    members: Mapping[str, object],
) -> Refused:
    return Refused(code, reason=reason, facts=facts, words=Words(*words), **members)


def not_found(what: Sought, **facts: object) -> Refused:
    """The answer for what does not exist and for what the caller may not know exists."""
    return Refused("not-found", reason=what, facts=facts or None)
