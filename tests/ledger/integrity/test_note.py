"""Signed notes, compared with keys and notes published by the specification and Go's module.

Examples: C2SP signed-note and tlog-checkpoint (CC BY 4.0), golang.org/x/mod/sumdb/note (BSD).
"""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.integrity.checkpoints import Checkpoint, parse_checkpoint
from scorekeeper.ledger.integrity.signing import (
    NoteInvalid,
    VerifierKey,
    note_text,
    open_note,
    parse_verifier_key,
    sign_note,
)
from scorekeeper.ledger.merkle_tree import EMPTY_ROOT

PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
PETERS_PRIVATE_KEY = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
PETERS = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
ENOCHS = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33W"
    "Wd1RvMc+QQ=\n"
)
POEM = (
    "Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n\n"
    "— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU"
    "0xMcXxj99ihAQwaqP3ZekRwNtIc=\n"
)
BEHIND_THE_SOFA = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q"
    "1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)


def peters_private_key():
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(PETERS_PRIVATE_KEY)[1:])


@pytest.mark.parametrize("published", [PETER, ENOCH])
def test_published_verifier_keys_are_read_and_written_as_they_are(published):
    assert str(parse_verifier_key(published)) == published


def test_no_part_of_a_key_is_a_key_and_no_other_character_will_do():
    for start in range(len(PETER)):
        for end in range(start, len(PETER) + 1):
            if (start, end) != (0, len(PETER)):
                with pytest.raises(NoteInvalid):
                    parse_verifier_key(PETER[start:end])
    for at in range(len(PETER)):
        with pytest.raises(NoteInvalid):
            parse_verifier_key(PETER[:at] + chr(ord(PETER[at]) + 1) + PETER[at + 1 :])


@pytest.mark.parametrize(
    "published",
    [
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_keys_of_another_length_or_algorithm_are_refused(published):
    with pytest.raises(NoteInvalid):
        parse_verifier_key(published)


def test_a_note_is_signed_as_published():
    assert sign_note(TEXT, "PeterNeumann", peters_private_key()) == f"{TEXT}\n{PETERS}"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (TEXT[:-1], "PeterNeumann"),
        ("", "PeterNeumann"),
        (f"\x01{TEXT}", "PeterNeumann"),
        (TEXT, ""),
        (TEXT, "Peter Neumann"),
        (TEXT, "Peter+Neumann"),
    ],
)
def test_what_no_reader_would_open_is_not_signed(text, name):
    with pytest.raises(NoteInvalid, match="can't be signed"):
        sign_note(text, name, peters_private_key())


@pytest.mark.parametrize("keys", [[PETER], [ENOCH], [PETER, ENOCH]])
def test_a_note_of_two_signatures_opens_for_whoever_knows_one(keys):
    note = f"{TEXT}\n{PETERS}{ENOCHS}"
    assert open_note(note.encode(), map(parse_verifier_key, keys)) == TEXT


def test_a_note_that_nobody_known_has_signed_stays_shut():
    with pytest.raises(NoteInvalid, match="no known key"):
        open_note(f"{TEXT}\n{PETERS}", [parse_verifier_key(ENOCH)])
    with pytest.raises(NoteInvalid, match="no known key"):
        open_note(f"{TEXT}\n{PETERS}{ENOCHS}", [])


def test_a_wrong_signature_of_a_known_key_spoils_the_note():
    spoiled = PETERS[:60] + "ABCD" + PETERS[60:]
    with pytest.raises(NoteInvalid, match="does not fit"):
        open_note(f"{TEXT}\n{ENOCHS}{spoiled}", map(parse_verifier_key, [PETER, ENOCH]))


def test_a_signature_under_another_name_or_id_is_of_an_unknown_key():
    for changed in (PETERS.replace("PeterNeumann", "Carmen"), PETERS.replace("x08g", "xxxx")):
        with pytest.raises(NoteInvalid, match="no known key"):
            open_note(f"{TEXT}\n{changed}", [parse_verifier_key(PETER)])


@pytest.mark.parametrize(
    "note",
    [
        TEXT,
        f"{TEXT}\n",
        f"{TEXT}\n{PETERS[:-1]}",
        f"{TEXT}\n{PETERS[:-1]}=",
        f"\x01{TEXT}\n{PETERS}",
        f"{TEXT}\n{PETERS.replace('PeterNeumann', 'Bad Name')}",
        f"{TEXT}\n{PETERS}Unexpected line.\n",
        f"{TEXT}\n{PETERS * 101}",
        "",
    ],
)
def test_what_is_no_note(note):
    with pytest.raises(NoteInvalid):
        open_note(note, [parse_verifier_key(PETER)])
    with pytest.raises(NoteInvalid):
        note_text(note)


def test_a_note_is_utf_8():
    with pytest.raises(NoteInvalid, match="UTF-8"):
        open_note(b"\xff" + f"{TEXT}\n{PETERS}".encode(), [parse_verifier_key(PETER)])


def test_a_text_may_have_empty_lines_and_letters_of_any_language():
    assert note_text(POEM).splitlines()[2:] == ["", "ed è subito sera."]


def test_the_published_checkpoint():
    found = parse_checkpoint(note_text(BEHIND_THE_SOFA))
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20852163)
    assert found.text() == note_text(BEHIND_THE_SOFA)


def test_the_checkpoint_of_an_empty_log():
    text = "a/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    assert Checkpoint("a/log", 0, EMPTY_ROOT).text() == text
    assert parse_checkpoint(text) == Checkpoint("a/log", 0, EMPTY_ROOT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a/log\n1\n",
        "a/log\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "a/log\n-1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "a/log\n١\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "a/log\n1\n47DEQpj8HBSa\n",
        "a/log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=\n",
        "\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "a/log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\nmore\n",
        "a/log\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ],
)
def test_what_is_no_checkpoint(text):
    with pytest.raises(NoteInvalid):
        parse_checkpoint(text)


lines = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)


@given(st.lists(lines, min_size=1, max_size=5), st.data())
def test_whatever_is_signed_opens_and_a_changed_byte_does_not(text, data):
    whole = "\n".join(text) + "\n"
    key = Ed25519PrivateKey.generate()
    verifier = VerifierKey("a/log", key.public_key().public_bytes_raw())
    note = sign_note(whole, "a/log", key)
    assert open_note(note, [verifier]) == whole
    spoiled = bytearray(note.encode())
    spoiled[data.draw(st.integers(0, len(spoiled) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(NoteInvalid):
        open_note(bytes(spoiled), [verifier])
