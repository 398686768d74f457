"""HLO text cut down to what a reader reads: shared by the snippets that print it."""

import re

# XLA's CPU backend hands parts of a program to a library of ready kernels, and its text then
# says no more than that. Without the library the text shows plain instructions.
PLAIN = {"xla_cpu_experimental_ynn_fusion_type": ""}

_TABLES = re.compile(r"^(FileNames|FunctionNames|FileLocations|StackFrames)\n(.+\n)*\n*", re.M)
_ATTRIBUTES = re.compile(r", (metadata|backend_config)=\{.*$", re.M)
_PARTITIONING = re.compile(r", allow_spmd_\w+=\{[\w,]*\}")
_INSTRUCTION = re.compile(r"^ +(?:ROOT )?%?[\w.-]+ = .*$", re.M)


def trim(text: str) -> str:
    """`text` without the tables of source positions, `metadata` and `backend_config`.

    The two attributes stand last on a line, so what follows them goes too.
    """
    for noise in (_TABLES, _ATTRIBUTES, _PARTITIONING):
        text = noise.sub("", text)
    return text.strip()


def instructions(text: str) -> list[str]:
    """The instruction lines of `text`, those of every computation, trimmed."""
    return [line.strip() for line in _INSTRUCTION.findall(trim(text))]


def entry(text: str) -> str:
    """The entry computation of `text` alone, trimmed."""
    return "ENTRY " + trim(text).partition("\nENTRY ")[2]
