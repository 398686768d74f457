"""The text of an optimized HLO module, read into computations and their instructions.

What is read is Compiled.as_text(). XLA's "HLO text" documentation has the syntax; the tables
FileNames, FileLocations and StackFrames at its head say what a stack_frame_id means. (The
parent_frame_id that StackFrames prints is one more than the parent's number; it is not needed.)
"""

import re

from traced.worker.items import Group, Item, Parsed, Place, end_of, piece

_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
_COMPUTATION = re.compile(r"(ENTRY )?%?([\w.-]+) \(.*\) -> .*\{")
_INSTRUCTION = re.compile(r"  (?:ROOT )?(%?[\w.-]+) = ")
_OPCODE = re.compile(r" ?([\w-]+)\(")
_DROPPED = re.compile(r", (metadata|backend_config)=\{")
_PARTITIONS = re.compile(r'(?<="outer_dimension_partitions":)\[[^\]]+\]')
_NAME = re.compile(r"%([\w.-]+)")
_FIELD = re.compile(r"(\w+)=(\d+)")
_OP_NAME = re.compile(r'op_name="((?:[^"\\]|\\.)*)"')


def parse(text: str) -> Parsed:
    """Read a module. The text to be shown has no tables, no metadata and no backend_config."""
    places = _places(text)
    shown: list[str] = []
    items: list[Item] = []
    groups: list[Group] = []
    group = ""
    for line in without_tables(text):
        if match := _COMPUTATION.fullmatch(line):
            group = match[2]
            groups.append(Group(group, len(shown), len(shown)))
        elif match := _INSTRUCTION.match(line):
            line, metadata = _trimmed(line)
            item = _instruction(line, match, group)
            name = _OP_NAME.search(metadata)
            item.path = name[1] if name else ""
            item.place = places.get(int(dict(_FIELD.findall(metadata)).get("stack_frame_id", 0)))
            item.pieces.append(piece(len(shown), line))
            items.append(item)
        elif line == "}":
            groups[-1].last = len(shown)
        shown.append(line)
    names = {each.name for each in groups}
    for item in items:
        item.calls = [name for name in item.calls if name in names]
    return Parsed("\n".join(shown) + "\n", items, groups)


def without_tables(text: str) -> list[str]:
    """The lines of a module but those of its tables; one blank line where several follow."""
    lines: list[str] = []
    in_table = False
    for line in text.strip().splitlines():
        in_table = line in _TABLES or (in_table and line[:1].isdigit())
        if not in_table and (line or lines[-1]):
            lines.append(line)
    return lines


def reproducible(text: str, paths: dict[str, str]) -> str:
    """The module without what differs between machines: the names of files, replaced by `paths`,
    and how many threads a loop was divided among, which follows the number of cores.
    """
    for name, path in paths.items():
        text = text.replace(f' "{name}"\n', f' "{path}"\n')
    return _PARTITIONS.sub("[…]", text)


def file_names(text: str) -> list[str]:
    """The names in a module's table of files."""
    return [name.strip('"') for name in _table(text, "FileNames").values()]


def _table(text: str, name: str) -> dict[int, str]:
    match = re.search(rf"(?m)^{name}\n((?:\d+ .*\n)+)", text)
    rows = match[1].splitlines() if match else []
    return {int(number): row for number, _, row in (row.partition(" ") for row in rows)}


def _places(text: str) -> dict[int, Place]:
    """For each stack frame the position it stands for: that of the innermost frame."""
    files = {number: name.strip('"') for number, name in _table(text, "FileNames").items()}
    locations: dict[int, Place] = {}
    for number, row in _table(text, "FileLocations").items():
        entry = {key: int(value) for key, value in _FIELD.findall(row)}
        file = files.get(entry["file_name_id"], "")
        locations[number] = Place(file, entry["line"], entry["column"])
    frames = _table(text, "StackFrames").items()
    return {n: locations[int(dict(_FIELD.findall(row))["file_location_id"])] for n, row in frames}


def _trimmed(line: str) -> tuple[str, str]:
    """The instruction without metadata and backend_config, and the metadata."""
    metadata = ""
    while match := _DROPPED.search(line):
        end = end_of(line, match.end() - 1)
        if match[1] == "metadata":
            metadata = line[match.end() : end - 1]
        line = line[: match.start()] + line[end:]
    return line, metadata


def _instruction(line: str, match: re.Match[str], group: str) -> Item:
    """What a line `%name = shape opcode(operands), attributes` says; a tuple's shape has spaces."""
    start = match.end()
    start = end_of(line, start) if line[start] == "(" else line.index(" ", start)
    opcode = _OPCODE.match(line, start)
    if not opcode:
        return Item("", match[1], group, line)
    attributes = line[end_of(line, opcode.end() - 1) :]
    return Item(opcode[1], match[1], group, line, calls=_NAME.findall(attributes))
