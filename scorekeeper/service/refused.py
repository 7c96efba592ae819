"""Why a request was not carried out."""

from collections.abc import Mapping


class Refused(Exception):
    """A request that the service understood and won't carry out; nothing was written.

    `code` is the stable code of a problem; `reason` a finer word. `members` are the further fields
    of the problem that a client may read (RFC 9457, section 3.2).
    """

    def __init__(
        self, code: str, detail: str, *, reason: str | None = None, **members: object
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.reason = reason
        self.members: Mapping[str, object] = members


def not_found(what: str) -> Refused:
    """The answer for what does not exist and for what the caller may not know exists."""
    return Refused("not-found", f"There is no {what} here that you may see.")
