"""The booklets as data, for everybody, in two languages."""

import pytest

from scorekeeper.api.routes import editions

EDITIONS = ("mario", "basic", "mickey", "hello-kitty", "classic-2025")


def read(served, path="", **request):
    return served.ask("GET", f"/v1/editions{path}", token=None, **request)


def test_all_are_listed_without_a_token(served):
    page = read(served).json()
    assert page["next"] is None
    assert [item["edition"] for item in page["items"]] == list(EDITIONS)
    for item in page["items"]:
        assert item["revision"] == 1
        whole = read(served, f"/{item['edition']}").json()
        assert item.items() <= whole.items()


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_parameter_cites_a_clause_that_is_listed(served, edition):
    whole = read(served, f"/{edition}").json()
    clauses = {clause["id"] for clause in whole["clauses"]}
    cited = set()

    def walk(node):
        if isinstance(node, dict):
            if isinstance(node.get("clause"), str):
                cited.add(node["clause"])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(whole["parameters"])
    assert cited
    assert cited <= clauses
    assert sum(whole["deck"].values()) == whole["deck_size"] <= whole["box_size"]
    assert set(whole["deck"]) <= set(whole["points"])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("lang", "accept", "english"),
    [
        (None, None, True),
        (None, "en-GB", True),
        (None, "zh-TW,en;q=0.5", False),
        (None, "zh-Hant-HK", False),
        (None, "fr", True),
        ("en", "zh-TW", True),
        ("zh-TW", "en", False),
        ("zh-TW", None, False),
    ],
)
def test_in_the_language_that_was_asked_for(served, edition, lang, accept, english):
    headers = {} if accept is None else {"accept-language": accept}
    params = {} if lang is None else {"lang": lang}
    answer = read(served, f"/{edition}", headers=headers, params=params)
    assert answer.headers["content-language"] == ("en" if english else "zh-TW")
    whole = answer.json()
    for clause in whole["clauses"]:
        assert clause["text"]
        assert any("\u4e00" <= letter <= "\u9fff" for letter in clause["text"]) != english
    (listed,) = [
        item
        for item in read(served, headers=headers, params=params).json()["items"]
        if item["edition"] == edition
    ]
    assert listed["name"] == whole["name"]


@pytest.mark.parametrize(
    ("edition", "cards", "colors"),
    [
        ("mario", {"blue-skip": "藍色禁止牌", "super-star": "無敵星星牌"}, {"blue": "藍色"}),
        ("basic", {"red-reverse": "紅色反轉", "wild-draw-four": "抽四張"}, {"red": "紅色"}),
        ("mickey", {"pink-draw-two": "粉色罰抽兩張牌", "orange-0": "橘色 0"}, {"pink": "粉色"}),
        ("hello-kitty", {"wild-draw-four": "王牌", "red-ribbon": "紅色緞帶牌"}, {"red": "紅色"}),
        ("classic-2025", {"wild": "萬用卡", "green-9": "綠色 9"}, {"green": "綠色"}),
    ],
)
def test_every_card_of_the_box_and_every_colour_has_a_name(served, edition, cards, colors):
    whole = {
        lang: read(served, f"/{edition}", params={"lang": lang}).json() for lang in ("en", "zh-TW")
    }
    for booklet in whole.values():
        assert list(booklet["names"]["cards"]) == list(booklet["deck"])
        assert list(booklet["names"]["colors"]) == booklet["parameters"]["colors"]["value"]
        for names in booklet["names"].values():
            assert len(set(names.values())) == len(names)
    assert cards.items() <= whole["zh-TW"]["names"]["cards"].items()
    assert colors.items() <= whole["zh-TW"]["names"]["colors"].items()
    english = whole["en"]["names"]
    spelled = {"red-9": "red 9", "red-draw-two": "red draw two", "wild-draw-four": "wild draw four"}
    assert {**spelled, "wild": "wild", "green-skip": "green skip"}.items() <= english[
        "cards"
    ].items()
    assert all(color == name for color, name in english["colors"].items())


def test_the_list_fits_one_page(served):
    assert read(served).headers["link"] == '</v1/editions>; rel="first"'


def test_only_the_texts_differ_between_the_languages(served):
    ours, theirs = (
        read(served, "/mickey", params={"lang": lang}).json() for lang in ("en", "zh-TW")
    )
    for whole in (ours, theirs):
        del whole["name"], whole["names"]
        for clause in whole["clauses"]:
            del clause["text"]
    assert ours == theirs


@pytest.mark.parametrize("lang", ["", "fr", "zh", "EN", "zh-tw"])
def test_a_language_that_we_lack_is_a_400(served, lang):
    assert read(served, params={"lang": lang}).status_code == 400


@pytest.mark.parametrize("edition", ["mattel", "Basic", "basic ", "basic%0A"])
def test_an_unknown_edition_is_a_404(served, edition):
    assert read(served, f"/{edition}").status_code == 404


def test_booklets_and_their_list_are_encoded_once_for_each_language(served, monkeypatch):
    made = []
    for name in ("edition_view", "edition_summaries"):
        work = getattr(editions, name)

        def noting(*asked, work=work):
            made.append(asked)
            return work(*asked)

        monkeypatch.setattr(editions, name, noting)
    for kept in (editions._booklet, editions._listed):
        kept.cache_clear()
    for lang in ("en", "zh-TW", "en", "zh-TW"):
        for path in ("", "/mario"):
            answer = read(served, path, params={"lang": lang})
            assert answer.headers["content-language"] == lang
    assert sorted(made) == [("en",), ("mario", "en"), ("mario", "zh-TW"), ("zh-TW",)]
