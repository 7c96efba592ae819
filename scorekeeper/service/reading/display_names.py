"""Puts the names of people into the answers to requests that write.

An answer is kept, so that a repeated request gets it again. It is kept with slugs, since a kept
name might outlive its erasure. So names are put in just before an answer is sent: each message is
made again from its facts.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.service.command import Outcome
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.people import NamesBySlug, Naming
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import ViolationView, VoidedView
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message
from scorekeeper.texts.words import Words, people_named_in, words_of

_JsonObject: TypeAlias = dict[str, Any]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_JsonObject).decode


class _Span(Struct, frozen=True):
    """The versions `first` to `last`, both included, and who sat in during them, by column."""

    first: int
    last: int
    substitutes: Mapping[str, str]


class DisplayNames:
    """Puts names in place of slugs in the texts of answers, for requests that ask for it."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @asynccontextmanager
    async def refusing(
        self, league: str, naming: Naming | None, language: Language
    ) -> AsyncGenerator[None]:
        """Return a context in which refusals call people by their names."""
        try:
            yield
        except Refused as refused:
            if naming is not None:
                await self._call(league, refused, language)
            raise

    async def _call(self, league: str, refused: Refused, language: Language) -> None:
        findings: dict[str, Sequence[ViolationView | VoidedView]] = {
            name: views
            for name in ("violations", "voided")
            if (views := cast("Any", refused.members.get(name)))
        }
        facts = [each.facts for views in findings.values() for each in views]
        names = await self._names(league, [refused.facts or {}, *facts], [refused.words])
        refused.words = words = refused.words.calling(names)
        renamed = {
            name: [_renamed(each, language, words) for each in views]
            for name, views in findings.items()
        }
        refused.members = {**refused.members, **renamed}

    async def answer(
        self,
        league: str,
        match: str,
        outcome: Outcome,
        naming: Naming | None,
        language: Language,
    ) -> Outcome:
        """Put names into the answer to an append, or to what an amendment would change."""
        if naming is None:
            return outcome
        view = _decode(outcome.body)
        findings: list[_JsonObject] = [*view["violations"], *view.get("voided", ())]
        if not findings:
            return outcome
        spans = await self._spans(league, match, view)
        common = words_of(view["state"]["edition"])
        words = [common.seated(_sitting(each, view, spans)) for each in findings]
        names = await self._names(league, [each["facts"] for each in findings], words)
        for each, own in zip(findings, words, strict=True):
            each["message"] = _message(each, language, own.calling(names))
        return replace(outcome, body=_encode(view))

    async def _spans(self, league: str, match: str, view: _JsonObject) -> list[_Span]:
        if "rounds" in view:
            return [
                _Span(each["first_version"], each["last_version"], each["substitutes"])
                for each in view["rounds"]
            ]
        state = (await self._reading.folded(league, match, view["version"])).state
        return [
            _Span(each.first_version, each.last_version, each.substitutes)
            for each in state.latest_first()
        ]

    async def _names(
        self, league: str, facts: Iterable[Mapping[str, object]], words: Iterable[Words]
    ) -> NamesBySlug:
        named = {slug for each in facts for slug in people_named_in(each)}
        named.update(who for each in words for who in each.sitting.values())
        return await self._reading.names.people(league, named) if named else {}


def _renamed(
    told: ViolationView | VoidedView, language: Language, words: Words
) -> ViolationView | VoidedView:
    said = _message(msgspec.to_builtins(told), language, words)
    return replace(told, message=said)


def _sitting(found: _JsonObject, view: _JsonObject, spans: Sequence[_Span]) -> Mapping[str, str]:
    """Return who sat in, by column, when the event of a violation or a voided event happened."""
    version = found.get("version", _inserted_at(found.get("amendment"), view))
    if version is None:
        version = _version_of(found.get("event_index"), view)
    for span in spans:
        if version is not None and span.first <= version <= span.last:
            return span.substitutes
    sitting: Mapping[str, str] = view["state"].get("substitutes", {})
    return sitting


def _inserted_at(amendment: int | None, view: _JsonObject) -> int | None:
    """Return the version before which an amendment in this answer inserts events."""
    of_amendment = (
        entry["data"].get("from")
        for entry in view.get("entries", ())
        if amendment is not None and entry["version"] == amendment
    )
    return next(of_amendment, None)


def _version_of(event_index: int | None, view: _JsonObject) -> int | None:
    """Return the version of the entry that an event of the request became."""
    of_event = (
        entry["version"]
        for entry in view.get("entries", ())
        if event_index is not None and entry["event_index"] == event_index
    )
    return next(of_event, None)


def _message(view: _JsonObject, language: Language, words: Words) -> str:
    """Return the message for a violation or for a voided event."""
    facts: _JsonObject = view["facts"]
    if "clause" in view:
        facts = {"clause": view["clause"], **facts}
        return message("rule-violation", view["reason"], facts, language, words)
    return message(view["code"], view.get("reason"), facts, language, words)
