"""A lens on a reader's own function, as one HTML file that opens from disk."""

import json
import os
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

import msgspec

from traced import lenshtml
from traced.layers import Lens
from traced.project import WORKER

_ASSETS = WORKER.parents[2] / "docs" / "assets"

# What Material's stylesheets define and lens.css and article.css use, for light and dark.
_THEME = """
html { font-size: 125% }
:root { color-scheme: light dark;
  --md-code-hl-function-color: light-dark(#9c41ac, #c973d9);
  --md-code-hl-keyword-color: light-dark(#3865bb, #7ba1ea);
  --md-text-font-family: system-ui, "Segoe UI", Roboto, "Noto Sans";
  --md-code-font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace;
  --md-default-bg-color: light-dark(#fff, #1e2129);
  --md-default-fg-color: light-dark(#000000de, #e2e4e9de);
  --md-default-fg-color--light: light-dark(#000000a0, #e2e4e9a8);
  --md-default-fg-color--lighter: light-dark(#00000052, #e2e4e952);
  --md-default-fg-color--lightest: light-dark(#00000012, #e2e4e912);
  --md-code-bg-color: light-dark(#f5f5f5, #272a35);
  --md-code-fg-color: light-dark(#36464e, #d5d8e2d1);
  --md-accent-fg-color: light-dark(#526cfe, #8c9eff);
  --md-typeset-a-color: light-dark(#4051b5, #7fa6f2);
}
body { margin: 1.5rem; font: 0.8rem/1.6 var(--md-text-font-family);
  background: var(--md-default-bg-color); color: var(--md-default-fg-color) }
pre, code { font-family: var(--md-code-font-family); font-size: .85em }
a { color: var(--md-typeset-a-color) }
"""


class LensError(Exception):
    """The function could not be followed; the text is its traceback, or says what is wrong."""


def record(
    target: str, arguments: str, *, layers: str = "", platform: str = "", python: str = ""
) -> Lens:
    """The lens on a call of `target` ("model.py::loss" or "package.module:function").

    `arguments` is the text between the call's parentheses, in which f32[4,8] is an array of that
    shape. It runs in a process of its own, in the working directory, with the interpreter `python`
    (this one, if it is empty). Raises LensError.
    """
    with tempfile.TemporaryDirectory(prefix="traced-") as folder:
        request, result = Path(folder, "request.json"), Path(folder, "result.json")
        request.write_text(
            json.dumps(
                {
                    "target": target,
                    "args": arguments,
                    "layers": layers.split(),
                    "platform": platform,
                    "compiler_options": {},
                }
            )
        )
        command = [
            python or sys.executable,
            "-m",
            "traced.worker.lensmain",
            str(request),
            str(result),
        ]
        paths = [str(WORKER.parents[1]), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        environment.setdefault("JAX_PLATFORMS", "cpu")
        try:
            done = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise LensError(str(error)) from error
        if done.returncode or not result.exists():
            raise LensError(done.stderr.strip() or f"exit code {done.returncode}")
        return msgspec.json.decode(result.read_bytes(), type=Lens)


def page(lens: Lens) -> str:
    """An HTML document with the lens, and all that it needs to look and work."""
    styles = "".join((_ASSETS / name).read_text("utf-8") for name in ("lens.css",))
    script = (_ASSETS / "lens.js").read_text("utf-8").replace("</script", "<\\/script")
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(lens.call)} through its layers</title>
<style>{_THEME}{styles}</style>
<main class="md-typeset">
<h1><code>{escape(lens.call)}</code></h1>
{lenshtml.draw(lens)}
</main>
<script>{script}</script>
</html>
"""
