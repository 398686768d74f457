"""The theme's templates, compiled once and not in every build.

Jinja compiles each template of Material anew whenever MkDocs builds, which takes a fifth of a build
in which nothing changed.
"""

from importlib.metadata import version

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from mkdocs.theme import Theme

from traced import cachefile
from traced.project import Project

#: What a compiled template depends on besides its source and Python, which Jinja looks at.
_PACKAGES = ("jinja2", "mkdocs", "mkdocs-material")


class TemplateCache(BytecodeCache):
    """Keeps compiled templates in the project's cache."""

    def __init__(self, project: Project):
        self._folder = project.cache / "templates" / "-".join(map(version, _PACKAGES))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket, if its template is there and undamaged."""
        body = cachefile.read(self._folder / bucket.key)
        if body is not None:
            bucket.bytecode_from_string(body)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what is in the bucket."""
        try:
            cachefile.write(self._folder / bucket.key, bucket.bytecode_to_string())
        except OSError:
            pass  # a read-only or full disk: the template will be compiled again


def keep(theme: Theme, project: Project) -> None:
    """Have every environment that MkDocs or a plugin asks `theme` for use the cache."""
    cache, make = TemplateCache(project), theme.get_env

    def get_env() -> Environment:
        environment = make()
        environment.bytecode_cache = cache
        return environment

    # MkDocs has no event for the environments that plugins make: they ask the theme itself.
    theme.get_env = get_env  # type: ignore[method-assign]
