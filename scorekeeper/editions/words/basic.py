"""The words of the basic game's booklet for cards and things, in 繁體中文."""

from collections.abc import Mapping
from typing import Final

BASIC_WORDS: Final[Mapping[str, str]] = {
    "red": "紅色",
    "yellow": "黃色",
    "green": "綠色",
    "blue": "藍色",
    "draw-two": "抽兩張",
    "reverse": "反轉",
    "skip": "跳過",
    "wild": "顏色指定",
    "wild-draw-four": "抽四張",
    "any wild": "強制牌",
    "card": "牌",
    "symbol": "文字",
    "first card": "引牌",
    "draw pile": "牌堆",
    "discard pile": "棄牌區",
    "dealer": "莊家",
    "clockwise": "順時鐘",
    "counter-clockwise": "逆時鐘",
    "challenges": "質疑",
    "calls": "喊",
    "catches": "發現",
}
