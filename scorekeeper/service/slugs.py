"""Slugs that a client gives to what it opens."""

import re

from scorekeeper.service.refused import Refused

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")


def check_slug(slug: str | None) -> str | None:
    """The slug as it is. Raises Refused (`malformed`).

    The pattern of the wire lets a trailing line break through; this does not.
    """
    if slug is not None and _SLUG.fullmatch(slug) is None:
        raise Refused("malformed", "A slug has lower-case letters, digits and hyphens only.")
    return slug
