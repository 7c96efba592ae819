"""What `serve` prints when it is ready: what it serves, its address, and what to do next."""

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import click
import psutil
import segno
from msgspec import Struct
from sqlalchemy import make_url

from scorekeeper.files import real_path
from scorekeeper.settings import Settings

# Networks between containers and virtual machines. No phone is in them.
_WITHIN = ("br-", "cni", "docker", "podman", "veth", "virbr", "vmnet", "vboxnet")

_WITH_THE_GIVEN = '"Authorization: Bearer $SCOREKEEPER_ADMIN_TOKEN"'


class FirstStart(Struct, frozen=True):
    """What this start made: the admin token, and while there is no league the setup code."""

    token: str | None = None
    code: str | None = None


def greeting(settings: Settings, listening: str, first: FirstStart) -> Iterator[str]:
    """Yield the lines to print. `listening`: the IP address that the server listens to."""
    made = first.token
    port = settings.port
    url = local_url(listening, port)
    yield f"Scorekeeper serves {url}  (API documentation: {url}/docs)"
    yield "  It is the book of an UNO league: who played what, what it is worth, and why."
    yield f"  What is recorded lies in {_place(settings)}"
    yield "  Ctrl-C ends it. Nothing that was acknowledged is lost."
    yield from _for_phones(settings, listening)
    yield from _token(settings, made)
    # A shell replaces variables between double quotation marks only.
    shown = f"'Authorization: Bearer {made}'" if made else _WITH_THE_GIVEN
    asking = f"-H {shown} -H 'Content-Type: application/json' -d"
    found = _found(listening, port)
    if first.code is None:
        # The link begins with the address that was asked, if no public one is set.
        yield "If no device may invite others any more, this answers with a link for a new one:"
        yield f"""  curl {found}/v1/leagues/LEAGUE/invitations {asking} '{{"role": "owner"}}'"""
        yield f"Open it in a browser:  {settings.public_url or found}/"
    else:
        yield from _setup(settings, listening, first.code)
        yield "Next, open a league:"
        yield f"""  curl {url}/v1/leagues {asking} '{{"league": "home", "name": "Our league"}}'"""
        yield f"Without curl, do it in a browser:  {url}/docs"


def local_url(listening: str, port: int) -> str:
    """Return the URL by which a browser on this machine reaches a server at this IP address."""
    address = ip_address(listening)
    if address.is_unspecified:
        address = ip_address("127.0.0.1" if address.version == 4 else "::1")
    return _url(str(address), port)


def network_addresses(listening: str) -> list[tuple[str, str]]:
    """Return the IP addresses by which other machines may reach this one, each with its interface.

    IPv4 comes first. Only the operating system is asked, not the network.
    """
    bound = ip_address(listening)
    found: list[tuple[int, str, str]] = []
    for interface, address in _addresses():
        each = ip_address(address)
        if each.is_loopback or each.is_link_local or interface.startswith(_WITHIN):
            continue
        heard = each == bound or (bound.is_unspecified and each.version <= bound.version)
        if heard:
            found.append((each.version, address, interface))
    return [(address, interface) for _, address, interface in sorted(found)]


def _addresses() -> Iterator[tuple[str, str]]:
    """Yield each network interface that is up with each of its IP addresses."""
    try:
        up = {name for name, state in psutil.net_if_stats().items() if state.isup}
        known = psutil.net_if_addrs()
    except OSError:  # a service may be forbidden to ask
        return
    for name, addresses in known.items():
        for each in addresses:
            if name in up and each.family in {socket.AF_INET, socket.AF_INET6}:
                yield name, each.address.partition("%")[0]


def _for_phones(settings: Settings, listening: str) -> Iterator[str]:
    if settings.public_url is not None:
        yield f"Phones find it at {settings.public_url}"
        return
    if ip_address(listening).is_loopback:
        yield "Phones can't reach it yet. To let those in the house in, start it like this:"
        yield "  SCOREKEEPER_HOST=0.0.0.0 make run        or  scorekeeper serve --host 0.0.0.0"
        return
    found = network_addresses(listening)
    if not found:
        yield "No address of this machine was found that phones could reach."
        return
    yield "Phones in the house find it here:"
    for address, interface in found:
        yield f"  {_url(address, settings.port)}  ({interface})"


def _setup(settings: Settings, listening: str, code: str) -> Iterator[str]:
    """Yield the code and the link for the first browser, and a QR code if phones can reach it."""
    link = f"{settings.public_url or _found(listening, settings.port)}/join#{code}"
    yield f"Set up the first league in a browser, with the code {code}:"
    yield f"  {link}"
    if settings.public_url is not None or network_addresses(listening):
        yield from _squares(link)


def _found(listening: str, port: int) -> str:
    """Return the URL for phones in the house. If none can reach it, return the local URL."""
    houses = network_addresses(listening)
    return _url(houses[0][0], port) if houses else local_url(listening, port)


def _squares(link: str) -> Iterator[str]:
    """Yield a QR code of half blocks, with two rows of the code in each line.

    It is black on white, whatever the colours of the terminal are. Without these colours it can be
    scanned on a dark background only.
    """
    rows = [list(row) for row in segno.make(link, error="l").matrix_iter(border=2)]
    rows.append([0] * len(rows[0]))
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    for upper, lower in zip(rows[::2], rows[1::2], strict=False):
        line = "".join(blocks[pair] for pair in zip(upper, lower, strict=True))
        yield "  " + click.style(line, fg="bright_white", bg="black")


def _token(settings: Settings, made: str | None) -> Iterator[str]:
    if made is not None:
        yield f"Admin token, shown once:  {made}"
    elif settings.admin_token is not None:
        yield "Admin token: the one given in the settings."
    else:
        yield "Admin token: as printed on the first start;"
        yield "  `scorekeeper token admin --renew` makes a new one."


def _place(settings: Settings) -> Path | str:
    """Return the file of the database, or its address without a password."""
    if settings.database_file is not None:
        return real_path(settings.database_file)
    return make_url(settings.url).render_as_string(hide_password=True)


def _url(address: str, port: int) -> str:
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
