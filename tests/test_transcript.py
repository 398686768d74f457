"""A job's directory read back: the two streams cut into cells, in the order they were written."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from traced import transcript
from traced.runs import CellResult, Chunk, Frame
from traced.worker.streams import mark_bytes

NONCE = "0f" * 16  # begins with a digit, as ten in sixteen do

Written = list[tuple[str, str | bytes]]
Read = Callable[..., transcript.Transcript]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes a job as streams.py would, and reads it.

    What is written is a list of ("out" or "err", text), and of marks as ("mark", label).
    """

    def go(
        written: Written, names: str = "ab", report: object = None, nonce: str = NONCE
    ) -> transcript.Transcript:
        out, err = bytearray(), bytearray()
        for where, what in written:
            raw = what if isinstance(what, bytes) else what.encode()
            if where == "mark":
                out += mark_bytes(nonce, str(what))
                err += mark_bytes(nonce, str(what))
            else:
                (out if where == "out" else err).extend(raw)
        (tmp_path / "stdout").write_bytes(out)
        (tmp_path / "stderr").write_bytes(err)
        if report is not None:
            (tmp_path / "report.json").write_text(json.dumps(report))
        return transcript.read(tmp_path, nonce, list(names), Path("/repo"))

    return go


def output(cell: CellResult) -> list[tuple[str, str]]:
    return [(chunk.stream, chunk.text) for chunk in cell.output]


BEGIN_A, END_A = ("mark", "begin:0"), ("mark", "end:0")
BEGIN_B, END_B = ("mark", "begin:1"), ("mark", "end:1")
TURN = ("mark", "turn")


@pytest.mark.parametrize("nonce", ["0f" * 16, "12" * 16, "ab" * 16])
def test_each_cell_has_what_it_wrote(read: Read, nonce: str) -> None:
    written = [BEGIN_A, ("out", "one\n"), END_A, BEGIN_B, ("out", "two\n"), END_B]
    found = read(written, nonce=nonce)
    assert [output(cell) for cell in found.cells] == [[("stdout", "one\n")], [("stdout", "two\n")]]
    assert (found.reached, found.unclaimed) == (1, "")


def test_streams_keep_the_order_in_which_they_took_turns(read: Read) -> None:
    written = [BEGIN_A, ("out", "1"), TURN, ("err", "2"), TURN, ("out", "3"), END_A]
    [cell] = read(written).cells
    assert output(cell) == [("stdout", "1"), ("stderr", "2"), ("stdout", "3")]


def test_of_what_came_between_two_marks_standard_output_is_first(read: Read) -> None:
    [cell] = read([BEGIN_A, ("err", "1"), ("out", "2"), END_A]).cells
    assert output(cell) == [("stdout", "2"), ("stderr", "1")]


def test_nothing_is_known_beyond_the_limit(read: Read) -> None:
    """Not even which cells came: the one that passed it must be the last."""
    written = [BEGIN_A, ("out", "1" * 600_000), TURN, ("err", "2" * 600_000), END_A]
    found = read([*written, BEGIN_B, ("out", "3"), END_B])
    assert found.reached == 0
    [cell] = found.cells
    assert output(cell) == [("stdout", "1" * 600_000), ("stderr", "2" * 400_000)]


def test_consecutive_text_of_one_stream_is_one_chunk(read: Read) -> None:
    written = [BEGIN_A, ("out", "1"), TURN, TURN, ("out", "2"), TURN, ("out", b"\xc3\xa9"), END_A]
    assert read(written).cells[0].output == (Chunk("stdout", "12é"),)


def test_a_character_cut_by_a_turn_is_whole_where_nothing_came_between(read: Read) -> None:
    [cell] = read([BEGIN_A, ("out", b"\xc3"), TURN, ("out", b"\xa9"), END_A]).cells
    assert output(cell) == [("stdout", "é")]


def test_what_a_thread_writes_after_the_end_of_its_cell_is_that_cell_s(read: Read) -> None:
    written = [BEGIN_A, ("out", "1"), END_A, ("out", "late"), BEGIN_B, ("out", "2"), END_B]
    found = read([*written, ("err", "later")])
    assert output(found.cells[0]) == [("stdout", "1late")]
    assert output(found.cells[1]) == [("stdout", "2"), ("stderr", "later")]


def test_what_comes_before_the_first_cell_is_nobody_s(read: Read) -> None:
    found = read([("err", "Traceback: no jax\n")])
    assert (found.cells, found.reached, found.unclaimed) == ((), -1, "Traceback: no jax\n")


def test_cells_that_were_never_reached_are_left_out(read: Read) -> None:
    found = read([BEGIN_A, ("out", "1")], "abc")
    assert [cell.name for cell in found.cells] == ["a"]
    assert found.reached == 0


def test_a_job_killed_between_the_two_marks_of_a_boundary(read: Read, tmp_path: Path) -> None:
    read([BEGIN_A, ("out", "1"), ("err", "2"), END_A])
    with (tmp_path / "stdout").open("ab") as stdout:
        stdout.write(mark_bytes(NONCE, "begin:1"))
    found = transcript.read(tmp_path, NONCE, ["a", "b"], Path("/repo"))
    assert found.reached == 1
    assert [output(c) for c in found.cells] == [[("stdout", "1"), ("stderr", "2")], []]


@pytest.mark.parametrize("kept", [1, 20, 41])
def test_a_mark_that_was_cut_off_is_no_mark(read: Read, tmp_path: Path, kept: int) -> None:
    read([BEGIN_A, ("out", "1")])
    with (tmp_path / "stdout").open("ab") as stdout:
        stdout.write(mark_bytes(NONCE, "begin:1")[:kept])
    found = transcript.read(tmp_path, NONCE, ["a", "b"], Path("/repo"))
    assert found.reached == 0
    assert output(found.cells[0])[0][1].startswith("1")


def test_what_only_looks_like_a_mark_is_output(read: Read) -> None:
    fake = "\0" + "00" * 16 + ":begin:1\0"
    found = read([BEGIN_A, ("out", fake), END_A])
    assert found.reached == 0
    assert output(found.cells[0]) == [("stdout", "␀" + "00" * 16 + ":begin:1␀")]


def test_a_job_that_left_nothing_is_read_all_the_same(tmp_path: Path) -> None:
    found = transcript.read(tmp_path / "gone", NONCE, ["a"], Path("/repo"))
    assert (found.cells, found.reached, found.report) == ((), -1, None)


REPORT = {
    "cells": [
        {
            "name": "a",
            "raised": {
                "type": "TypeError",
                "message": "no \x1b[1m/repo/snippets/c/a.py",
                "frames": [{"path": "snippets/c/a.py", "line": 2, "function": "f"}],
            },
            "facts": [],
        }
    ],
    "read": {"snippets/helper.py": "00"},
    "toolchain": {"python": "1", "jax": "2", "jaxlib": "3", "numpy": "4", "platform": "cpu"},
    "threads": [],
    "children": 0,
}


def test_what_a_cell_raised_comes_from_the_report_and_is_cleaned(read: Read) -> None:
    found = read([BEGIN_A, END_A], report=REPORT)
    raised = found.cells[0].raised
    assert raised and (raised.type, raised.message) == ("TypeError", "no snippets/c/a.py")
    assert raised.frames == (Frame("snippets/c/a.py", 2, "f"),)
    assert found.report and found.report.read == {"snippets/helper.py": "00"}


@pytest.mark.parametrize("report", [{}, [], {**REPORT, "children": "two"}])
def test_a_report_that_is_none_is_none(read: Read, report: object) -> None:
    found = read([BEGIN_A, ("out", "1"), END_A], report=report)
    assert found.report is None
    assert output(found.cells[0]) == [("stdout", "1")]


def test_a_report_cut_short_is_none(read: Read, tmp_path: Path) -> None:
    read([BEGIN_A], report=REPORT)
    whole = (tmp_path / "report.json").read_bytes()
    (tmp_path / "report.json").write_bytes(whole[: len(whole) // 2])
    assert transcript.read(tmp_path, NONCE, ["a"], Path("/repo")).report is None
