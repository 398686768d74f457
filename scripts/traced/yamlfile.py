"""YAML read into typed structs, with file and line for every fault in it.

msgspec checks the types; PyYAML's nodes know the lines, which msgspec does not report.
"""

from pathlib import Path
from typing import Any

import msgspec
import yaml

from traced.diagnostics import Diagnostic, Place

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_text(docs: Path, name: str, faults: list[Diagnostic]) -> str:
    """The text of docs/<name> with \\n line ends; "" and a diagnostic where it is not UTF-8."""
    raw = (docs / name).read_bytes()
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        place = Place(f"{docs.name}/{name}", raw.count(b"\n", 0, error.start) + 1)
        faults.append(Diagnostic("the file is not UTF-8", (place,)))
        return ""


class YamlSource:
    """One YAML document inside a file. Every fault found in it is appended to `faults`.

    `root` is the document's node, None where it is empty or cannot be parsed. `hint` says what the
    document should look like, `first` is the line of the file on which `text` starts.
    """

    def __init__(
        self, path: str, text: str, faults: list[Diagnostic], hint: str = "", first: int = 1
    ):
        self._path = path
        self._first = first
        self._faults = faults
        self._hint = hint
        self.root: yaml.Node | None = None
        try:
            self._loader = _Loader(text)
            self.root = self._loader.get_single_node()
        except yaml.YAMLError as error:
            # A character that YAML forbids has a position in bytes, all else has a mark.
            above = text.encode()[: getattr(error, "position", 0)].count(b"\n")
            self._report(error, Place(path, first + above))

    def place(self, node: yaml.Node) -> Place:
        """Where a node starts."""
        return Place(self._path, self._first + node.start_mark.line)

    def places(self, node: yaml.Node) -> dict[str, Place]:
        """Where each field of a mapping stands."""
        return {str(key.value): self.place(key) for key, _ in node.value}

    def struct[T: msgspec.Struct](self, node: yaml.Node, kind: type[T], closed: bool) -> T | None:
        """A mapping as a `kind`, or None and diagnostics for each of its faults.

        `closed` says that a field which `kind` does not have is a fault.
        """
        known = {field.name: field for field in msgspec.structs.fields(kind)}
        if not isinstance(node, yaml.MappingNode):
            self._fault("this is no mapping of fields to values", self.place(node))
            return None
        before = len(self._faults)
        values: dict[str, Any] = {}
        for key, value in node.value:
            name, place = str(key.value), self.place(key)
            if name in values:
                self._fault(f"the field {name!r} is given twice", place)
            elif name in known:
                values[name] = self._value(name, value, known[name].type)
            elif closed:
                self._fault(f"unknown field {name!r}", place)
        for name, field in known.items():
            if field.required and name not in values:
                self._fault(f"the field {name!r} is missing", self.place(node))
        return kind(**values) if len(self._faults) == before else None

    def _value(self, name: str, node: yaml.Node, kind: Any) -> Any:
        try:
            return msgspec.convert(self._loader.construct_object(node, deep=True), kind)
        except msgspec.ValidationError as error:
            self._fault(f"{name}: {error}", self.place(node))
        except (yaml.YAMLError, ValueError) as error:  # a date such as 2026-13-01 is the latter
            self._report(error, self.place(node))
        return None

    def _report(self, error: Exception, place: Place) -> None:
        mark = getattr(error, "problem_mark", None)
        cause = getattr(error, "problem", None) or str(error).splitlines()[0]
        if mark is not None:
            place = Place(self._path, self._first + mark.line)
        self._fault(f"not valid YAML: {cause}", place)

    def _fault(self, cause: str, place: Place) -> None:
        self._faults.append(Diagnostic(cause, (place,), self._hint))
