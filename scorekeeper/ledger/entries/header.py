"""An entry's header: canonical JSON (RFC 8785), kept and hashed byte for byte as it was written."""

import msgspec


class Header(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What is hashed of an entry. The fields stand in the order that canonical JSON gives them.

    `log` names the ledger for ever, `actor` is a token's id, `digest` is that of the salted body,
    `prev` the leaf hash of the stream's header before this one (None at version 1); both in
    lower-case hex. `told_by` is the id of the told event that an inferred one belongs to. `time` is
    RFC 3339 in UTC with microseconds.
    """

    actor: str
    digest: str
    id: str
    inferred: bool
    log: str
    position: int
    prev: str | None
    schema: int
    stream: str
    time: str
    told_by: str | None
    type: str
    version: int


# The fields are in order as they stand.
encode_header = msgspec.json.Encoder().encode
decode_header = msgspec.json.Decoder(Header).decode
