"""The block `/// predict | attend#trace`: a question whose answer is what a snippet did.

    /// predict | attend#trace
        choices: [nine, eleven, twelve]
        fact: attend.equations

    How many equations will there be?

    ---

    Eleven: two for the product, nine for the softmax.
    ///

What stands above the rule is asked; the listing, and what stands below the rule, are held back in
a <details>. With `choices`, exactly one of them must say the fact: the build proves the others
wrong.
"""

import re
import xml.etree.ElementTree as etree
from html import escape

from traced import html, links, statements
from traced.markdown.page import page_of
from traced.markdown.snippet import Options, SnippetBlock


class PredictOptions(Options, frozen=True, forbid_unknown_fields=True):
    """What may stand under the header of a question."""

    show: html.Show = "output"
    choices: tuple[str | int | float, ...] = ()
    fact: str = ""


_OPTION = re.compile(rf"\s*({'|'.join(PredictOptions.__struct_fields__)})\s*:")


class PredictBlock(SnippetBlock):
    """Asks a question, and holds the answer back until the reader wants it."""

    NAME = "predict"
    KIND = PredictOptions

    def on_markdown(self) -> str:
        """Question and explanation are Markdown."""
        return "block"

    def on_create(self, parent: etree.Element) -> etree.Element:
        """Take the block's place on the page."""
        return etree.SubElement(parent, "div", {"class": "predict"})

    def on_end(self, block: etree.Element) -> None:
        """Divide what was written into question and answer, and put the listing between them."""
        self.settle()
        children = list(block)
        rule = next((i for i, child in enumerate(children) if child.tag == "hr"), len(children))
        self.question = "".join(text for child in children[:rule] for text in child.itertext())
        for child in children[rule:]:
            block.remove(child)
        choices = etree.SubElement(block, "div")
        answer = etree.SubElement(block, "details")
        etree.SubElement(answer, "summary").text = "Answer"
        self.fill(etree.SubElement(answer, "div", {"class": "traced"}), self._draw_answer)
        answer.extend(children[rule + 1 :])
        if self.given.get("choices") or self.given.get("fact"):
            self.fill(choices, self._draw_choices)
        else:
            block.remove(choices)

    def _draw_answer(self) -> str:
        if left := _OPTION.match(self.question):
            cause = f"the option {left[1]!r} is taken for a part of the question"
            raise self.refuse(cause, "Indent options by four spaces, right under the header.")
        return self.draw(self._chosen())

    def _draw_choices(self) -> str:
        options = self._chosen()
        page = page_of(self.md)
        parts = links.resolve(options.fact, page.folder)
        if self.outcome is not None and self.outcome.run is None:
            return ""  # reported with the snippet
        fact = page.build.facts(parts[0]).get(parts[1]) if parts else None
        if fact is None:
            hint = "Choices need `fact: snippet.name`, the fact that the right one says."
            raise self.refuse(f"unknown fact {options.fact!r}", hint)
        texts = [str(choice) for choice in options.choices]
        right = [text for text in texts if statements.says(text, fact.value)]
        if isinstance(fact.value, bool) or len(right) != 1:
            said = f"{len(right)} do" if right else "none does"
            value = statements.shown(fact.value)
            cause = f"one choice must say {options.fact} = {value!r}, and {said}"
            hint = "Correct the choices: those that do not say it are the wrong answers."
            if isinstance(fact.value, bool):
                hint = "A fact that is true or false can have no choices."
            raise self.refuse(cause, hint)
        group = f"predict-{self.place.line}"
        labels = "".join(_choice(group, text, text in right) for text in texts)
        return f'<fieldset class="choices"><legend>Your guess</legend>{labels}</fieldset>'

    def _chosen(self) -> PredictOptions:
        options = self.read_options()
        assert isinstance(options, PredictOptions)
        return options


def _choice(group: str, text: str, right: bool) -> str:
    """A radio button that says, once it is chosen, whether it is right; no script is needed."""
    verdict = "right" if right else "not what the run says"
    return (
        f'<label><input type="radio" name="{group}"> {escape(text)}'
        f'<span class="verdict"> ({verdict})</span></label>'
    )
