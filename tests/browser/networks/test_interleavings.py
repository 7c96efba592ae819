"""Each round counts once, however two phones, cuts, lost answers and reloads interleave.

Rounds are played one after the other, and one or both phones record each of them. Round `n` is
worth 2ⁿ points to Ann, so her total shows which rounds a phone knows of.
"""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from playwright.sync_api import Error, Page, Route, expect

from tests.browser.padding import Pad

MOST_ROUNDS = 9
"""The last round is worth 256, still too little for the pad to ask whether it is right."""

PHONES = (0, 1)

told = st.sampled_from([("told", who) for who in ((0,), (1,), (0, 1), (1, 0))])
happened = st.one_of(
    told,
    st.tuples(st.sampled_from(["cut", "back", "lose", "reload"]), st.sampled_from(PHONES)),
)


class Network:
    """The network between one phone and the service, for all matches that the phone is used for."""

    def __init__(self, page: Page) -> None:
        self.cut = False
        self.losing = False
        page.context.route("**/v1/**", self._meet)

    def mend(self) -> None:
        self.cut = self.losing = False

    def _meet(self, route: Route) -> None:
        with suppress(Error):  # the page may be closed meanwhile
            if self.losing and route.request.method == "POST":
                self.losing = False
                route.fetch()
                route.abort()
            elif self.cut:
                route.abort()
            else:
                route.fallback()


class Phone:
    """A person with a pad, who records a round unless the pad shows that it has been counted."""

    def __init__(self, page: Page, network: Network, league: str, match: str) -> None:
        self.page = page
        self.network = network
        self.pad = Pad(page, league, match)
        network.mend()
        self.pad.open()

    def begin(self) -> None:
        self.pad.out("Ann")

    def finish(self, number: int) -> None:
        table = self.page.get_by_role("table", name="Scores")
        total = int(table.get_by_role("row", name="Ann").get_by_role("cell").inner_text())
        if total >> number & 1:
            self.pad.out("Ann")
        else:
            self.pad.points(Bo=2**number, Oma_Ida=0, 美美=0)
            self.pad.save()

    def cut(self) -> None:
        """Let all requests fail, and close open connections."""
        self.network.cut = True
        self.page.context.set_offline(True)
        self.page.context.set_offline(False)

    def back(self) -> None:
        self.network.mend()
        self.pad.back()

    def lose(self) -> None:
        """Let the next batch be recorded and its answer be lost."""
        self.network.losing = True

    def reload(self) -> None:
        self.pad.open()

    def settle(self) -> None:
        """Wait until nothing is waiting, and answer each question about two accounts of a round."""
        self.back()
        asked = self.page.get_by_role("group", name="Two accounts of round")
        status = self.page.get_by_role("status")
        saved = status.filter(has_text="All saved").or_(status.filter(has_text="Counted once."))
        saved = saved.filter(has_not_text="wait").filter(has_not_text="No connection")
        while True:
            expect(asked.or_(saved).first).to_be_visible()
            if not asked.count():
                return
            theirs, mine = asked.get_by_role("list").all_inner_texts()
            label = asked.get_attribute("aria-label")
            self.pad.press("Keep theirs" if theirs == mine else "Mine is another round")
            answered = self.page.get_by_role("group", name=label, exact=True)
            expect(answered.filter(has_text=mine)).to_be_hidden()


def each_round_counts_once(site, phones, count, part=0):
    league = site.league()
    pages = [phones.phone(site, league.scorekeeper) for _ in PHONES]
    lines = [(page, Network(page)) for page in pages]
    examples = iter(range(10_000))

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @seed(part)
    @given(st.lists(happened, min_size=4, max_size=14))
    def holds(steps):
        match = league.match(
            f"match-{next(examples)}",
            dealer="ann",
            edition="hello-kitty",
            scoring={"mode": "winner-collects", "target": None, "rounds": 100},
        )
        people = [Phone(*line, league.slug, match) for line in lines]
        played = 0
        for what, who in steps:
            if what == "told":
                if played < MOST_ROUNDS:
                    for each in who:
                        people[each].begin()
                    for each in who:
                        people[each].finish(played)
                    played += 1
            else:
                getattr(people[who], what)()
        for each in people:
            each.settle()
        rounds = league.get(f"{match}/rounds")["items"]
        assert sorted(each["hand_points"]["bo"] for each in rounds) == [2**n for n in range(played)]
        assert league.get(match)["totals"]["ann"] == 2**played - 1

    holds()


def test_each_round_counts_once(site, phones):
    each_round_counts_once(site, phones, 6)


# In parts, since on one process alone it outlasts all other slow tests of the pages together.
@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("part", range(1, 4))
def test_each_round_counts_once_in_many_interleavings(site, phones, part):
    each_round_counts_once(site, phones, 9, part)
