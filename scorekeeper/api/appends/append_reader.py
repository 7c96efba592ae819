"""A fast reader for the body of an append; what it can't decide, the full validation does."""

import msgspec

from scorekeeper.api.layers.input_validation import check_json, decoded
from scorekeeper.service.reading.match_request import AppendRequest

_decoder = msgspec.json.Decoder(AppendRequest)
_encode = msgspec.json.Encoder().encode

_STRING = b'"'
_ESCAPE = b"\\"
# The only event whose encoding has more fields than were sent.
_AMENDMENT = b"log_amended"


def read_append(body: bytes) -> AppendRequest:
    """The request, checked as by `check_json`. Raises Refused.

    The types of events bound levels and numbers. What fits them, and escapes nothing, can only
    have a key that stands twice, and then the body holds more strings than what was read of it.
    """
    try:
        request = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    else:
        told = body.count(_STRING)
        if (
            _ESCAPE not in body
            and _AMENDMENT not in body
            and told == _encode(request).count(_STRING)
        ):
            return request
    check_json(body)
    return decoded(_decoder, body)
