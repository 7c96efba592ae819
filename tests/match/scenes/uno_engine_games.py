"""Games of uno-engine (npm), recorded card by card in tests/golden/engines."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.match.scenes.retelling import (
    DRAWS,
    WILDS,
    ForeignGame,
    Table,
    Telling,
    cards_drawn,
    color_of,
    symbol_of,
    told_as_played,
)


def recorded_game(
    path: Path, letter: str, house_rules: Mapping[str, str] | None = None
) -> ForeignGame:
    """Read the game in a file, judged by the booklet with this letter and by the house rules."""
    game = json.loads(path.read_text(encoding="utf-8"))
    players = tuple(game["players"])
    dealer = players[players.index(game["begins"]) - 1]
    return ForeignGame(
        players=players,
        dealer=dealer,
        tellings=tuple(_Retold(game, Table(players, letter), house_rules or {}).tellings(dealer)),
        hands=game["hands_at_end"],
        winner=game["winner"],
        score=game["score"],
    )


class _Retold:
    """Retells a game move after move, each with the clauses that it breaks."""

    def __init__(self, game: dict[str, Any], table: Table, house_rules: Mapping[str, str]) -> None:
        self.game = game
        self.house_rules = house_rules
        self.table = table
        self.hands = {player: list(cards) for player, cards in game["hands"].items()}
        self.top = game["first"]
        self.color = color_of(game["first"])
        self.drawn: str | None = None

    def tellings(self, dealer: str) -> Iterator[Telling]:
        game = self.game
        yield Telling(told_as_played("round_started", dealer=dealer, hands=game["hands"]))
        for card in (*game["ignored"], game["first"]):
            yield Telling(told_as_played("first_card_turned", card=card))
        self.table.owner = game["begins"]
        for move in game["moves"]:
            player = move["player"]
            if "plays" in move:
                yield from self._plays(player, move)
            elif "caught_by" in move:
                by = move["caught_by"]
                yield Telling(told_as_played("uno_caught", player=player, by=by))
                yield from self._takes(player, move["cards"], move)
            elif "draws" in move:
                yield from self._draws(player, move)
            else:
                yield Telling(told_as_played("turn_passed", player=player), self._passes())
                self.table.owner, self.drawn = self.table.after(player), None

    def _plays(self, player: str, move: dict[str, Any]) -> Iterator[Telling]:
        table, hand, card = self.table, self.hands[player], move["plays"]
        breaks = list(table.moves(player))
        if self.drawn is not None and card != self.drawn:
            breaks.append(table.clause("KEEP"))
        hand.remove(card)
        if card == "wild-draw-four" and hand and self._bluffs(hand):
            breaks += self._of_bluff()
        if move.get("uno") is False:
            breaks.append(table.clause("UNO"))
        also = {field: move[field] for field in ("color", "uno") if field in move}
        played = told_as_played("card_played", player=player, card=card, **also)
        yield Telling(played, tuple(breaks))
        self.top, self.color, self.drawn = card, move.get("color") or color_of(card), None
        victim = table.after(player)
        table.played(player, card)
        if "next_draws" in move:
            yield from self._takes(victim, move["next_draws"]["cards"], move)
        elif not hand and symbol_of(card) in DRAWS:
            # The engine forgets the draw for the last card, so the hand is shown as the engine has
            # it.
            shown = told_as_played("hand_shown", player=victim, cards=self.hands[victim])
            yield Telling(shown, ("X-COUNT",))

    def _draws(self, player: str, move: dict[str, Any]) -> Iterator[Telling]:
        breaks = list(self.table.moves(player))
        able = any(self._to_be_played(c) for c in self.hands[player])
        if able and self.table.letter == "B":
            breaks.append(self.table.clause("KEEP"))
        elif able and self.house_rules.get("forced_play") == "hand":
            breaks.append("V-FORCE-HAND")
        yield from self._takes(player, [move["draws"]], move, tuple(breaks))
        self.drawn = move["draws"]

    def _takes(
        self, player: str, cards: list[str], move: dict[str, Any], breaks: tuple[str, ...] = ()
    ) -> Iterator[Telling]:
        """Tell a draw of these cards.

        When its pile runs out the engine takes a new deck, which the book flags.
        """
        if "fresh_pile" in move:
            pile = told_as_played("pile_reshuffled", draw_pile=[*cards, *move["fresh_pile"]])
            yield Telling(pile, (self.table.clause("RESHUFFLE"),))
        self.hands[player] += cards
        yield Telling(cards_drawn(player, cards), breaks)

    def _passes(self) -> tuple[str, ...]:
        """Return the clauses that a pass breaks.

        The engine's players may keep a drawn card that fits.
        """
        forced = "forced_play" in self.house_rules and self.drawn is not None
        return ("V-FORCE-DRAWN",) if forced and self._to_be_played(self.drawn or "") else ()

    def _of_bluff(self) -> tuple[str, ...]:
        """Return the clauses that a bluff breaks.

        The engine lets anybody lay a wild-draw-four.
        """
        match self.house_rules.get("wild_draw_four"):
            case "free":
                return ()
            case "no-bluff":
                return ("V-NO-BLUFF",)
            case _:
                return (self.table.clause("WILD4-LEGAL"),)

    def _bluffs(self, hand: list[str]) -> bool:
        counts_wild = self.table.letter == "C"
        return any(color_of(c) == self.color or (counts_wild and c == "wild") for c in hand)

    def _to_be_played(self, card: str) -> bool:
        if card in WILDS:
            return card == "wild"
        same_symbol = self.top not in WILDS and symbol_of(card) == symbol_of(self.top)
        return color_of(card) == self.color or same_symbol
