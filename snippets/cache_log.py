"""What JAX logs when it traces and compiles, as lines that do not change: shared by snippets."""

import logging
import re
import textwrap

# What differs from run to run: a function's id, the folder a file is in, a duration.
_CHANGING = (
    (re.compile(r"\bid=\d+(?= defined)"), "id=..."),
    (re.compile(r"\S*/(?=[\w.-]+\.py:\d)"), ""),
    (re.compile(r"\bin [\d.e+-]+ sec"), "in ... sec"),
    (re.compile(r"-[0-9a-f]{64}\b"), "-..."),
)
_PREAMBLE = re.compile(r"TRACING CACHE MISS(.*\n)+  all previously seen .*\n  ")


class _Printer(logging.Handler):
    def __init__(self, brief: bool, only: str) -> None:
        super().__init__()
        self.brief = brief
        self.only = only
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        for pattern, constant in _CHANGING:
            message = pattern.sub(constant, message)
        if self.only not in message:
            return
        self.messages.append(message)
        if not self.brief:
            print(_broken(message))
        elif "never seen function" not in message:
            print(_broken(_PREAMBLE.sub("", message)))


def _broken(message: str) -> str:
    """`message` with its long lines broken; what follows a break is indented further."""
    lines = []
    for line in message.splitlines():
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        whole = {"break_on_hyphens": False, "break_long_words": False}
        lines += textwrap.wrap(line, 80, subsequent_indent=indent, **whole)
    return "\n".join(lines)


def show_log(brief: bool = False, only: str = "") -> list[str]:
    """Print what JAX logs as warnings, and return the list that the messages go into, unbroken.

    `only` keeps the messages that contain it. `brief` prints of a tracing cache miss only what
    differs from the closest key, and nothing of the first trace of a function; the list has each
    message as a whole.
    """
    logger = logging.getLogger("jax")
    logger.handlers = [printer := _Printer(brief, only)]
    logger.propagate = False
    printer.setLevel(logging.WARNING)
    return printer.messages
