"""The answer of an import, which is kept for a retry under the same Idempotency-Key.

An import is many appends, and each of them is known again by what it recorded. Its answer is kept
behind the last one, before anybody sees it. If the service ends in between, nobody had an answer,
and the same request finds what is there already.
"""

from typing import Final

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.kept_answers import find_answer
from scorekeeper.service.command import Command, IdempotencyKey, Outcome, replayed_answer

IMPORTS: Final = "imports"
"""What kept answers of imports are about. They show names, and the rows of matches."""


async def kept_import(ledger: Ledger, league: str, key: IdempotencyKey | None) -> Outcome | None:
    """Return the answer that is kept under the key, None if there is none.

    Raises Refused (`idempotency-key-reused`, `event-erased`).
    """
    if key is None:
        return None
    answer = await ledger.read(lambda connection: find_answer(connection, league, key.key))
    return None if answer is None else replayed_answer(answer, key)


async def keep_import(
    ledger: Ledger, league: str, actor: str, key: IdempotencyKey | None, outcome: Outcome
) -> Outcome:
    """Keep an answer under the key, if there is one, and return it.

    If another process was first, return the answer that is kept. Raises as `kept_import` does.
    """
    if key is None:
        return outcome
    command: Command[Outcome] = Command(
        league=league, actor=actor, about=IMPORTS, keys=(key,), decide=lambda _: outcome
    )
    return await command.carry_out(ledger)
