"""The hash of a text is that of its bytes, and can be computed from what is downloaded."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collection.models.texts import Document, Topic
from tests.records import sha256_of

# No database holds NUL or a lone surrogate.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=9)
odd = st.sampled_from(["", "\\", "\\\\x41", "\\000", "'", "é\U0001f600", "a\r\nb"])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(values=st.lists(odd | texts, min_size=5, max_size=5))
def test_the_hash_is_that_of_the_texts_whatever_they_are(campaign, values):
    names = dict(zip(["title", "text", "url", "language", "html"], values, strict=True))
    title, text, url, *_ = values
    document = Document.objects.filter(campaign=campaign, docno="d1")
    document.update(**names)
    assert document.get().sha256 == sha256_of(*values)
    topic = Topic.objects.filter(campaign=campaign, number="1")
    topic.update(title=title, description=text, narrative=url)
    assert topic.get().sha256 == sha256_of(title, text, url)
