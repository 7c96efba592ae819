"""The words of the booklet of 2025 for cards and things, in 繁體中文."""

from collections.abc import Mapping
from typing import Final

CLASSIC_2025_WORDS: Final[Mapping[str, str]] = {
    "red": "紅色",
    "yellow": "黃色",
    "green": "綠色",
    "blue": "藍色",
    "draw-two": "抽兩張卡",
    "reverse": "反轉卡",
    "skip": "跳過卡",
    "wild": "萬用卡",
    "wild-draw-four": "萬用抽四張卡",
    "any wild": "萬用卡",
    "card": "卡牌",
    "symbol": "符號",
    "first card": "第一張卡牌",
    "draw pile": "牌庫",
    "discard pile": "棄牌堆",
    "dealer": "發牌者",
    "clockwise": "順時針",
    "counter-clockwise": "逆時針",
    "challenges": "挑戰",
    "calls": "大喊",
    "catches": "發現",
}
