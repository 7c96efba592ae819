"""A text in each of the supported languages."""

import msgspec


class Text(msgspec.Struct, frozen=True):
    """`zh_tw` is Traditional Chinese in the usage of Taiwan."""

    en: str
    zh_tw: str
