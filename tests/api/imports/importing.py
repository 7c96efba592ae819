"""`scorekeeper import-results` against the service of the tests, without a network."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Self

import msgspec
import pytest
from click.testing import CliRunner, Result

from scorekeeper.cli import import_results as command
from scorekeeper.cli.terminal.failures import Failure
from tests.api.serving import League

HEADING = "date,edition,players,points,match,winners,substitutes,target\n"
NOW = datetime(2026, 11, 22, 20, tzinfo=UTC)


class InProcess:
    """A `Remote` that asks the application in this process; `asked` lists its requests.

    `breaks_after`: how many requests that write succeed before the connection breaks.
    `meanwhile`: called just before the first request that writes, as another client would
    interfere.
    `answers_lost`: requests that write succeed, but their answers are lost.
    """

    def __init__(
        self,
        league: League,
        breaks_after: int | None = None,
        meanwhile: Callable[[], object] | None = None,
        answers_lost: bool = False,
    ) -> None:
        self._league = league
        self._one = Lock()
        self._left = breaks_after
        self._meanwhile = meanwhile
        self._answers_lost = answers_lost
        self.asked: list[tuple[str, str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing, since there is no connection to close."""

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        taken: Any = (),
        headers: dict[str, str] | None = None,
    ) -> tuple[int, bytes]:
        with self._one:
            if method == "POST" and self._meanwhile is not None:
                self._meanwhile()
                self._meanwhile = None
            if method == "POST" and self._left is not None:
                if not self._left:
                    raise Failure("The service does not answer.")
                self._left -= 1
            self.asked.append((method, path))
            sent = {} if body is None else {"content": msgspec.json.encode(body)}
            answer = self._league.served.ask(
                method,
                path,
                token=self._league.scorekeeper.token,
                headers={"content-type": "application/json", **(headers or {})},
                **sent,
            )
        if method == "POST" and self._answers_lost:
            raise Failure("The service does not answer.")
        assert answer.status_code < 300 or answer.status_code in taken, answer.text
        return answer.status_code, answer.content


class Importer:
    """Runs the command on files of rounds, into one league."""

    def __init__(self, league: League, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.league = league
        self._folder = folder
        self._patch = patch
        self.service = InProcess(league)

    def __call__(
        self,
        rows: str | Sequence[str],
        *flags: str,
        answers: str | None = None,
        **more: Any,
    ) -> Result:
        """`answers`: what is typed at prompts, None without a terminal; `more`: see `InProcess`."""
        text = rows if isinstance(rows, str) else HEADING + "".join(f"{row}\n" for row in rows)
        file = self._folder / "rounds.csv"
        file.write_text(text, encoding="utf-8")
        self.service = InProcess(self.league, **more)
        self._patch.setattr(command, "Remote", lambda *_: self.service)
        around = command.CommandContext(now=lambda: NOW, asks=lambda: answers is not None)
        arguments = [str(file), "--url", "x", "--token", "x", "--league", self.league.slug]
        return CliRunner().invoke(
            command.import_results, [*arguments, *flags], obj=around, input=answers
        )

    def done(self, *rows: Any, **more: Any) -> list[str]:
        """Import successfully, and return the lines that were printed."""
        result = self(*rows, **more)
        assert result.exit_code == 0, result.output
        return _without_log(result.output)

    def refused(self, *rows: Any, **more: Any) -> list[str]:
        """Import without success or anything written, and return the lines that were printed."""
        result = self(*rows, **more)
        assert result.exit_code == 1, result.output
        assert self.appended == []
        return _without_log(result.output)

    def told(self, *arguments: Any, **more: Any) -> Any:
        """Return the document that `--json` prints."""
        (document,) = _without_log(self(*arguments, "--json", **more).stdout)
        return json.loads(document)

    @property
    def appended(self) -> list[str]:
        """The addresses to which the latest import wrote."""
        return [path for method, path in self.service.asked if method == "POST"]


def _without_log(output: str) -> list[str]:
    """Return the lines without those of the service's own log."""
    return [line for line in output.splitlines() if not line.startswith('{"method"')]


def seen(league: League, *, ratings: bool = False) -> dict[str, Any]:
    """Return what readers see of matches, rounds and the table, without the counts of entries.

    `ratings`: also the ratings, which depend on the order in which matches were imported.
    """
    found: dict[str, Any] = {"table": league.viewer.get("/standings").json()["items"]}
    listed = league.viewer.get("/matches").json()["items"]
    counting = {"version", "position", "amendments", "first_version", "last_version"}
    for slug in sorted(each["match"] for each in listed):
        board = league.viewer.get(f"/matches/{slug}").json()
        rounds = league.viewer.get(f"/matches/{slug}/rounds").json()["items"]
        found[slug] = [
            {name: value for name, value in each.items() if name not in counting}
            for each in (board, *rounds)
        ]
    for line in found["table"]:
        player = line["player"]
        page = league.viewer.get(f"/players/{player}").json()
        del page["rating"]["as_of"]
        found[player] = page if ratings else page["statistics"]
        found[f"{player}'s"] = league.viewer.get(f"/players/{player}/statistics").json()
    return found
