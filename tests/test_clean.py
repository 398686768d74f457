"""What a snippet wrote, made fit for a page."""

from pathlib import Path

import pytest

from traced.clean import Cleaner

ROOT, JOB = "/home/ada/traced", "/tmp/traced-x1y2"

clean = Cleaner(Path(ROOT), Path(JOB))


@pytest.mark.parametrize(
    "raw, shown",
    [
        (b"caf\xe9", "caf\ufffd"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        ("lone \ud800 surrogate", "lone ? surrogate"),
        (b"a\0b", "a␀b"),
        ("bell\a back\b delete\x7f", "bell␇ back␈ delete␡"),
        ("  1%\r 99%\r", "  1%␍ 99%␍"),
        ("next\x85line \x9b31m", "next\ufffdline \ufffd31m"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("café ≤ λ 🙂", "café ≤ λ 🙂"),
    ],
)
def test_what_is_no_text_becomes_visible(raw: bytes | str, shown: str) -> None:
    assert clean(raw) == shown


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[1;31m",
        "\x1b[0m",
        "\x1b[38:2::255:0:0m",
        "\x1b[?25l",
        "\x1b[2K",
        "\x1b]0;title\a",
        "\x1b]8;;https://example.org\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1b_secret\x1b\\",
        "\x1bM",
        "\x1b(B",
        "\x1b7",
        "\x1bc",
    ],
)
def test_sequences_for_terminals_go(sequence: str) -> None:
    assert clean(f"a{sequence}b") == "ab"


def test_an_escape_that_starts_no_sequence_stays_visible() -> None:
    assert clean("a\x1b") == "a␛"


@pytest.mark.parametrize(
    "raw, shown",
    [
        ("<function f at 0x7f12ab34cd56>", "<function f at 0x…>"),
        ("WriteEffect(Var(id=139772953346736):Ref{f32[4]})", "WriteEffect(Var(id=…):Ref{f32[4]})"),
        ("object id 139772953346736", "object id …"),
        ("Finished tracing f for jit in 0.000123 sec", "Finished tracing f for jit in … sec"),
        ("done in 1.2e-05 s", "done in … s"),
        (
            "W1129 15:02:11.123456   12345 cpu_client.cc:12] slow",
            "W … cpu_client.cc:12] slow",
        ),
        (
            "E0000 00:00:1732892531.123456   12345 a/b-c.cc:12] bad",
            "E … a/b-c.cc:12] bad",
        ),
    ],
)
def test_what_differs_from_run_to_run_is_masked(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@pytest.mark.parametrize(
    "raw",
    [
        "stablehlo.constant dense<0xFF800000> : tensor<f32>",
        "look at f32[4,8]",
        "id=12345678",
        "computed in 3 steps",
        "W is a matrix",
        "a/lib/b",
        "1 < 2 & 3 > 2",
    ],
)
def test_what_a_program_says_stays(raw: str) -> None:
    assert clean(raw) == raw


@pytest.mark.parametrize(
    "raw, shown",
    [
        (f"{ROOT}/snippets/c/a.py:3: UserWarning", "snippets/c/a.py:3: UserWarning"),
        (f"PosixPath('{ROOT}')", "PosixPath('.')"),
        (f"{ROOT}-2/snippets", f"{ROOT}-2/snippets"),
        (f"{JOB}/cwd", "."),
        (f"{JOB}/cwd/data.npz", "./data.npz"),
        (f'"{ROOT}/.venv/lib/python3.13/site-packages/jax/a.py"', '"site-packages/jax/a.py"'),
        ('File "/usr/lib/python3.13/json/a.py", line 3', 'File "python3.13/json/a.py", line 3'),
        ("(/opt/py/lib/python3.12/a.py)", "(python3.12/a.py)"),
    ],
)
def test_paths_of_the_machine_go(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@pytest.mark.parametrize("text", ["x", "/lib/", "\x1b]", "in 1"])
def test_a_long_line_is_no_trouble(text: str) -> None:
    """Anything but linear, and this takes hours."""
    assert len(clean(text * (1_000_000 // len(text)))) <= 1_000_000


def test_cleaning_what_is_clean_changes_nothing() -> None:
    dirty = f"\x1b[1mcaf\ud800\0 at 0x7f12ab34cd56 in 0.5 sec {ROOT}/a.py {JOB}/cwd/b\r\n"
    assert clean(clean(dirty)) == clean(dirty) == "caf?␀ at 0x… in … sec a.py ./b\n"
