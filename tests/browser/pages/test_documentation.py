"""The API documentation on a phone: an example can be sent without filling in anything else."""

from playwright.sync_api import Locator, Page, expect

from tests.api.serving import ADMIN

WIDTH = 390


def opened(phone: Page, operation: str) -> Locator:
    block = phone.locator(f"[id$='-{operation}']")
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    return block


def sent(block: Locator, status: int) -> None:
    block.get_by_role("button", name="Execute").click()
    reply = block.locator(".live-responses-table .response .response-col_status")
    expect(reply).to_have_text(str(status))


def assert_it_fits(phone: Page) -> None:
    sizes = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    assert phone.evaluate(sizes) == [WIDTH, WIDTH]


def test_examples_are_sent_from_a_phone_and_the_reply_fits(site, phones):
    phone = phones.phone(site)
    phone.goto("/docs")
    phone.get_by_role("button", name="Authorize").first.click()
    phone.get_by_role("textbox", name="auth-bearer-value").fill(ADMIN)
    phone.get_by_role("button", name="Apply credentials").click()
    phone.get_by_role("button", name="Close").click()
    assert_it_fits(phone)

    opening = opened(phone, "openLeague")
    for parameter in opening.locator(".parameters input").all():
        expect(parameter).to_have_value("")
    opening.locator(".examples-select-element").select_option(
        label="A league whose slug the service makes"
    )
    sent(opening, 201)
    assert_it_fits(phone)
    reply = opening.locator(".live-responses-table pre").first
    assert reply.bounding_box()["width"] > 0.75 * WIDTH

    undoing = opened(phone, "undoLastTap")
    for parameter in undoing.locator(".parameters input").all():
        expect(parameter).to_have_value("")
    assert_it_fits(phone)
