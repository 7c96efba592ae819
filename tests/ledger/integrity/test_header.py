import json

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.entry import Header, decode_header, encode_header

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
numbers = st.integers(1, 2**53 - 1)
headers = st.builds(
    Header,
    actor=text,
    digest=text,
    id=text,
    inferred=st.booleans(),
    log=text,
    position=numbers,
    prev=st.none() | text,
    schema=numbers,
    stream=text,
    time=text,
    told_by=st.none() | text,
    type=text,
    version=numbers,
)


@given(headers)
def test_a_header_is_canonical_json(header):
    encoded = encode_header(header)
    assert encoded == rfc8785.dumps(json.loads(encoded))
    assert decode_header(encoded) == header


KEYS = {
    "log",
    "stream",
    "version",
    "position",
    "id",
    "type",
    "schema",
    "inferred",
    "told_by",
    "time",
    "actor",
    "digest",
    "prev",
}


@given(headers)
def test_a_header_always_has_these_keys_and_no_other(header):
    assert set(json.loads(encode_header(header))) == KEYS
