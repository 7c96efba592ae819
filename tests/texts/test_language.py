import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.texts.language import LANGUAGES, negotiate


@pytest.mark.parametrize(
    ("lang", "header", "language"),
    [
        (None, None, "en"),
        ("zh-TW", None, "zh-TW"),
        ("zh", "en", "zh-TW"),
        ("zh_Hant_HK", None, "zh-TW"),
        ("EN-gb", "zh-TW", "en"),
        ("", "zh-TW", "zh-TW"),
        ("fr", "zh-TW", "zh-TW"),
        ("fr", None, "en"),
        (None, "zh-TW,zh;q=0.9,en;q=0.8", "zh-TW"),
        (None, "en-US,en;q=0.9,zh-TW;q=0.8", "en"),
        (None, "fr, de;q=0.9, zh-CN;q=0.3", "zh-TW"),
        (None, "en;q=0.2, zh;q=0.7", "zh-TW"),
        (None, "en;q=0.9, zh;q=1", "zh-TW"),
        (None, "en;q=0.1, zh;q=1.1", "en"),
        (None, "zh;q=0, *", "en"),
        (None, "zh;q=0", "en"),
        (None, "fr, *;q=0.5, zh;q=0.6", "zh-TW"),
        (None, "zhuang, zha;q=1", "en"),
        (None, "zh;q=nan, zh;q=inf, zh;q=2, zh;q=, zh;level=1", "en"),
        (None, ";;,=,;q=1", "en"),
    ],
)
def test_a_language_is_chosen(lang: str | None, header: str | None, language: str) -> None:
    assert negotiate(lang, header) == language


@settings(deadline=None)
@given(st.none() | st.text(), st.none() | st.text())
def test_whatever_is_asked_one_of_our_languages_is_answered(
    lang: str | None, header: str | None
) -> None:
    assert negotiate(lang, header) in LANGUAGES
