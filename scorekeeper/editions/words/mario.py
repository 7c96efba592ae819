"""The words of the booklet of UNO Super Mario for cards and things, in 繁體中文."""

from collections.abc import Mapping
from typing import Final

MARIO_WORDS: Final[Mapping[str, str]] = {
    "red": "紅色",
    "yellow": "黃色",
    "green": "綠色",
    "blue": "藍色",
    "draw-two": "罰抽兩張牌",
    "reverse": "迴轉牌",
    "skip": "禁止牌",
    "wild": "萬用牌",
    "wild-draw-four": "萬用罰抽四張牌",
    "super-star": "無敵星星牌",
    "question-block": "問號方塊牌",
    "any wild": "萬用牌",
    "card": "牌",
    "symbol": "功能",
    "first card": "第一張牌",
    "draw pile": "牌庫",
    "discard pile": "棄牌堆",
    "dealer": "發牌者",
    "clockwise": "順時鐘",
    "counter-clockwise": "逆時鐘",
    "challenges": "質疑",
    "calls": "大喊",
    "catches": "抓到",
}
