"""Documents as they are shown: in paragraphs, each with a direction of its own."""


def test_a_document_is_shown_in_paragraphs_and_code_and_its_marks_are_text(campaign, sign_in, olga):  # fmt: skip
    cut = "A line of text that was cut at the margin of its file,\nand its end.\n\n    x = '<b>'\n\n\u05e9\u05dc"
    campaign.document_set.update(text=cut)
    page = sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/").content.decode()  # fmt: skip
    assert '<p dir="auto">A line of text that was cut at the margin of its file, and its end.</p>' in page  # fmt: skip
    assert '<pre class="code">    x = &#x27;&lt;b&gt;&#x27;</pre>' in page
    assert '<p dir="auto">\u05e9\u05dc</p>' in page
