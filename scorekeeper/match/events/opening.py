"""How a match is opened: what the table sends, what is refused, and what is then in force."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from scorekeeper.match.events.fields import (
    MOST_NAMES,
    FreeText,
    Instant,
    PlayerSlugs,
    PointsValue,
    Slug,
    in_utc,
)
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.rules.cards import Box, ExtraCard
from scorekeeper.rules.edition import Edition, TeamScoring, Variant
from scorekeeper.rules.scoring import MODES, Mode, ModeName

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 10
MOST_ROUNDS: Final = 1000

HouseRulesTold: TypeAlias = Annotated[Mapping[str, Variant], Meta(max_length=MOST_NAMES)]
"""House rules by name, each with its variant, as they were sent."""


class Scoring(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The scoring that an opening asks for.

    A field that is absent follows the edition. A `target` or `rounds` of null switches that end of
    the match off.
    """

    mode: ModeName | None = None
    target: PointsValue | UnsetType | None = UNSET
    rounds: PointsValue | UnsetType | None = UNSET
    team_scoring: TeamScoring | None = None


class ExtraCards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cards of one name that the table's box holds beyond those that the booklet names.

    `points`: the value of one such card.
    """

    count: Annotated[int, Meta(ge=1, le=120)]
    points: Annotated[int, Meta(ge=0, le=1000)]


class Options(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a table can agree on before a match.

    `question_block`: what that card does, in words. `extra_cards`: further cards of the box, by
    name. `caught_counts`: whether the hand of a player who is caught counts against that player, in
    a mode that eliminates players.
    """

    question_block: FreeText | None = None
    extra_cards: Annotated[Mapping[Slug, ExtraCards], Meta(max_length=120)] | None = None
    caught_counts: bool | None = None


class PlannedRound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seats and dealer of a round that a schedule fixed beforehand."""

    players: PlayerSlugs
    dealer: Slug


class Opening(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the table sends to open a match; `players` is the first seating."""

    edition: Slug
    players: PlayerSlugs
    teams: Annotated[tuple[PlayerSlugs, ...], Meta(max_length=MOST_NAMES)] | None = None
    scoring: Scoring | None = None
    options: Options | None = None
    house_rules: HouseRulesTold | None = None
    dealer: Slug | None = None
    seating: Annotated[tuple[PlannedRound, ...], Meta(max_length=MOST_ROUNDS)] | None = None
    at: Instant | None = None


class MatchOpened(Opening, frozen=True, tag_field="type", tag="match_opened"):
    """The opening as it was sent, and the revision of the edition that holds for the match.

    `house_rules_revision`: the revision of the house rules, if any were sent. `tournament`: the
    tournament that opened the match, which is played at one of its tables.
    """

    revision: int
    house_rules_revision: int | None = None
    tournament: Slug | None = None


class ScoringInForce(Struct, frozen=True, kw_only=True):
    """How a match is scored; `team_scoring` None: there are no teams, or hands do not count."""

    mode: ModeName
    target: int | None
    rounds: int | None
    team_scoring: TeamScoring | None


class OptionsInForce(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The options of a match, with defaults filled in. An option that plays no part is None."""

    question_block: str | None = None
    extra_cards: Mapping[str, ExtraCards] | None = None
    caught_counts: bool | None = None


def open_match(edition: Edition, opening: Opening) -> MatchOpened | Refusal:
    """Return the first event of a match, or why the match can't be opened.

    `edition` is the one that the opening names, as it is played by the opening's house rules.
    """
    refused = (
        _refused_players(opening)
        or _refused_teams(opening)
        or _refused_scoring(edition, opening)
        or _refused_options(edition, opening)
        or _refused_house_rules(edition, opening)
        or _refused_dealers(opening)
    )
    if refused is not None:
        return refused
    return MatchOpened(
        edition=opening.edition,
        players=opening.players,
        teams=opening.teams,
        scoring=opening.scoring,
        options=opening.options,
        house_rules=opening.house_rules,
        dealer=opening.dealer,
        seating=opening.seating,
        at=in_utc(opening.at),
        revision=edition.revision,
        house_rules_revision=edition.house.revision,
    )


def mode_in_force(edition: Edition, opening: Opening) -> Mode:
    """Return the mode that the opening names, or else the edition's own."""
    told = opening.scoring.mode if opening.scoring else None
    return MODES[told or msgspec.convert(edition.default_mode.value, ModeName)]


def scoring_in_force(edition: Edition, opening: Opening) -> ScoringInForce:
    """Return the opening's scoring, completed with what the edition has for that mode."""
    mode = mode_in_force(edition, opening)
    told = opening.scoring or Scoring()
    default = edition.modes[mode.name]
    return ScoringInForce(
        mode=mode.name,
        target=default.target if told.target is UNSET else told.target,
        rounds=default.rounds if told.rounds is UNSET else told.rounds,
        team_scoring=mode.team_scoring if opening.teams else None,
    )


def options_in_force(edition: Edition, opening: Opening) -> OptionsInForce:
    """Return the options of an opening, with defaults filled in.

    In a mode that knocks players out, `caught_counts` is true unless the opening says otherwise. In
    any other mode it is None.
    """
    told = opening.options or Options()
    knocks_out = mode_in_force(edition, opening).knocks_out
    return OptionsInForce(
        question_block=told.question_block,
        extra_cards=told.extra_cards or None,
        caught_counts=told.caught_counts is not False if knocks_out else None,
    )


def box_in_force(edition: Edition, options: OptionsInForce) -> Box:
    """Return the table's box: the deck of the edition, and the extra cards."""
    extra = options.extra_cards or {}
    return edition.box(
        {card: ExtraCard(count=more.count, points=more.points) for card, more in extra.items()}
    )


def _refused_players(opening: Opening) -> Refusal | None:
    players = opening.players
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS or len(set(players)) < len(players):
        return Refusal(
            code="players-invalid",
            facts={"players": players, "fewest": FEWEST_PLAYERS, "most": MOST_PLAYERS},
        )
    return None


def _refused_teams(opening: Opening) -> Refusal | None:
    teams = opening.teams
    if teams is None:
        return None
    members = sorted(player for team in teams for player in team)
    if (
        len(teams) < 2
        or any(len(team) != 2 for team in teams)
        or members != sorted(opening.players)
    ):
        return Refusal(code="teams-invalid", facts={"teams": teams, "players": opening.players})
    if not partners_face_each_other(teams, opening.players):
        return Refusal(
            code="teams-not-opposite", facts={"teams": teams, "players": opening.players}
        )
    return None


def _refused_scoring(edition: Edition, opening: Opening) -> Refusal | None:
    mode = mode_in_force(edition, opening)
    scoring = scoring_in_force(edition, opening)
    told = opening.scoring.team_scoring if opening.scoring else None
    if opening.teams is not None and not mode.teams:
        return Refusal(code="teams-not-in-mode", facts={"mode": mode.name})
    if told is not None and told != mode.team_scoring:
        return Refusal(
            code="team-scoring-not-in-mode", facts={"mode": mode.name, "team_scoring": told}
        )
    has_target = mode.target_ends or mode.knocks_out
    if scoring.target is not None and (not has_target or scoring.target < 1):
        return Refusal(code="scoring-invalid", facts={"mode": mode.name, "target": scoring.target})
    if scoring.rounds is not None and scoring.rounds < 1:
        return Refusal(code="scoring-invalid", facts={"mode": mode.name, "rounds": scoring.rounds})
    if mode.needs_rounds and scoring.rounds is None:
        return Refusal(code="rounds-needed", facts={"mode": mode.name})
    return None


def _refused_options(edition: Edition, opening: Opening) -> Refusal | None:
    told = opening.options or Options()
    for option in ("question_block", "extra_cards"):
        if getattr(told, option) is not None and option not in edition.options:
            return Refusal(
                code="option-not-in-edition", facts={"option": option, "edition": edition.id}
            )
    mode = mode_in_force(edition, opening)
    if told.caught_counts is not None and not mode.knocks_out:
        return Refusal(
            code="option-not-in-mode", facts={"option": "caught_counts", "mode": mode.name}
        )
    extra = told.extra_cards or {}
    unnamed = edition.box_size.value - sum(edition.deck.value.values())
    named = sorted(extra.keys() & edition.deck.value.keys())
    if named or sum(more.count for more in extra.values()) > unnamed:
        return Refusal(
            code="option-invalid",
            clause=edition.option_clauses["extra_cards"],
            facts={"option": "extra_cards", "cards_in_deck": named, "most": unnamed},
        )
    return None


def _refused_house_rules(edition: Edition, opening: Opening) -> Refusal | None:
    """Return a refusal if house rules exclude each other, or the box has too few cards to deal."""
    if edition.house.at_odds is not None:
        return Refusal(code="house-rule-invalid", facts={"house_rules": edition.house.at_odds})
    dealt = edition.hand_size.value * len(opening.players)
    cards = box_in_force(edition, options_in_force(edition, opening)).size
    if dealt >= cards:
        facts = {
            "hand_size": edition.hand_size.value,
            "players_count": len(opening.players),
            "in_box": cards,
        }
        return Refusal(code="house-rule-invalid", facts=facts)
    return None


def _refused_dealers(opening: Opening) -> Refusal | None:
    if opening.dealer is not None and opening.dealer not in opening.players:
        return Refusal(code="dealer-not-in-match", facts={"dealer": opening.dealer})
    for number, planned in enumerate(opening.seating or (), start=1):
        same_players = sorted(planned.players) == sorted(opening.players)
        if not same_players or planned.dealer not in planned.players:
            return Refusal(code="seating-invalid", facts={"round": number})
        if not partners_face_each_other(opening.teams or (), planned.players):
            return Refusal(code="teams-not-opposite", facts={"round": number})
    return None


def partners_face_each_other(teams: Sequence[Sequence[str]], seating: Sequence[str]) -> bool:
    """Return whether the two of each team sit half a table apart."""
    half, odd = divmod(len(seating), 2)
    return not (teams and odd) and all(
        abs(seating.index(one) - seating.index(other)) == half for one, other in teams
    )
