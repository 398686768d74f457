"""The text of a StableHLO module with its locations, read into operations.

What is read is Lowered.as_text(debug_info=True). MLIR's documentation has the syntax of locations
(Builtin dialect, "Location Attributes"); JAX writes the name stack as a named location, around the
chain of call sites.
"""

import re

from traced.worker.items import Group, Item, Parsed, Place, end_of, end_of_string, piece

_ALIAS = re.compile(r"(#loc\d*) = loc\((.*)\)")
_OPERATION = re.compile(r'\s*(?:(%[\w:]+)(?:, %[\w:]+)* = )?"?((?:[a-z_]\w*\.)+\w+|\w+)"?')
_BARE = ("module", "return", "call")  # operations that are printed without their dialect
_SYMBOL = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([\w.$-]+))')
_POSITION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_NAMED = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\((.*)\))?')
_BLOB = re.compile(r"[0-9A-Za-z+/]{120,}={0,2}")


def parse(text: str) -> Parsed:
    """Read a module. The text to be shown is that without locations, and long blobs cut short."""
    aliases = {m[1]: m[2] for line in text.splitlines() if (m := _ALIAS.fullmatch(line))}
    shown: list[str] = []
    items: list[Item] = []
    groups: list[Group] = []
    open_items: list[Item] = []  # operations whose regions have not ended
    group = ""
    for line in text.splitlines():
        if _ALIAS.fullmatch(line):
            continue
        line, location = _without_locations(line)
        line = _BLOB.sub(lambda match: match[0][:16] + "…", line)
        item = _operation(line, group)
        if item:
            items.append(item)
            open_items.append(item)
            if item.opcode == "func.func":
                group = item.group = item.name
                groups.append(Group(group, len(shown), len(shown)))
        if open_items:
            open_items[-1].pieces.append(piece(len(shown), line))
        shown.append(line)
        if location and open_items:
            ended = open_items.pop()
            if ended.opcode == "func.func":
                groups[-1].last = len(shown) - 1
                group = ""  # its location is that of the first call; it is linked with all calls
            else:
                ended.path, ended.place = _resolve(location, aliases)
    names = {each.name for each in groups}
    for item in items:
        item.calls = [name for name in item.calls if name in names and name != item.group]
    return Parsed("\n".join(shown) + "\n", items, groups)


def _operation(line: str, group: str) -> Item | None:
    match = _OPERATION.match(line)
    if not match or not ("." in match[2] or match[2] in _BARE):
        return None
    symbols = [quoted or plain for quoted, plain in _SYMBOL.findall(line)]
    opcode = match[2]
    if opcode == "func.func":
        return Item(opcode, symbols[0], group, line)
    name = (match[1] or "").partition(":")[0]
    return Item(opcode, name, group, line, calls=symbols)


def _without_locations(line: str) -> tuple[str, str]:
    """The line without any loc(...), and what stands in the last one if the line ends with it."""
    kept: list[str] = []
    location = ""
    start = index = 0
    while index < len(line):
        if line[index] == '"':
            index = end_of_string(line, index)
        elif line.startswith(" loc(", index):
            end = end_of(line, index + len(" loc"))
            kept.append(line[start:index])
            location = line[index + len(" loc(") : end - 1] if end == len(line) else ""
            start = index = end
        else:
            index += 1
    return "".join([*kept, line[start:]]), location


def _resolve(location: str, aliases: dict[str, str]) -> tuple[str, Place | None]:
    """The name that a location gives, and the innermost position in it."""
    path = ""
    while True:
        location = aliases.get(location, location)
        if match := _POSITION.match(location):
            return path, Place(match[1], int(match[2]), int(match[3]))
        if location.startswith("callsite("):
            location = location[len("callsite(") :].partition(" at ")[0]
        elif location.startswith("fused"):
            location = location.partition("[")[2].partition(",")[0].rstrip("]")
        elif match := _NAMED.fullmatch(location):
            if not match[1].endswith(":"):  # "shard_map:" is the type of what is named further in
                path = path or match[1]
            if not match[2]:
                return path, None
            location = match[2]
        else:
            return path, None
