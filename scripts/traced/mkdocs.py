"""The MkDocs plugin: it hands over what MkDocs alone knows, and makes a faulty build fail."""

import gc
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext

from traced import labs, notebookfiles, slim, templates, tokencache
from traced.build import Build, begin
from traced.companions import Companions
from traced.diagnostics import report
from traced.pages import add_sources, page_names, report_unreadable
from traced.project import Project, toolchain
from traced.runner import Runner
from traced.workers import start


class _NoSettings(Config):
    """The plugin has none."""


class TracedPlugin(BasePlugin[_NoSettings]):
    """Begins a Build for each build of the site, and keeps the worker between them."""

    _runner: Runner | None = None
    _serving = False
    _build: Build
    _companions: Companions

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """With this event handled, MkDocs keeps the plugin from one build to the next."""
        self._serving = command == "serve"
        # What has been loaded stays: the collector would look through it again and again, which
        # takes a twentieth of a build.
        gc.freeze()

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Begin to run what is stale, while MkDocs and the other plugins do the rest."""
        project = Project(Path(config.config_file_path or ".").parent)
        if self._runner is None:
            if self._serving:
                _refuse_a_taken_address(*config.dev_addr)
            self._runner = Runner(project, lambda: start(project, spare=self._serving))
        self._build = begin(Build(project, self._runner))
        templates.keep(config.theme, project)
        tokencache.load(project)
        config.extra["traced"] = _stamp(project)
        if "mkdocs-jupyter" in config.plugins:
            labs.keep_cache(project, config.plugins["mkdocs-jupyter"].config)
        return config

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Put the snippets' sources on the site, and look at its pages."""
        add_sources(files, config)
        self._build.pages = page_names(files)
        report_unreadable(self._build, files)
        return files

    def on_nav(self, nav: Navigation, /, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Prepare for the files beside the pages, which link to each other."""
        self._companions = Companions(self._build, config, nav, files)
        return nav

    def on_page_markdown(
        self, markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files
    ) -> None:
        """Tell the extensions which page comes now."""
        self._build.page = page.file.src_uri

    def on_page_content(
        self, html: str, /, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Tidy the page of a lab, which the search lists after what the chapters say."""
        if not labs.is_lab(page.file):
            return html
        page.meta["search"] = {"boost": 0.5}
        return labs.tidy(html)

    def on_page_context(
        self, context: TemplateContext, /, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Put beside the page what belongs there, and tell the template of it."""
        # MkDocs types the names that it gives itself; a plugin may add others.
        context["beside"] = self._companions.page(page)  # type: ignore[typeddict-unknown-key]
        return context

    def on_env(self, env: Any, /, *, config: MkDocsConfig, files: Files) -> None:
        """Put the notebook of each chapter beside its page."""
        pages = {f.src_uri: f for f in files.documentation_pages()}
        chapters = [c.source for c in self._build.chapters.values() if c.source in pages]
        notebookfiles.write(
            self._build,
            {source: _notebook(pages[source]) for source in chapters},
            {file.src_uri: file.url for file in files},
            config.site_url or "",
        )

    def on_post_page(self, output: str, /, *, page: Page, config: MkDocsConfig) -> str:
        """Take out what no reader needs, and put the notebook of a lab beside its page."""
        if labs.is_lab(page.file):
            target = _notebook(page.file)
            target.parent.mkdir(parents=True, exist_ok=True)
            labs.write_notebook(Path(page.file.abs_src_path or ""), target)
        return slim.page(output)

    def on_build_error(self, *, error: Exception) -> None:
        """Report what was found before something else, a lab perhaps, ended the build."""
        if not isinstance(error, Abort):
            print(report(self._build.faults()), file=sys.stderr)

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Report all faults, and end with exit code 1 if there are any."""
        self._companions.finish()
        slim.site(Path(config.site_dir))
        tokencache.save(self._build.project)
        faults = self._build.faults()
        if faults:
            # Not by way of the log: `-q` and the strict mode decide over what that shows.
            print(report(faults), file=sys.stderr)
            if not self._serving:
                raise Abort("The site is not right; what is wrong stands above.")

    def on_serve(
        self, server: Any, /, *, config: MkDocsConfig, builder: Callable[..., None]
    ) -> None:
        """Have the worker ready before the first edit."""
        if self._runner:
            self._runner.warm_up()

    def on_shutdown(self) -> None:
        """End the worker."""
        if self._runner:
            self._runner.close()


def _refuse_a_taken_address(host: str, port: int) -> None:
    """Raise Abort where nothing can be served, before a minute has gone into building it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as MkDocs' server does
        try:
            attempt.bind((host, port))
        except OSError as error:
            # Not Abort's own text, which goes to standard output.
            print(f"{host}:{port} cannot be listened at: {error.strerror}.", file=sys.stderr)
            raise Abort("Name another address: make serve ADDR=127.0.0.1:8001") from None


def _stamp(project: Project) -> dict[str, str]:
    """What the footer says of the build."""
    tools = toolchain()
    return {
        "jax": tools.jax,
        "jaxlib": tools.jaxlib,
        "python": tools.python,
        "platform": tools.platform,
        "commit": _commit(project),
    }


def _notebook(file: File) -> Path:
    """Where the notebook of a page goes: beside it, with and without directory URLs."""
    return Path(file.abs_dest_path).with_name(f"{file.name}.ipynb")


def _commit(project: Project) -> str:
    """The commit that is checked out, with a "+" if files differ; "" where there is no Git."""
    command = [
        "git",
        "-C",
        str(project.root),
        "describe",
        "--always",
        "--dirty=+",
        "--abbrev=10",
        "--exclude=*",
    ]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
