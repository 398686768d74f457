"""A listing as HTML: what is shown, in which order, escaped, marked, folded, linked."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from material.plugins.search.plugin import Parser as SearchParser
from pygments.util import ClassNotFound

from traced.diagnostics import Diagnostic, Place
from traced.html import FOLD, Caption, ListingError, MarkError, Shown, listing, problem, programs
from traced.runs import CellResult, Chunk, Frame, Raised, Toolchain
from traced.snippets import Cell

IR = Path(__file__).parent / "data" / "ir"
PROGRAM = (IR / "attend.jaxpr").read_text().strip()
TOOLCHAIN = Toolchain("3.13.1", "0.12.0.1", "0.12.0.1", "2.3.5", "cpu")
CAPTION = Caption("snippets/tracing/attend.py", TOOLCHAIN)
HOSTILE = '</pre></code><script>alert("1")</script> & \'`ticks`\' <!-- data-search-x="y" \\x00 ]]>'


class Page(HTMLParser):
    """Reads HTML strictly: what is in each box of code, and the prose around them."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.boxes, self.prose = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if tag == "code":
            self.boxes.append({"text": "", "name": "", "links": [], "marked": []})
        if tag == "span" and attrs.get("role") == "group":
            self.boxes[-1]["name"] = attrs["aria-label"]
        if attrs.get("class") == "hll":
            self.boxes[-1]["marked"].append("")
        if tag == "a" and any(t == "code" for t, _ in self.open):
            self.boxes[-1]["links"].append("")
        if tag != "br":
            self.open.append((tag, attrs.get("class")))

    def handle_endtag(self, tag):
        opened, _ = self.open.pop()
        assert opened == tag

    def handle_data(self, data):
        inside = [tag for tag, _ in self.open]
        if "code" not in inside:
            self.prose.append(data)
            return
        box = self.boxes[-1]
        box["text"] += data
        if "a" in inside:
            box["links"][-1] += data
        if "hll" in [name for _, name in self.open]:
            box["marked"][-1] += data.rstrip("\n")

    def texts(self):
        return [box["text"] for box in self.boxes]

    def names(self):
        return [box["name"] for box in self.boxes]

    def attributes(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def cell(name, source, *chunks, raised=None):
    result = CellResult(name, tuple(Chunk(*chunk) for chunk in chunks), raised)
    return Shown(Cell(name, source, 3), result)


def page(*cells, caption=CAPTION, **options):
    return Page(listing(cells, caption, **options))


ATTEND = cell("attend", "import jax\n\n")
TRACE = cell("trace", "print(1)\n", ("stdout", "1\n"))


def test_source_then_output_and_sources_without_output_between_them_in_one_box():
    found = page(ATTEND, TRACE, cell("end", "x = 2\n"))
    assert found.texts() == ["import jax\n\nprint(1)", "1", "x = 2"]
    assert found.names() == ["Source of attend, trace", "Output of trace", "Source of end"]


@pytest.mark.parametrize(
    ("show", "texts"),
    [
        ("both", ["print(1)", "1", "print(2)", "2"]),
        ("source", ["print(1)\n\nprint(2)"]),
        ("output", ["1", "2"]),
    ],
)
def test_show(show, texts):
    second = cell("second", "print(2)", ("stdout", "2"))
    assert page(TRACE, second, show=show).texts() == texts


def test_a_cell_that_printed_nothing_has_no_output_box():
    assert page(cell("quiet", "x = 1", ("stdout", "\n"))).texts() == ["x = 1"]


def test_a_listing_of_nothing_is_refused():
    with pytest.raises(ListingError, match="attend printed nothing"):
        page(ATTEND, show="output")


def test_streams_keep_their_order_and_are_named_in_words():
    chunks = ("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "c\n")
    found = page(cell("both", "f()", *chunks))
    assert found.texts() == ["f()", "a", "b", "c"]
    labels = [text for text in found.prose if text.strip()]
    assert labels[:3] == ["Output", "Standard error", "Output"]
    sections = [attrs["class"] for attrs in found.attributes("section")]
    assert sections == ["listing-stdout", "listing-stderr", "listing-stdout"]


def test_an_error_is_type_message_and_own_frames():
    frames = Frame("snippets/a/b.py", 9, "<module>"), Frame("snippets/a/b.py", 5, "relu")
    raised = Raised("TracerBoolConversionError", "Attempted:\nsee <url>\n", frames)
    found = page(cell("call", "relu(1)", ("stdout", "before\n"), raised=raised))
    assert found.texts()[1:] == [
        "before",
        "TracerBoolConversionError: Attempted:\nsee <url>\n"
        "  at snippets/a/b.py:5 in relu\n"
        "  from snippets/a/b.py:9 in <module>",
    ]
    assert "Error" in found.prose
    assert found.names()[2] == "Error of call"


def test_an_error_without_message():
    found = page(cell("call", "f()", raised=Raised("KeyError", "", ())), show="output")
    assert found.texts() == ["KeyError"]


def test_everything_is_escaped():
    raised = Raised("<b>", HOSTILE, (Frame("<p>", 1, "<lambda>"),))
    shown = cell("<i>", f"# {HOSTILE}", ("stdout", HOSTILE), ("stderr", HOSTILE), raised=raised)
    caption = Caption("<u>", Toolchain("", "<s>", "", "", "<q>"), href='"><script>')
    html = listing([shown], caption)
    found = Page(html)
    assert found.texts()[:3] == [f"# {HOSTILE}", HOSTILE, HOSTILE]
    assert found.texts()[3] == f"<b>: {HOSTILE}\n  at <p>:1 in <lambda>"
    tags = {tag for tag, _ in found.tags}
    assert tags == {"figure", "div", "pre", "code", "span", "section", "figcaption", "a"}
    # The search plugin deletes attributes of this form from the page, wherever they stand.
    assert 'data-search-x="' not in html


@pytest.mark.parametrize("name", ["attend.jaxpr", "prints.mlir", "many.optimized.hlo"])
def test_ir_is_coloured_and_no_character_lost(name):
    text = (IR / name).read_text().rstrip("\n")
    found = page(cell("x", "", ("stdout", f"\n{text}\n")), show="output")
    assert found.texts() == [text]
    classes = {attrs.get("class") for attrs in found.attributes("span")}
    assert {"kt", "nf"} & classes
    assert "err" not in classes


def test_the_label_names_the_layer():
    found = page(cell("x", "", ("stdout", (IR / "attend.mlir").read_text())), show="output")
    assert "Output: StableHLO" in found.prose


def test_plain_text_costs_no_elements():
    found = page(cell("x", "", ("stdout", "some words = 1, (2)\n")), show="output")
    assert [attrs["class"] for attrs in found.attributes("span")] == ["filename", "listing-text"]


def test_elements_per_line_of_ir():
    text = (IR / "attend.mlir").read_text()
    found = page(cell("x", "", ("stdout", text)), show="output")
    assert len(found.tags) < 6 * text.count("\n")


def test_a_language_can_be_named():
    shown = cell("x", "", ("stdout", "a:i32[] = f b"), ("stderr", "{ lambda ; a:f32[]."))
    found = page(shown, show="output", language="text")
    assert "Output" in found.prose
    assert not [attrs for attrs in found.attributes("span") if attrs.get("class") == "nf"]
    with pytest.raises(ClassNotFound):
        page(shown, language="no such")


def test_each_line_that_contains_a_mark_is_marked():
    text = '"""one\ntwo\nthree"""\nx = 2  # two'
    found = page(cell("x", text, ("stdout", "three\nfour")), marks=["two", "three"])
    assert [box["marked"] for box in found.boxes] == [
        ["two", 'three"""', "x = 2  # two"],
        ["three"],
    ]
    assert found.texts() == [text, "three\nfour"]


def test_a_mark_is_literal_and_crosses_tokens_but_not_lines():
    shown = cell("x", "y = f(x)[0]\nz = 1")
    assert page(shown, marks=["f(x)[0]"]).boxes[0]["marked"] == ["y = f(x)[0]"]
    with pytest.raises(MarkError):
        page(shown, marks=["[0]\nz"])


def test_marks_that_mark_nothing_are_named():
    with pytest.raises(MarkError) as caught:
        page(TRACE, marks=["print", "nothing", ""], show="source")
    assert caught.value.patterns == ("nothing", "")
    with pytest.raises(MarkError):
        page(TRACE, marks=["print"], show="output")


@pytest.mark.parametrize(("lines", "folded"), [(FOLD, False), (FOLD + 20, True)])
def test_long_output_is_folded(lines, folded):
    text = "\n".join(map(str, range(lines)))
    found = page(cell("x", text, ("stdout", text)))
    assert len(found.attributes("details")) == folded
    assert (f"All {lines} lines" in found.prose) == folded
    assert found.texts() == [text, text]


@pytest.mark.parametrize(("mark", "opened"), [("line 3.", False), (f"line {FOLD}.", True)])
def test_a_fold_hides_no_mark(mark, opened):
    text = "\n".join(f"line {n}." for n in range(FOLD + 20))
    found = page(cell("x", "", ("stdout", text)), show="output", marks=[mark])
    assert ("open" in found.attributes("details")[0]) == opened


def test_every_box_of_code_can_be_focused_and_has_a_name():
    raised = Raised("KeyError", "", ())
    found = page(cell("x", "f()", ("stdout", "1"), ("stderr", "2"), raised=raised))
    boxes = [attrs for attrs in found.attributes("span") if attrs["class"] == "listing-text"]
    assert len(boxes) == 4
    assert all(b["tabindex"] == "0" and b["role"] == "group" and b["aria-label"] for b in boxes)


def test_labels_stand_outside_of_what_is_copied():
    found = page(cell("x", "f()", ("stdout", "1\n" * 50)))
    assert "".join(found.texts()) == "f()" + ("1\n" * 50).rstrip()


def links(text, language="", known=("dot_general", "add", "custom-call")):
    tags = {name: f'<a class="term" href="#term-{name}">' for name in known}
    shown = cell("x", "add(1)", ("stdout", text))
    return [box["links"] for box in page(shown, language=language, link=tags.get).boxes]


def test_an_operation_is_linked_once_per_listing():
    text = "{ lambda ; a:f32[]. let\n    b:f32[] = add a a\n    c:f32[] = add a b\n  in (c,) }"
    assert links(text) == [[], ["add"]]
    assert links(f"{text}\n{text}") == [[], ["add"]]


def test_a_link_is_found_without_the_dialect_and_in_hlo():
    assert links("%1 = stablehlo.dot_general %a, %b") == [[], ["stablehlo.dot_general"]]
    assert links("%1 = f32[] custom-call(%add)") == [[], ["custom-call"]]


def test_nothing_but_operations_is_linked():
    text = "{ lambda ; add:f32[]. let\n    b:f32[] = jit[name=add] add\n  in (b,) }"
    assert links(text) == [[], []]
    assert links("add dot_general") == [[], []]


def test_two_names_of_one_term_are_linked_once():
    shown = cell("x", "", ("stdout", "a:f32[] = dot b c\nd:f32[] = dot_general a b"))
    found = page(shown, show="output", link=lambda token: '<a href="#term-dot">')
    assert found.boxes[0]["links"] == ["dot"]


def test_the_caption_says_what_ran():
    assert "".join(page(TRACE).prose).endswith(
        "snippets/tracing/attend.py ran with JAX 0.12.0.1 on CPU\n"
    )
    caption = Caption("a.py", TOOLCHAIN, 8, "https://example.org/a.py?b&c")
    found = page(TRACE, caption=caption)
    assert "".join(found.prose).endswith("a.py ran with JAX 0.12.0.1 on 8 CPU devices\n")
    assert found.attributes("a") == [{"href": "https://example.org/a.py?b&c"}]


def test_search_finds_nothing_of_a_listing():
    raised = Raised("KeyError", "raised", ())
    long = "printed\n" * 50
    shown = cell("x", "source()", ("stdout", long), ("stderr", "warned"), raised=raised)
    search = SearchParser()
    search.feed(f"<h1>Title</h1><div class='traced'>{listing([shown], CAPTION)}</div><p>prose</p>")
    search.close()
    indexed = "".join("".join(section.text) for section in search.data)
    assert "prose" in indexed
    words = ("source", "printed", "warned", "raised", "Output", "lines", "JAX")
    assert not [word for word in words if word in indexed]


def test_names_of_errors_are_linked_once_and_in_no_source():
    raised = Raised("Oops", "a ValueError: x", ())
    printed = "A line.\njax.errors.KeyError: x\nValueError\nKeyError: y\n ValueError: in\nError-x"
    shown = cell(
        "x", "KeyError\n", ("stdout", printed), ("stderr", "TypeError: <z>"), raised=raised
    )
    asked = []

    def error(name):
        asked.append(name)
        return None if name == "ValueError" else f'<a href="#{name}">'

    html = listing([shown], CAPTION, error=error)
    assert asked == ["KeyError", "ValueError", "TypeError", "Oops"]
    assert 'A line.\njax.errors.<a href="#KeyError">KeyError</a>: x\nValueError\nKeyError' in html
    assert '<a href="#TypeError">TypeError</a>: &lt;z&gt;' in html
    assert '<a href="#Oops">Oops</a>: a ValueError: x' in html
    assert html.count("<a ") == 3


def test_the_programs_of_a_listing_are_what_it_shows():
    shown = cell(
        "x", "{ lambda ; . let", ("stdout", PROGRAM), ("stdout", "text"), ("stderr", PROGRAM)
    )
    assert list(programs([shown])) == [("jaxpr", PROGRAM)]
    assert list(programs([shown], show="source")) == []
    assert [language for language, _ in programs([shown], language="hlo")] == ["hlo", "hlo"]


def test_a_problem_says_cause_places_hint_and_detail():
    diagnostic = Diagnostic(
        f"unknown cell {HOSTILE}",
        (Place("docs/l/a.md", 3), Place("snippets/a/b.py", 7)),
        "Did you mean `trace`?",
        f"line 1\n{HOSTILE}",
    )
    found = Page(problem([diagnostic, Diagnostic("another", (Place("x.md"),))]))
    assert found.texts() == ["docs/l/a.md:3", "snippets/a/b.py:7", f"line 1\n{HOSTILE}", "x.md:1"]
    assert f"unknown cell {HOSTILE}" in "".join(found.prose)
    assert "Did you mean `trace`?" in found.prose
    assert "another" in found.prose
    assert "script" not in {tag for tag, _ in found.tags}
    assert "role" not in found.tags[0][1]  # static: said in words, not announced
