from scorekeeper.simulation.tellings import Telling
from tests.bench.card_plays import CARD_FIGURES, compared


def test_every_figure_of_card_plays_is_measured() -> None:
    found = compared(events=200, laps=1, telling=Telling.SEEN)
    assert [figure for figure, _ in found] == list(CARD_FIGURES)
    assert all(comparison.ratio > 0 for _, comparison in found)
