"""`scorekeeper replay`: a round step by step in a terminal, by single key presses."""

import asyncio
import os
import re
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console, RenderableType
from rich.text import Text

from scorekeeper.cli.terminal.failures import Failure, printable, reported_in_one_line
from scorekeeper.cli.terminal.options import database_options, json_option, key_option
from scorekeeper.cli.terminal.output import counting, output, print_document
from scorekeeper.cli.terminal.replay_pages import pages
from scorekeeper.match.events.fields import MOST_VERSIONS
from scorekeeper.service.export.reader import BundleUnreadable
from scorekeeper.service.export.replaying import BundleUnsound, MatchInBundle, OtherLeague
from scorekeeper.service.identity.access import Audience
from scorekeeper.service.reading.matches import View
from scorekeeper.service.reading.replay_views import ReplayView
from scorekeeper.service.reading.replays import RoundReplay, replayed
from scorekeeper.service.services import open_reading
from scorekeeper.settings import Settings
from scorekeeper.texts.explanations import label
from scorekeeper.texts.language import LANGUAGES, Language

_ONE_KEY = re.compile(r"\x1b[\[O][A-Z]|.", re.DOTALL)


if sys.platform == "win32":

    @contextmanager
    def keys() -> Generator[Callable[[], str]]:
        """Give a function that waits for the next key and returns it."""
        yield click.getchar

else:
    import termios
    import tty

    @contextmanager
    def keys() -> Generator[Callable[[], str]]:
        """Give a function that returns the next key, also one pressed between two calls.

        An arrow key is returned as its escape sequence, the end of the input as Ctrl-D (U+0004).
        """
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        waiting: deque[str] = deque()

        def key() -> str:
            while not waiting:
                read = os.read(terminal, 64)
                if not read:
                    return "\x04"
                waiting.extend(_ONE_KEY.findall(read.decode(errors="replace")))
            return waiting.popleft()

        tty.setcbreak(terminal, termios.TCSADRAIN)
        try:
            yield key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


_NEXT: Final = frozenset({"n", " ", "\r", "\n", "j", "l", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB"})
_BACK: Final = frozenset({"p", "b", "k", "h", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA"})
_LEAVE: Final = frozenset({"q", "Q", "\x1b", "\x03", "\x04"})


@click.command()
@click.argument("league")
@click.argument("match")
@click.argument("round_", metavar="ROUND", type=int)
@click.option(
    "--view",
    type=click.Choice(["corrected", "recorded"]),
    default="corrected",
    show_default=True,
    help="With the amendments that are in force, or as the book stood at each entry.",
)
@click.option(
    "--at",
    type=click.IntRange(1, MOST_VERSIONS),
    help="A past version; by default the latest.",
)
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option(
    "--from",
    "bundle",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="An export of the league to read instead of a database.",
)
@key_option("the export")
@click.option("--plain", is_flag=True, help="All at once and without colours, on a terminal too.")
@json_option
@database_options
def replay(
    league: str,
    match: str,
    round_: int,
    view: View,
    at: int | None,
    lang: Language,
    bundle: Path | None,
    key: str | None,
    plain: bool,
    as_json: bool,
    database_url: str | None,
    data_dir: Path | None,
) -> None:
    """Show a ROUND of a MATCH step by step: what happened, by which clauses, and what followed.

    On a terminal the keys step through it; elsewhere all of it is printed. It may run beside the
    server. Where the variable NO_COLOR is set, nothing is coloured. With --json it is what
    GET …/rounds/ROUND/replay answers.

    With --from neither server nor database is asked. Every byte of the export is checked before
    anything is shown, and the match is replayed by the rules; of the other matches only the hashes
    are checked, which `verify` does in full.
    """
    if key is not None and bundle is None:
        raise click.UsageError("--key is that of an export: it needs --from.")
    with reported_in_one_line(about=f"{league} {match} {round_}"):
        if bundle is not None:
            found = _in_bundle(bundle, league, match, key)
            shown = found.round(round_, view=view, at=at, language=lang)
        else:
            settings = Settings.load(database_url=database_url, data_dir=data_dir)
            shown = asyncio.run(_read(settings.url, league, match, round_, view, at, lang))
    if as_json:
        print_document(shown)
        return
    console = output(plain=plain)
    title = Text(label("title", lang, league=league, match=match, round=round_), "bold")
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        console.print(title)
        for page in pages(shown, lang):
            console.print(page)
    else:
        _step_through(console, title, pages(shown, lang), lang)


def _in_bundle(bundle: Path, league: str, match: str, key: str | None) -> MatchInBundle:
    """Check an export and return the match in it. Print its key to standard error."""
    try:
        with bundle.open("rb") as file, counting("Checking") as progress:
            found = MatchInBundle.read(file, league, match, progress.advance, key=key)
    except (BundleUnreadable, BundleUnsound, OtherLeague) as error:
        raise Failure(f"{bundle}: {error}") from error
    click.echo(printable(f"Sealed with the key {found.key}"), err=True)
    return found


async def _read(
    url: str, league: str, match: str, round_: int, view: View, at: int | None, lang: Language
) -> ReplayView:
    asked = RoundReplay(
        league=league,
        match=match,
        round=round_,
        audience=Audience.KEEPERS,
        view=view,
        at=at,
        language=lang,
        naming=None,
    )
    async with open_reading(url) as reading:
        _, shown = await replayed(reading, asked)
    return shown


def _step_through(
    console: Console, title: Text, shown: Sequence[RenderableType], lang: Language
) -> None:
    with keys() as key:
        for place in places(len(shown), key):
            console.clear()
            console.print(title)
            console.print(shown[place])
            console.print(Text(label("keys", lang), "dim"))


def places(count: int, key: Callable[[], str]) -> Iterator[int]:
    """Yield the numbers of the pages to show, from 0, as the keys ask for them."""
    place = 0
    while 0 <= place < count:
        yield place
        pressed = key()
        if pressed in _LEAVE:
            return
        if pressed in _NEXT:
            place = min(place + 1, count - 1)
        elif pressed in _BACK:
            place = max(place - 1, 0)
