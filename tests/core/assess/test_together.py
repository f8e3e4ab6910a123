"""Duplicates served next to each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assess.core.controls import Served, Wanted, apart, mixed
from assess.core.purposes import PRIMARY, REPEAT
from assess.core.together import together


@st.composite
def orders(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    """An order, and groups of some of its documents and of others."""
    order = draw(st.permutations([f"d{n}" for n in range(draw(st.integers(0, 30)))]))
    named = [*order, "x1", "x2"]
    numbers = draw(st.lists(st.integers(0, 8), min_size=len(named), max_size=len(named)))
    groups = [
        [docno for docno, number in zip(named, numbers, strict=True) if number == each]
        for each in range(1, 9)  # those of number 0 have no duplicates
    ]
    return order, groups


@given(orders(), st.randoms(use_true_random=False))
def test_members_are_next_to_each_other_and_nothing_else_changes(made, chance):
    order, groups = made
    served = together(order, groups)
    assert sorted(served) == sorted(order)
    place, before = ({docno: n for n, docno in enumerate(each)} for each in (served, order))
    held = [[docno for docno in order if docno in group] for group in groups]
    for members in filter(None, held):
        first = place[members[0]]
        assert served[first : first + len(members)] == members
    # Those that come first, and those without duplicates, keep their order.
    followers = {docno for members in held for docno in members[1:]}
    leading = [docno for docno in order if docno not in followers]
    assert sorted(leading, key=place.__getitem__) == sorted(leading, key=before.__getitem__)
    mixed_up = [chance.sample(group, len(group)) for group in groups]
    chance.shuffle(mixed_up)
    assert together(order, mixed_up) == served
    assert together(served, groups) == served


@given(orders(), st.integers(0, 20), st.integers(0, 20), st.integers(0, 2**32))
def test_a_control_among_duplicates_comes_behind_them_and_far_from_its_first_time(
    made, known, repeats, seed
):
    order, groups = made
    order = together(order, groups)
    drawing = np.random.default_rng(seed)
    before = mixed(order, ["k1", "k2", "k3"], Wanted(known, repeats), drawing)
    own = [{Served(docno, PRIMARY) for docno in group} for group in groups]
    served = together(before, own)
    assert sorted(served) == sorted(before)
    assert [each.docno for each in served if each.purpose == PRIMARY] == order
    first = {each.docno: n for n, each in enumerate(served) if each.purpose == PRIMARY}
    for n, each in enumerate(served):
        if each.purpose == REPEAT:
            assert n - first[each.docno] >= apart(len(order))
    for group in groups:
        places = sorted(first[docno] for docno in group if docno in first)
        assert places == [*range(places[0], places[0] + len(places))] if places else True
