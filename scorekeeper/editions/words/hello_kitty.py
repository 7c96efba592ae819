"""The words of the booklet of UNO Hello Kitty for cards and things, in 繁體中文."""

from collections.abc import Mapping
from typing import Final

HELLO_KITTY_WORDS: Final[Mapping[str, str]] = {
    "red": "紅色",
    "yellow": "黃色",
    "green": "綠色",
    "blue": "藍色",
    "draw-two": "罰抽兩張牌",
    "reverse": "反轉牌",
    "skip": "阻擋牌",
    "wild": "萬用牌",
    "wild-draw-four": "王牌",
    "red-ribbon": "紅色緞帶牌",
    "swap-hands": "交換牌",
    "any wild": "萬用牌、王牌、特殊牌",
    "card": "牌",
    "symbol": "種類",
    "first card": "第一張牌",
    "draw pile": "抽牌用的牌堆",
    "discard pile": "用過的牌堆",
    "dealer": "發牌人",
    "clockwise": "順時針",
    "counter-clockwise": "逆時針",
    "challenges": "挑戰",
    "calls": "大喊",
    "catches": "發現",
    "lays off": "捨棄",
}
