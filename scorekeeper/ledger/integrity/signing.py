"""Signing: notes with Ed25519 signatures, and the keys that an installation signs with.

A signed note (C2SP signed-note) is a text followed by lines with signatures. The private key lies
in a file that only its owner can read. The public keys that were ever in force are kept in the
database.
"""

import base64
import binascii
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Self

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from sqlalchemy import Connection, bindparam, delete, func, insert, select

from scorekeeper.files import make_folder, write_durably
from scorekeeper.ledger.tables import signing_keys

_ED25519 = b"\x01"
_PUBLIC_BYTES = 32
_ID_BYTES = 4
_DASH = "\N{EM DASH} "
_MOST_SIGNATURES = 100
_PARTS = 3

_all_keys = select(signing_keys.c.public_key).order_by(signing_keys.c.ordinal.desc())
_last_ordinal = select(func.max(signing_keys.c.ordinal))
_delete_key = delete(signing_keys).where(signing_keys.c.public_key == bindparam("of_key"))
_insert_key = insert(signing_keys)
_FIRST_ORDINAL = 1


class NoteInvalid(ValueError):
    """A note or a verifier key that can't be read, or a note that no known key has signed."""


class VerifierKey(msgspec.Struct, frozen=True):
    """A public key and the name that it belongs to. It checks what was signed under this name."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that tell the keys of one name apart. They prove nothing."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """Return the key as it is published, joined by `+`.

        The parts are the name, the id in hexadecimal, and the type with the key in base64.
        """
        return f"{self.name}+{self.id.hex()}+{_text(_ED25519 + self.public)}"

    def verify(self, text: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except InvalidSignature:
            return False
        return True


def parse_verifier_key(text: str) -> VerifierKey:
    """Return the key that is written as VerifierKey's `__str__` writes it. Raises NoteInvalid."""
    parts = text.split("+", _PARTS - 1)
    if len(parts) != _PARTS or not _is_name(parts[0]):
        raise NoteInvalid("a verifier key is a name, an id and a key, joined by +")
    name, key_id, encoded = parts
    key = _bytes(encoded)
    if len(key) != 1 + _PUBLIC_BYTES or key[:1] != _ED25519:
        raise NoteInvalid("the verifier key is no Ed25519 key")
    verifier = VerifierKey(name, key[1:])
    if verifier.id.hex() != key_id:
        raise NoteInvalid("the verifier key's id does not belong to its name and key")
    return verifier


def sign_note(text: str, name: str, key: Ed25519PrivateKey) -> str:
    """Return the note of a text that `key` signs under `name`.

    Raises NoteInvalid if the text does not end in a newline, or if text or name have characters
    that a note can't have.
    """
    if not text.endswith("\n") or not _is_readable(text) or not _is_name(name):
        raise NoteInvalid("this text or this name can't be signed")
    verifier = VerifierKey(name, key.public_key().public_bytes_raw())
    return f"{text}\n{_DASH}{name} {_text(verifier.id + key.sign(text.encode()))}\n"


def note_text(note: str) -> str:
    """Return the text of a note without checking its signatures. Raises NoteInvalid."""
    return _split_note(note)[0]


def open_note(note: str | bytes, keys: Iterable[VerifierKey]) -> str:
    """Return the text of a note that one of `keys` has signed. Raises NoteInvalid.

    Signatures of other keys are ignored. A wrong signature of one of `keys` makes the note invalid.
    """
    if isinstance(note, bytes):
        try:
            note = note.decode()
        except UnicodeDecodeError as error:
            raise NoteInvalid("the note is not in UTF-8") from error
    text, signatures = _split_note(note)
    known = {(key.name, key.id): key for key in keys}
    signed = False
    for name, key_id, signature in signatures:
        key = known.get((name, key_id))
        if key is None:
            continue
        if not key.verify(text.encode(), signature):
            raise NoteInvalid(f"the signature of {name} does not fit the text")
        signed = True
    if not signed:
        raise NoteInvalid("no known key has signed the note")
    return text


def _split_note(note: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    """Return the text, and each signature as name, key id and signature."""
    text, gap, below = note.rpartition("\n\n")
    if not gap or not below.endswith("\n") or not _is_readable(note):
        raise NoteInvalid("this is no signed note")
    lines = below[:-1].split("\n")
    if len(lines) > _MOST_SIGNATURES:
        raise NoteInvalid("the note has too many signatures")
    return text + "\n", [_signature(line) for line in lines]


def _signature(line: str) -> tuple[str, bytes, bytes]:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space or not _is_name(name):
        raise NoteInvalid("a line below the note's text is no signature")
    signature = _bytes(encoded)
    if len(signature) <= _ID_BYTES:
        raise NoteInvalid("a signature of the note is too short")
    return name, signature[:_ID_BYTES], signature[_ID_BYTES:]


def _is_readable(text: str) -> bool:
    return not any(character < " " and character != "\n" for character in text)


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(each.isspace() for each in name)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    """Decode base64. Raises NoteInvalid, also if it is not spelled as `_text` spells it."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteInvalid("this is no base64") from error
    if _text(data) != text:
        raise NoteInvalid("this is no base64 as it is usually written")
    return data


class SigningKeyUnusable(Exception):
    """There is no key to sign with. The message names the file and says why, or what to do."""


class SigningKey:
    """The installation's key; it signs for each ledger under that ledger's own name."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the key in a file. If there is no file, make it.

        Several processes may do so at once. Raises SigningKeyUnusable.
        """
        try:
            return cls.read(path)
        except FileNotFoundError:
            _make_key(path)
        try:
            return cls.read(path)
        except FileNotFoundError as error:
            raise SigningKeyUnusable(f"{path} is a link to a file that is not there") from error

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the key in a file. Raises FileNotFoundError and SigningKeyUnusable."""
        return cls(_read_key(path))

    @property
    def public(self) -> bytes:
        """The raw public key, which is the same for each log."""
        return self._private.public_key().public_bytes_raw()

    def verifier(self, log: str) -> VerifierKey:
        """Return the key that checks what is signed for a log."""
        return VerifierKey(log, self.public)

    def sign(self, text: str, log: str) -> str:
        """Return the text as a signed note."""
        return sign_note(text, log, self._private)


def _read_key(path: Path) -> Ed25519PrivateKey:
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SigningKeyUnusable(
            f"the signing key {path} can't be read: {error.strerror}"
        ) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SigningKeyUnusable(f"{path} holds no key that can be read") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise SigningKeyUnusable(f"{path} holds a key that is not of Ed25519")
    return private


def _make_key(path: Path) -> None:
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


def known_keys(connection: Connection) -> list[bytes]:
    """Return the key in force, then the earlier ones, the latest first.

    The list is empty before the first start.
    """
    return [bytes(key) for key in connection.execute(_all_keys).scalars()]


def adopt_first_key(connection: Connection, public: bytes) -> None:
    """Put the first key in force, within the caller's transaction.

    Raises IntegrityError if there is a key already, even one that was put in force just now.
    """
    connection.execute(_insert_key, {"ordinal": _FIRST_ORDINAL, "public_key": public})


def adopt_key(connection: Connection, public: bytes) -> None:
    """Put a key in force, within the caller's transaction.

    Raises IntegrityError if another process puts a key in force at the same moment.
    """
    last: int | None = connection.execute(_last_ordinal).scalar()
    ordinal = _FIRST_ORDINAL if last is None else last + 1
    connection.execute(_delete_key, {"of_key": public})
    connection.execute(_insert_key, {"ordinal": ordinal, "public_key": public})
