"""The same match among people of other names, with cards of other colours."""

from random import Random
from typing import Any, Final

import msgspec

from scorekeeper.match.events.events import Event, decode, encode
from scorekeeper.rules.cards import face
from scorekeeper.simulation.played_match import PlayedMatch

STRANGERS: Final = ("quin", "rue", "sol", "tam", "una", "val", "wyn", "xia", "yul", "zed")


class Translation(msgspec.Struct, frozen=True):
    names: dict[str, str]
    colors: dict[str, str]

    @classmethod
    def of(cls, seed: int, played: PlayedMatch) -> "Translation":
        rng = Random(seed)
        strangers = rng.sample(STRANGERS, len(played.opened.players))
        # A colour that a card lays off, such as red for the ribbon, keeps its name.
        fixed = {rule.played.value.lays_off for rule in played.edition.cards.values()}
        free = [color for color in played.edition.colors.value if color not in fixed]
        return cls(
            dict(zip(played.opened.players, strangers, strict=True)),
            dict(zip(free, rng.sample(free, len(free)), strict=True)),
        )

    def event(self, event: Event) -> Any:
        document = msgspec.json.decode(encode(event))
        return decode(msgspec.json.encode(self.document(document)))

    def document(self, part: Any) -> Any:
        if isinstance(part, dict):
            return {self._word(key): self.document(value) for key, value in part.items()}
        if isinstance(part, list | tuple):
            return [self.document(one) for one in part]
        return self._word(part) if isinstance(part, str) else part

    def _word(self, word: str) -> str:
        if word in self.names:
            return self.names[word]
        if word in self.colors:
            return self.colors[word]
        color = face(word).color
        if color in self.colors:
            return self.colors[color] + word.removeprefix(color)
        return word
