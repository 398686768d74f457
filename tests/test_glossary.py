"""docs/glossary.yml read into terms, and what each invalid thing in it is told."""

import pytest

from traced import glossary
from traced.chapters import Chapter
from traced.glossary import Glossary, Term

CHAPTERS = {
    slug: Chapter(slug, slug.title(), "kernel", number, "", source=f"l/{slug}.md")
    for number, slug in enumerate(["jaxpr", "xla"], 1)
}

ENTRY = """\
- term: jaxpr
  aliases: [jaxprs]
  ir: [pjit]
  definition: What tracing leaves.
  chapter: jaxpr
"""


@pytest.fixture
def read(tmp_path):
    """Read a glossary of that text; returns it and its diagnostics as (line, cause)."""

    def read(text):
        docs = tmp_path / "docs"
        (docs / "l").mkdir(parents=True)
        (docs / "l" / "faulty.md").write_text("no front matter")
        (docs / "glossary.yml").write_bytes(text if isinstance(text, bytes) else text.encode())
        faults = []
        found = glossary.load(docs, CHAPTERS, faults)
        assert all(place.path == "docs/glossary.yml" for f in faults for place in f.places)
        return found, [(f.places[0].line, f.cause) for f in faults]

    return read


def test_an_entry_is_a_term(read):
    found, faults = read(ENTRY)
    assert faults == []
    assert found.terms == (
        Term("jaxpr", "What tracing leaves.", "jaxpr", aliases=("jaxprs",), ir=("pjit",)),
    )


def test_terms_are_sorted_as_a_reader_looks_for_them(read):
    entries = "".join(
        f"- term: {term}\n  definition: A.\n  chapter: xla\n" for term in ["b", "C", "a b", "a"]
    )
    assert [term.term for term in read(entries)[0].terms] == ["a", "a b", "b", "C"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- term: [jaxpr\n", (2, "not valid YAML: did not find expected ',' or ']'")),
        ("- term: a\n  term b\n", (3, "not valid YAML: could not find expected ':'")),
        (b"- term: a\n- term: \xff\n", (2, "the file is not UTF-8")),
        (
            "- term: é\n- term: \0\n",
            (
                2,
                "not valid YAML: unacceptable character #x0000: control characters are not allowed",
            ),
        ),
        ("term: jaxpr\n", (1, "the glossary is no list of entries")),
        ("- jaxpr\n", (1, "this is no mapping of fields to values")),
        (ENTRY.replace("  chapter: jaxpr\n", ""), (1, "the field 'chapter' is missing")),
        (ENTRY + "  definiton: x\n", (6, "unknown field 'definiton'")),
        (ENTRY + "  chapter: xla\n", (6, "the field 'chapter' is given twice")),
        (ENTRY.replace("[pjit]", "pjit"), (3, "ir: Expected `array`, got `str`")),
        (
            ENTRY.replace("[jaxprs]", "[1]"),
            (2, "aliases: Expected `str`, got `int` - at `$[0]`"),
        ),
        (
            ENTRY.replace("term: jaxpr", "term: ''"),
            (1, "term: Expected `str` of length >= 1"),
        ),
        (
            ENTRY.replace("[pjit]", "!!python/name:os.system [1]"),
            (
                3,
                "not valid YAML: could not determine a constructor for the tag "
                "'tag:yaml.org,2002:python/name:os.system'",
            ),
        ),
        (ENTRY.replace("term: jaxpr", "term: '%'"), (1, "the term '%' has no letter or digit")),
        (ENTRY.replace("[jaxprs]", "[jaxpr]"), (2, "the spelling 'jaxpr' is taken already")),
        (
            ENTRY + "- term: jaxprs\n  definition: A.\n  chapter: xla\n",
            (6, "the spelling 'jaxprs' is taken already"),
        ),
        (
            ENTRY + "- term: Jaxpr\n  definition: A.\n  chapter: xla\n",
            (6, "the id 'jaxpr' is taken already"),
        ),
        (
            ENTRY + "- term: a\n  ir: [pjit]\n  definition: A.\n  chapter: xla\n",
            (7, "the IR token 'pjit' is taken already"),
        ),
        (
            ENTRY.replace("What tracing leaves.", "An open ` backtick."),
            (4, "a backtick is not closed in the definition of 'jaxpr'"),
        ),
        (
            ENTRY.replace("What tracing leaves.", f"{'x' * 120}. More."),
            (4, "the first sentence of 'jaxpr' has 121 characters, 1 more than 120"),
        ),
        (
            ENTRY.replace("chapter: jaxpr", "chapter: jaxprr"),
            (5, "the term 'jaxpr' is taught nowhere: there is no chapter 'jaxprr'"),
        ),
    ],
)
def test_each_fault_is_one_diagnostic(read, text, expected):
    assert read(text)[1] == [expected]


def test_every_fault_is_found_in_one_go(read):
    found, faults = read("- term: a\n- {}\n" + ENTRY + "- term: b\n  x: 1\n")
    assert [line for line, _ in faults] == [1, 1, 2, 2, 2, 9, 8, 8]
    assert [term.term for term in found.terms] == ["jaxpr"]


def test_a_chapter_that_has_a_fault_of_its_own_is_not_reported_again(read):
    found, faults = read(ENTRY.replace("chapter: jaxpr", "chapter: faulty"))
    assert faults == []
    assert found.terms == ()


def test_a_limit_is_for_what_is_read(read):
    code = f"{'x' * 116} `y`. And as much again as anyone would want to say about it."
    assert read(ENTRY.replace("What tracing leaves.", code))[1] == []


@pytest.mark.parametrize("text", ["", "# nothing yet\n", None])
def test_no_entries_are_no_terms(tmp_path, text):
    if text is not None:
        (tmp_path / "glossary.yml").write_text(text)
    faults = []
    assert glossary.load(tmp_path, CHAPTERS, faults) == Glossary()
    assert faults == []


@pytest.mark.parametrize(
    ("definition", "first", "rest"),
    [
        ("One. Two. Three.", "One.", "Two. Three."),
        ("One", "One", ""),
        ("Over\n  two lines. Two.", "Over two lines.", "Two."),
        ("Things, e.g. XLA, i.e. A compiler. Two.", "Things, e.g. XLA, i.e. A compiler.", "Two."),
        ("Called as `x.sum()` or so. `y` is two.", "Called as `x.sum()` or so.", "`y` is two."),
        ("Version 1.5 of it! (Or so.)", "Version 1.5 of it!", "(Or so.)"),
    ],
)
def test_the_first_sentence(definition, first, rest):
    assert Term("t", definition, "c").sentences == (first, rest)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A jaxpr, jaxprs and Jaxpr.", ["jaxpr", "jaxprs"]),
        ("jaxpr's (jaxpr) “jaxpr” jaxpr/jaxpr", ["jaxpr"] * 5),
        ("myjaxpr jaxpr2 jaxpr_x jaxpr-like pre-jaxpr jaxpr.eqns core.jaxpr", []),
        ("It is a jaxpr.", ["jaxpr"]),
        ("XLA and optimized XLA", ["XLA", "optimized XLA"]),
        ("constant\nfolding, constant folding", ["constant\nfolding", "constant folding"]),
        ("C++, not C", ["C++", "C"]),
        ("a placeholder \x02jaxpr\x03", []),
    ],
)
def test_mentions_are_whole_words_as_declared(text, found):
    terms = Glossary(
        (
            Term("jaxpr", "A.", "jaxpr", aliases=("jaxprs",)),
            Term("XLA", "A.", "xla"),
            Term("optimized XLA", "A.", "xla"),
            Term("constant folding", "A.", "xla"),
            Term("C", "A.", "xla"),
            Term("C++", "A.", "xla"),
        )
    )
    assert [text[start:end] for start, end, _ in terms.mentions(text)] == found
    assert list(Glossary().mentions(text)) == []
