"""The bytes of what followers are sent."""

import msgspec
import pytest

from scorekeeper.service.live.frames import BEAT, GREETING, entry_frame, part_of, resync_frame
from scorekeeper.service.views import EntryView
from tests import sse

ENTRY = EntryView(
    version=3,
    position=812,
    id="0190",
    type="note_added",
    data={"text": "tea\n\nid: 9"},
    inferred=False,
    recorded_at="2026-11-20T19:00:00Z",
    recorded_by="t-1",
    at=None,
    hash="ab",
)


@pytest.mark.parametrize(
    ("stream", "names"),
    [
        ("match:friday-1", {"match": "friday-1"}),
        ("tournament:cup", {"match": None, "tournament": "cup"}),
        ("league", {"match": None}),
    ],
)
def test_an_entry_names_what_it_is_of(stream, names):
    (frame,) = sse.parse(entry_frame(stream, ENTRY))
    assert (frame.event, frame.id) == ("entry", 812)
    assert frame.data == {**names, "entry": msgspec.to_builtins(ENTRY)}


def test_a_resync_takes_its_reader_to_its_position():
    assert resync_frame(7) == b'id: 7\nevent: resync\ndata: {"position":7}\n\n'


def test_a_beat_is_an_event_that_takes_its_reader_nowhere():
    (beat,) = sse.parse(GREETING + BEAT)
    assert (beat.event, beat.id) == ("beat", None)


@pytest.mark.parametrize(
    ("cursor", "new"), [(0, b"abS"), (4, b"abS"), (5, b"bS"), (6, b"bS"), (7, b""), (9, b"")]
)
def test_of_a_part_only_what_is_new_is_sent(cursor, new):
    assert part_of([(5, b"a"), (7, b"b")], [b"S"], reached=7).after(cursor) == new


@pytest.mark.parametrize(("cursor", "new"), [(6, b"bS"), (7, b"S"), (8, b"S"), (9, b""), (10, b"")])
def test_states_are_news_up_to_where_the_log_was_read_for_them(cursor, new):
    """What was read behind the last entry may be an erasure, which changes a state."""
    assert part_of([(5, b"a"), (7, b"b")], [b"S"], reached=9).after(cursor) == new


@pytest.mark.parametrize(("cursor", "new"), [(8, b"S"), (9, b"S"), (10, b"")])
def test_states_by_themselves_are_news_to_all_who_are_not_ahead(cursor, new):
    assert part_of([], [b"S"], reached=9).after(cursor) == new
