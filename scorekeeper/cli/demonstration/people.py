"""Who plays in the demonstration."""

from typing import Final

NAMES: Final = {
    "ann": "Ann",
    "bo": "Bo",
    "cyrus": "Cyrus",
    "diana": "Diana",
    "oma-ida": "Oma Ida",
    "mei": "美美",
    "ming": "阿明",
    "zoe": "Zoë",
}
"""By slug."""

SLUGS: Final = tuple(NAMES)
EVENING: Final = ("ann", "bo", "oma-ida", "mei")
"""Those who sit at the table of single matches."""
