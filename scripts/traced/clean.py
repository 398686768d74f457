"""What a snippet wrote, made fit for a page: text without what differs from run to run.

Bytes that are not UTF-8 and control characters become visible, escape sequences of terminals
go, and so do paths, addresses, timings and process ids of the machine.
"""

import re
from pathlib import Path

_TERMINAL = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor (ECMA-48, 5.4)
    r"|[]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # control strings: titles, links (ECMA-48, 5.6)
    r"|[ -/]*[0-Z\\^-~])"  # all others (ECMA-35, 13.2)
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# What leads up to a part of a path. It only ever begins where a word does: from anywhere else, a
# line of a million characters would take hours.
_FOLDERS = r"(?<![^\s\"'(<=])[^\s\"'(<=]*"
_MASKS = [
    # <function f at 0x7f12ab34cd56>; never a hexadecimal constant of an IR, which has no "at"
    (re.compile(r"(?<= at )0x[0-9a-fA-F]{4,16}\b"), "0x…"),
    # Var(id=139772953346736), object id 139772953346736
    (re.compile(r"\bid([ =])\d{9,}"), r"id\1…"),
    # Finished tracing + transforming f for pjit in 0.000123 sec
    (re.compile(r"\bin \d+(?:\.\d+)?(?:e[-+]?\d+)? (s|sec|seconds|ms)\b"), r"in … \1"),
    # W1129 15:02:11.123456   12345 file.cc:12] and its long form with "0000 00:00:1732..."
    (re.compile(r"(?m)^([IWEF])\d{4} [\d:.]+ +\d+ (?=[\w./-]+:\d+\])"), r"\1 … "),
    # where Python and its packages are installed
    (re.compile(_FOLDERS + "/site-packages/"), "site-packages/"),
    (re.compile(_FOLDERS + r"/lib/(python3\.\d+)/"), r"\1/"),
]


class Cleaner:
    """Cleans the output of one job that ran in `directory` on the repository at `root`."""

    def __init__(self, root: Path, directory: Path):
        self._paths = [(f"{directory / 'cwd'}", "."), (f"{directory}", ".")]
        # The root itself is ".", what is below it is relative to it, "traced-2" is neither.
        self._root = re.compile(re.escape(str(root)) + r"(?:([\\/])|(?![\w-]|\.\w))")

    def __call__(self, raw: bytes | str) -> str:
        """The text of `raw`, clean."""
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
        text = text.encode("utf-8", "replace").decode("utf-8")  # no lone surrogates
        text = _TERMINAL.sub("", text.replace("\r\n", "\n"))
        text = _CONTROL.sub(_picture, text)
        for path, shown in self._paths:
            text = text.replace(path, shown)
        text = self._root.sub(lambda match: "" if match[1] else ".", text)
        for pattern, shown in _MASKS:
            text = pattern.sub(shown, text)
        return text


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code >= 0x80:
        return "\ufffd"
    return "\u2421" if code == 0x7F else chr(0x2400 + code)
