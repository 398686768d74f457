"""What the real plugin does for terms, and a block that draws IR with links as listings do."""

import xml.etree.ElementTree as etree
from pathlib import Path

from markdown.util import AtomicString
from pymdownx.blocks import BlocksExtension
from pymdownx.blocks.block import Block

from traced import chapters, glossary
from traced.markdown.terms import PageContext, TermsExtension, ir_link_of

page = ""


class Listing(Block):
    NAME = "listing"

    def on_create(self, parent):
        return etree.SubElement(parent, "div", {"class": "highlight"})

    def on_end(self, block):
        link = ir_link_of(self.md)("dot_general")
        token = f"{link}dot_general</a>" if link else "dot_general"
        rest = "[dimension_numbers=(([1], [1]), ([], []))] a b"
        code = f"<pre><code>e:f32[4,4] = {token}{rest}</code></pre>"
        block.text = AtomicString(self.md.htmlStash.store(code))


class Listings(BlocksExtension):
    def extendMarkdownBlocks(self, md, block_mgr):
        block_mgr.register(Listing, self.getConfigs())


def on_config(config):
    docs, faults = Path(config.docs_dir), []
    known = chapters.load(docs, faults)
    terms = glossary.load(docs, known, faults)
    assert not faults, faults
    extension = TermsExtension(lambda: PageContext(terms, known, page))
    config.markdown_extensions += [extension, Listings()]


def on_page_markdown(markdown, page, config, files):
    globals()["page"] = page.file.src_uri
