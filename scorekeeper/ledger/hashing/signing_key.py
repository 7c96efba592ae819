"""The key that signs checkpoints, in a file that only its owner can read."""

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


class SigningKeyUnusable(Exception):
    """There is no key that can be signed with; the message names the file, and says what to do."""


class SigningKey:
    """The installation's key; it signs for each ledger under that ledger's own name."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private

    @classmethod
    def load(cls, path: Path) -> Self:
        """The key in a file; it is made where there is none.

        Safe where several processes do so at once. Raises SigningKeyUnusable.
        """
        try:
            return cls.read(path)
        except FileNotFoundError:
            _make(path)
        try:
            return cls.read(path)
        except FileNotFoundError as error:
            raise SigningKeyUnusable(f"{path} is a link to a file that is not there") from error

    @classmethod
    def read(cls, path: Path) -> Self:
        """The key in a file. Raises FileNotFoundError and SigningKeyUnusable."""
        return cls(_read(path))

    @property
    def public(self) -> bytes:
        """The raw public key, which is the same for each log."""
        return self._private.public_key().public_bytes_raw()

    def verifier(self, log: str) -> VerifierKey:
        """The key that checks what is signed for a log."""
        return VerifierKey(log, self.public)

    def sign(self, text: str, log: str) -> str:
        """The text as a signed note."""
        return sign_note(text, log, self._private)


def _read(path: Path) -> Ed25519PrivateKey:
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
    """Write a new key, unless another process has just done so. Raises SigningKeyUnusable."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    try:
        make_folder(path.parent)
        write_durably(path, pem, replace=False)
    except OSError as error:
        why = error.strerror or str(error)
        raise SigningKeyUnusable(
            f"there is no signing key {path}, and none can be made there: {why}"
        ) from error
