"""The Markdown extensions of the site, as one: `traced.markdown` in mkdocs.yml."""

from typing import Any

from markdown import Markdown
from pymdownx.blocks import BlocksExtension, BlocksProcessor

from traced.markdown.facts import FactsExtension
from traced.markdown.lens import LensBlock
from traced.markdown.ops import OpsBlock, OpsTreeprocessor
from traced.markdown.page import FaultsTreeprocessor, PagePreprocessor, page_of
from traced.markdown.paths import PathsExtension
from traced.markdown.predict import PredictBlock
from traced.markdown.snippet import SnippetBlock
from traced.markdown.terms import PageContext, TermsExtension


class TracedExtension(BlocksExtension):
    """Snippet blocks, glossary terms and paths, and the page that they are on."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register everything; the page comes first, for the others ask it."""
        md.preprocessors.register(PagePreprocessor(md), "traced-page", PagePreprocessor.priority)
        super().extendMarkdown(md)
        FactsExtension().extendMarkdown(md)
        TermsExtension(lambda: _context(md)).extendMarkdown(md)
        PathsExtension(lambda: _context(md)).extendMarkdown(md)
        md.treeprocessors.register(OpsTreeprocessor(md), "traced-ops", OpsTreeprocessor.priority)
        faults = FaultsTreeprocessor(md)
        md.treeprocessors.register(faults, "traced-faults", faults.priority)

    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:
        """Register `/// snippet`, `/// lens`, `/// predict` and `/// ops`."""
        block_mgr.register(SnippetBlock, {})
        block_mgr.register(LensBlock, {})
        block_mgr.register(PredictBlock, {})
        block_mgr.register(OpsBlock, {})


def _context(md: Markdown) -> PageContext:
    page = page_of(md)
    return PageContext(page.build.glossary, page.build.chapters, page.path)


def makeExtension(**settings: Any) -> TracedExtension:
    """Called by Python-Markdown; there are no settings."""
    return TracedExtension(**settings)
