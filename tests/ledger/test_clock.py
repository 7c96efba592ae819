from datetime import datetime
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.clock import as_text, time_ordered_id

moments = st.integers(0, 4_102_444_800_000_000)


@given(moments, moments)
def test_texts_are_rfc_3339_and_sort_as_their_times(one, other):
    assert int(datetime.fromisoformat(as_text(one)).timestamp() * 1_000_000 + 0.5) == one
    assert as_text(one).endswith("Z")
    assert (as_text(one) < as_text(other)) == (one < other)


@given(moments)
def test_made_ids_are_uuids_of_version_7_and_carry_the_time(moment):
    made = UUID(time_ordered_id(moment))
    assert (made.version, made.variant) == (7, "specified in RFC 4122")
    assert made.int >> 80 == moment // 1_000
    assert time_ordered_id(moment) < time_ordered_id(moment + 1_000)
