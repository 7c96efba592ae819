from threading import Event, current_thread

import pytest

from scorekeeper.cli.import_requests import prefetch


def test_things_come_in_their_order():
    assert list(prefetch(iter(range(5)))) == [0, 1, 2, 3, 4]
    assert list(prefetch(iter(()))) == []


def test_the_next_one_is_made_while_one_is_worked_on_and_no_more():
    second, threads = Event(), []

    def making():
        yield "first"
        threads.append(current_thread())
        second.set()
        yield "second"
        threads.append(current_thread())
        yield "third"

    coming = prefetch(making())
    assert next(coming) == "first"
    assert second.wait(60)
    coming.close()
    assert len(threads) == 1
    assert threads[0] is not current_thread()


def test_what_the_making_of_one_raises_comes_in_its_place():
    def making():
        yield "first"
        raise LookupError("nothing more")

    coming = prefetch(making())
    assert next(coming) == "first"
    with pytest.raises(LookupError, match="nothing more"):
        next(coming)


def test_whoever_stops_in_between_is_not_held_up():
    made = []

    def making():
        for number in range(1_000):
            made.append(number)
            yield number

    for _ in prefetch(making()):
        break
    assert len(made) <= 2
