"""The texts for programs that read: the head of a page's text, and the form of llms.txt."""

from traced import llms
from traced.llms import Entry


def test_a_document_says_what_it_is_and_where_it_is_from() -> None:
    made = llms.document("A_ *b*", "JAX path, chapter 1", "What a<b is.", "Page: <u>.", "Text.")
    assert made == (
        "# A\\_ \\*b\\*\n\n> JAX path, chapter 1. What a\\<b is.\n\nPage: <u>.\n\nText.\n"
    )
    assert llms.document("A", "", "", "Page.", "") == "# A\n\nPage.\n"


def test_the_index_has_the_form_of_llmstxt_org() -> None:
    entries = [Entry("A [b]", "https://e.org/a.md", "One\ntwo."), Entry("C", "/c.md")]
    made = llms.index("Site", "A summary\nof it.", "Notes.", [("First", entries), ("None", [])])
    assert made == (
        "# Site\n\n> A summary of it.\n\nNotes.\n\n## First\n\n"
        "- [A \\[b\\]](https://e.org/a.md): One two.\n- [C](/c.md)\n"
    )
