"""Signed notes (C2SP signed-note): a text followed by lines with Ed25519 signatures."""

import base64
import binascii
from collections.abc import Iterable
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_ED25519 = b"\x01"
_PUBLIC_BYTES = 32
_ID_BYTES = 4
_DASH = "\N{EM DASH} "
_MOST_SIGNATURES = 100
_PARTS = 3


class NoteInvalid(ValueError):
    """A note or a verifier key that can't be read, or a note that no known key has signed."""


class VerifierKey(msgspec.Struct, frozen=True):
    """A public key under a name; whoever has it can check what was signed."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that tell the keys of one name apart; no proof of anything."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """As it is handed on: name, id in hexadecimal, type and key in base64, joined by `+`."""
        return f"{self.name}+{self.id.hex()}+{_text(_ED25519 + self.public)}"

    def verify(self, text: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except InvalidSignature:
            return False
        return True


def parse_verifier_key(text: str) -> VerifierKey:
    """Raises NoteInvalid."""
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
    """The note of a text, which ends in a newline, signed by `key` under `name`."""
    if not text.endswith("\n") or not _is_readable(text) or not _is_name(name):
        raise NoteInvalid("this text or this name can't be signed")
    verifier = VerifierKey(name, key.public_key().public_bytes_raw())
    return f"{text}\n{_DASH}{name} {_text(verifier.id + key.sign(text.encode()))}\n"


def note_text(note: str) -> str:
    """The text of a note, whoever signed it. Raises NoteInvalid."""
    return _split(note)[0]


def open_note(note: str | bytes, keys: Iterable[VerifierKey]) -> str:
    """The text of a note that one of `keys` has signed. Raises NoteInvalid.

    Signatures of other keys are passed over; a wrong one of a known key spoils the note.
    """
    if isinstance(note, bytes):
        try:
            note = note.decode()
        except UnicodeDecodeError as error:
            raise NoteInvalid("the note is not in UTF-8") from error
    text, signatures = _split(note)
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


def _split(note: str) -> tuple[str, list[tuple[str, bytes, bytes]]]:
    """The text, and each signature as name, key id and signature."""
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
    """Base64 in its one spelling. Raises NoteInvalid."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteInvalid("this is no base64") from error
    if _text(data) != text:
        raise NoteInvalid("this is no base64 as it is usually written")
    return data
