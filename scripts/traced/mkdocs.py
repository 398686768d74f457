"""The MkDocs plugin: it hands over what MkDocs alone knows, and makes a faulty build fail."""

import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from traced.build import Build, begin
from traced.diagnostics import report
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

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """With this event handled, MkDocs keeps the plugin from one build to the next."""
        self._serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Begin to run what is stale, while MkDocs does the rest."""
        project = Project(Path(config.config_file_path or ".").parent)
        if self._runner is None:
            self._runner = Runner(project, lambda: start(project, spare=self._serving))
        self._build = begin(Build(project, self._runner))
        config.extra["traced"] = _stamp(project)
        labs: Any = config.plugins.get("mkdocs-jupyter")
        if labs is not None:
            # Its cache knows the notebook's text alone, not what the notebook ran with.
            labs.config["cache_dir"] = str(project.cache / f"labs-jax-{toolchain().jax}")
        return config

    def on_page_markdown(
        self, markdown: str, /, *, page: Page, config: MkDocsConfig, files: Files
    ) -> None:
        """Tell the extensions which page comes now."""
        self._build.page = page.file.src_uri

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Report all faults, and end with exit code 1 if there are any."""
        faults = self._build.faults()
        if faults:
            # Not by way of the log: `-q` and the strict mode decide over what that shows.
            print(report(faults), file=sys.stderr)
            if not self._serving:
                raise Abort(f"The site is not right: {len(faults)} problems above.")

    def on_shutdown(self) -> None:
        """End the worker."""
        if self._runner:
            self._runner.close()


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


def _commit(project: Project) -> str:
    """The commit that is checked out, or "" outside of a Git repository."""
    command = ["git", "-C", str(project.root), "rev-parse", "--short=10", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
