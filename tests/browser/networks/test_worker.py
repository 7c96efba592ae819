"""Service workers with a slow network, on a full phone, or older than the service."""

import pytest
from playwright.sync_api import expect

from tests.browser.evening import NAMES, SLUGS, Evening
from tests.browser.padding import ANN, Pad, send_home
from tests.browser.waiting import until

# The time that the worker gives the network to answer is over at once.
SLOW = """() => {
    AbortSignal.timeout = () => AbortSignal.abort(new DOMException("", "TimeoutError"));
}"""
FULL = """() => {
    Cache.prototype.put = async () => { throw new DOMException("", "QuotaExceededError"); };
}"""
# A browser that does not give its caches away, as some do whose disk is damaged.
REFUSING = """() => {
    const refuse = async () => { throw new DOMException("", "UnknownError"); };
    for (const asked of ["open", "match", "keys"]) CacheStorage.prototype[asked] = refuse;
}"""
UNDELETED = """() => {
    Cache.prototype.delete = async () => { throw new DOMException("", "UnknownError"); };
}"""
# A proxy stands before a service that does not run.
DOWN = """() => { self.fetch = async () => new Response("", { status: 502 }); }"""
# From now on, the worker's requests are answered by another version of the service.
NEWER = """() => {
    const ask = self.fetch;
    self.fetch = async (asked, how) => {
        const { pathname } = new URL(asked.url ?? asked, location.origin);
        if (pathname.startsWith("/static/next/")) return ask(pathname.replace("next", DIGEST));
        const answer = await ask(asked, how);
        if (!pathname.endsWith("/pad")) return answer;
        const page = (await answer.text()).replaceAll(DIGEST, "next");
        return new Response(page, { headers: { "content-type": "text/html" } });
    };
}"""
KEPT_ANEW = """async () => {
    const kept = await (await caches.open("pages")).match(location.pathname, { ignoreVary: true });
    const page = await kept.text();
    return page.includes("/static/next/") && page.includes('"round":1');
}"""
# A page and its file, cached by the previous worker, and a file of the worker before that.
OF_FORMER = """async () => {
    const pages = await caches.open("pages");
    await pages.put("/l/a/m/former/pad", new Response(
        '<title>Former</title><script src="/static/former/page.js"></script>',
        { headers: { "content-type": "text/html" } },
    ));
    for (const version of ["former", "oldest"]) {
        const shell = await caches.open(`shell-${version}`);
        await shell.put(`/static/${version}/page.js`, new Response(
            `document.title = "opened by the ${version}"`,
            { headers: { "content-type": "text/javascript" } },
        ));
    }
    await (await navigator.serviceWorker.getRegistration()).unregister();
}"""


@pytest.fixture
def pad(pads):
    """A pad whose page the worker caches."""
    held = pads()
    held.page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    return held.open()


def worker(pad):
    (only,) = pad.page.context.service_workers
    return only


@pytest.mark.parametrize("trouble", [SLOW, FULL, REFUSING], ids=["slow", "full", "refusing"])
def test_a_pad_that_was_never_kept_opens_when_the_service_answers(league, match, pad, trouble):
    worker(pad).evaluate(trouble)
    Pad(pad.page, league.slug, league.match("second", dealer="ann")).open()


def test_a_pad_opens_though_the_browser_reads_no_caches(pad):
    worker(pad).evaluate(REFUSING)
    pad.open()


def test_a_device_that_was_sent_home_is_not_shown_a_page_that_could_not_be_deleted(league, pad):
    worker(pad).evaluate(UNDELETED)
    send_home(league)
    assert pad.page.goto(pad.address).status == 404


def test_a_pad_that_was_kept_does_not_wait_for_a_slow_network(pad):
    worker(pad).evaluate(SLOW)
    pad.open()


def test_a_pad_that_was_kept_opens_though_a_proxy_answers_for_the_service(pad):
    worker(pad).evaluate(DOWN)
    pad.open()


def test_where_a_proxy_answers_for_the_service_the_kept_pads_are_listed(league, pad):
    never_kept = f"/l/{league.slug}/m/{league.match('second', dealer='ann')}/pad"
    worker(pad).evaluate(DOWN)
    for address in (f"/l/{league.slug}", never_kept):
        pad.page.goto(address)
        expect(pad.page.get_by_role("heading", name="No connection")).to_be_visible()


def test_only_pads_are_kept_whatever_a_league_is_called(site, phones):
    league = Evening(site, "pad", NAMES, SLUGS)
    page = phones.phone(site, league.scorekeeper)
    pad = Pad(page, league.slug, league.match(dealer="ann")).open()
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    pad.open()
    page.goto("/l/pad")
    expect(page.get_by_role("heading", name="Friday evenings")).to_be_visible()
    page.context.set_offline(True)
    page.goto("/l/pad")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def test_a_page_that_is_newer_than_the_worker_is_kept_with_all_that_it_names(pad):
    worker(pad).evaluate(NEWER)
    pad.tell("Ann", **ANN)
    until(pad.page, KEPT_ANEW)
    pad.page.context.set_offline(True)
    pad.open()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("60")


def test_a_page_that_was_kept_by_the_worker_before_opens_still(pad):
    page = pad.page
    page.evaluate(OF_FORMER)
    pad.open()
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    pad.open()
    page.context.set_offline(True)
    page.goto("/l/a/m/former/pad")
    expect(page).to_have_title("opened by the former")
    assert not page.evaluate("caches.has('shell-oldest')")
