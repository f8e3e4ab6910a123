"""Docnos that are not in the collection."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trec.docnos import Docnos
from trec.runs import unknown as module
from trec.runs.unknown import unknown

NAMES = st.text("aé0", min_size=1, max_size=40)


@given(st.lists(NAMES), st.lists(NAMES), st.sampled_from([0xFFFFFFFF, 1, 0]))
def test_every_row_not_known_is_told(names, known, bits):
    """Also where different docnos have the same code, as one in some millions does by chance."""
    docnos = Docnos.of(name.encode() for name in names)
    hashes = property(lambda self: Docnos.hashes.compute(self) & bits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "AT_A_TIME", 3)
        own = type("Coded", (Docnos,), {"hashes": hashes})
        patch.setattr(module, "Docnos", own)
        hashed = own(docnos.content, docnos.starts, docnos.ends)
        found = unknown(hashed, iter(known)).tolist()
    assert found == [i for i, name in enumerate(names) if name not in known]
