"""What is to be said of a row or a match of a spreadsheet, in any language."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.events.refusal import Refusal
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import import_message, message


class Finding(Struct, frozen=True):
    """What is to be said of a row or a match.

    `reason`: names one of the import's messages, or one of the messages of `code` if the rules
    refuse the row. `column`: the spreadsheet's column that it is about, if it is about one.
    """

    reason: str | None
    facts: Mapping[str, object] = {}
    column: str | None = None
    code: str | None = None

    def wording(self, language: Language, *, whole: bool = False) -> str:
        """Return the finding in words. `whole`: the contents of cells are not shortened."""
        if self.code is not None:
            return message(self.code, self.reason, self.facts, language)
        assert self.reason is not None
        return import_message(self.reason, self.facts, language, whole=whole)


class Unreadable(Exception):
    """A cell, a row or a file can't be read. The finding says why."""

    def __init__(self, reason: str, column: str | None = None, **facts: object) -> None:
        super().__init__(reason)
        self.finding = Finding(reason, facts, column)


def of_refusal(refusal: Refusal, column: str) -> Finding:
    """Return the finding for a round that the rules refuse. `column`: the one to blame."""
    if refusal.violations:
        first = refusal.violations[0]
        facts = {"clause": first.clause, **first.facts}
        return Finding(first.reason, facts, column, code="rule-violation")
    return Finding(refusal.reason, refusal.facts, column, code=refusal.code)
