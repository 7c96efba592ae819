"""Reading Server-Sent Events."""

import msgspec


class Frame(msgspec.Struct, frozen=True):
    """One event of a stream as its reader parses it."""

    event: str
    data: dict
    id: int | None = None

    @property
    def position(self):
        return self.data["entry"]["position"] if self.event == "entry" else self.data["position"]


def parse(chunk):
    """The frames of a chunk, read as the standard says (HTML, section 9.2)."""
    frames = []
    blocks = chunk.decode().split("\n\n")
    assert blocks.pop() == "", "a chunk ends with a whole frame"
    for block in blocks:
        fields = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            assert name not in fields
            fields[name] = value.removeprefix(" ")
        # A comment is no event, and neither is a block without data.
        if "data" in fields:
            data = msgspec.json.decode(fields["data"])
            number = int(fields["id"]) if "id" in fields else None
            frames.append(Frame(fields["event"], data, number))
    return frames


BEAT = Frame("beat", {})
"""The sign of life. It has no id, so that a follower resumes after the last entry."""
