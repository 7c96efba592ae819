"""The key that signs checkpoints, in a file that only its owner can read, and its earlier keys."""

import base64
import binascii
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from scorekeeper.ledger.files import make_folder, write_durably
from scorekeeper.ledger.hashing.note import VerifierKey, sign_note

_PUBLIC_BYTES = 32


class SigningKeyUnusable(Exception):
    """The file is there and holds no Ed25519 key that can be read."""


class SigningKey:
    """The installation's key; it signs for each ledger under that ledger's own name.

    `retired` are the public keys that signed before it, the latest first.
    """

    def __init__(self, private: Ed25519PrivateKey, retired: Sequence[bytes]) -> None:
        self._private = private
        self._retired = retired

    @classmethod
    def load(cls, path: Path) -> Self:
        """The key in a file; it is made where there is none, and remembered beside the file.

        Safe where several processes do so at once. Raises SigningKeyUnusable.
        """
        make_folder(path.parent)
        try:
            private = read_key(path)
        except FileNotFoundError:
            _make(path)
            private = read_key(path)
        public = private.public_key().public_bytes_raw()
        known = _read_history(path)
        if known[-1:] != [public]:
            known = [*(each for each in known if each != public), public]
            lines = "".join(f"{base64.b64encode(each).decode()}\n" for each in known)
            write_durably(history_file(path), lines.encode())
        return cls(private, known[-2::-1])

    def verifier(self, log: str) -> VerifierKey:
        """The key that checks what is signed for a log."""
        return VerifierKey(log, self._private.public_key().public_bytes_raw())

    def verifiers(self, log: str) -> list[VerifierKey]:
        """All that ever checked this log's checkpoints here: the one in force, then the older."""
        return [self.verifier(log), *(VerifierKey(log, public) for public in self._retired)]

    def sign(self, text: str, log: str) -> str:
        """The text as a signed note."""
        return sign_note(text, log, self._private)


def history_file(path: Path) -> Path:
    """Where the public keys of a signing key's file are remembered, the oldest first."""
    return path.with_name(path.name + ".history")


def read_key(path: Path) -> Ed25519PrivateKey:
    """Raises FileNotFoundError and SigningKeyUnusable."""
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, TypeError) as error:
        raise SigningKeyUnusable(f"{path} holds no key that can be read") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise SigningKeyUnusable(f"{path} holds a key that is not of Ed25519")
    return private


def _make(path: Path) -> None:
    """Write a new key, unless another process has just done so."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    write_durably(path, pem, replace=False)


def _read_history(path: Path) -> list[bytes]:
    try:
        lines = history_file(path).read_text("ascii").splitlines()
        known = [base64.b64decode(line, validate=True) for line in lines]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, binascii.Error) as error:
        raise SigningKeyUnusable(f"{history_file(path)} can't be read") from error
    if any(len(public) != _PUBLIC_BYTES for public in known):
        raise SigningKeyUnusable(f"{history_file(path)} holds a line that is no key")
    return known
