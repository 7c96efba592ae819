"""Whether a database is older than what was signed of it, which costs next to nothing to ask."""

from scorekeeper.ledger.hashing.note import NoteInvalid
from scorekeeper.ledger.integrity.checkpoint_store import CheckpointStore
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.evidence import EvidenceFiles
from scorekeeper.store.migrate import check_file, check_tables


async def logs_behind(url: str, files: EvidenceFiles) -> int:
    """How many logs are shorter than their checkpoint that was signed last, or gone.

    What is long enough and says something else is for `checkup` to find, which reads more. Raises
    DatabaseNotReady.
    """
    check_file(url)
    ledger = await Ledger.open_to_read(url)
    try:
        await ledger.read(check_tables)
        sizes = {head.log: head.size for head in (await ledger.heads()).values()}
    finally:
        await ledger.close()
    kept = CheckpointStore(files.checkpoints)
    return sum(sizes.get(log, 0) < _signed(kept, log) for log in kept.logs())


def _signed(kept: CheckpointStore, log: str) -> int:
    """How many entries were signed; 0 where that can't be read."""
    try:
        found = kept.read(log)
    except NoteInvalid:
        return 0
    return 0 if found is None else found[0].size
