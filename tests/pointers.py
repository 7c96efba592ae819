"""The leaves of JSON documents, each under its JSON Pointer (RFC 6901)."""

from typing import Any


def leaves(document: Any, at: str = "") -> dict[str, Any]:
    """Every leaf but null, in the order of the document."""
    if isinstance(document, dict):
        members = {str(name): member for name, member in document.items()}
    elif isinstance(document, list | tuple):
        members = {str(index): member for index, member in enumerate(document)}
    else:
        return {} if document is None else {at: document}
    return {
        place: leaf
        for name, member in members.items()
        for place, leaf in leaves(member, f"{at}/{_escaped(name)}").items()
    }


def applied(before: dict[str, Any], changes: Any) -> dict[str, Any]:
    """The leaves after these changes."""
    found = before | {change.at: change.after for change in changes}
    return {place: leaf for place, leaf in found.items() if leaf is not None}


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
