"""What is kept of a run: the output of each cell, and what it raised."""

import os

import pytest

from .conftest import Run
from .outcomes import said, written


def test_cells_share_a_namespace_and_keep_their_output_apart(run: Run) -> None:
    outcome = run("# %% a\nx = 1\nprint('one', x)\n# %% b\nprint('two', x + 1)\n")
    assert written(outcome) == [[("stdout", "one 1\n")], [("stdout", "two 2\n")]]


def test_both_streams_are_told_apart_in_the_order_they_were_written(run: Run) -> None:
    text = """\
# %% a
import os, subprocess, sys
print("1")
print("2", file=sys.stderr)
os.write(2, b"3\\n")
print("4")
os.write(1, b"5\\n")
subprocess.run(["echo", "6"])
print("7", file=sys.__stderr__)
print("8", end="")
sys.stderr.write("9")
"""
    assert written(run(text)) == [
        [
            ("stdout", "1\n"),
            ("stderr", "2\n3\n"),
            ("stdout", "4\n5\n6\n"),
            ("stderr", "7\n"),
            ("stdout", "8"),
            ("stderr", "9"),
        ]
    ]


def test_text_of_c_and_of_other_processes_is_caught(run: Run) -> None:
    text = """\
# %% a
import ctypes, subprocess, sys
ctypes.CDLL(None).puts(b"from C")
# %% b
subprocess.run([sys.executable, "-c", "print('from a process')"])
# %% c
ctypes.CDLL(None).perror(b"from C")
"""
    assert written(run(text)) == [
        [("stdout", "from C\n")],
        [("stdout", "from a process\n")],
        [("stderr", "from C: Success\n")],
    ]


def test_what_jax_prints_later_belongs_to_its_cell(run: Run) -> None:
    text = """\
# %% a
import jax, jax.numpy as jnp
x = jnp.ones((1000, 1000))
for _ in range(5):  # asynchronous, and so is what needs it
    x = jax.jit(lambda x: x @ x / 1000)(x)
jax.jit(lambda x: jax.debug.print("x = {}", x))(x[0, 0])
# %% b
print("done")
"""
    assert written(run(text)) == [[("stdout", "x = 1.0\n")], [("stdout", "done\n")]]


def test_what_jax_logs_does_not_tell_whether_a_program_was_compiled_before(run: Run) -> None:
    text = """\
# %% a
import jax
jax.config.update("jax_log_compiles", True)
print(jax.jit(lambda x: x * 4321)(2.0))
"""
    first = run(text)
    again = run(text + "# to run again\n")
    assert written(again) == written(first)
    assert "Finished XLA compilation" in said(first)


def test_a_snippet_may_do_to_its_streams_what_it_likes(run: Run) -> None:
    text = """\
# %% a
import io, os, sys
print("one")
sys.stdout = io.StringIO()
print("into the void")
# %% b
sys.stdout = sys.__stdout__
print("two")
sys.stdout.close()
# %% c
os.write(1, b"three\\n")
os.close(1)
# %% d
print("four", file=sys.stderr)
"""
    assert written(run(text)) == [
        [("stdout", "one\n")],
        [("stdout", "two\n")],
        [("stdout", "three\n")],
        [("stderr", "four\n")],
    ]


def test_a_cell_is_compiled_where_it_stands_in_the_file(run: Run) -> None:
    text = """\
# %% a
import inspect, warnings
def f():
    warnings.warn("careful")
# %% b
f()
print(f.__code__.co_filename, f.__code__.co_firstlineno, __name__)
print(inspect.getsource(f))
"""
    [_, b] = written(run(text))
    assert b == [
        ("stderr", 'snippets/c/a.py:4: UserWarning: careful\n  warnings.warn("careful")\n'),
        ("stdout", 'snippets/c/a.py 3 __main__\ndef f():\n    warnings.warn("careful")\n\n'),
    ]


def test_an_expected_exception_keeps_type_message_and_own_frames(run: Run) -> None:
    text = """\
# %% a raises=TracerBoolConversionError
import jax
def f(x):
    if x > 0:
        return x
jax.jit(f)(1.0)
# %% b
print("goes on")
"""
    outcome = run(text)
    assert said(outcome) == "goes on\n"
    raised = outcome.cells[0].raised
    assert raised
    assert raised.message.startswith("Attempted boolean conversion of traced array")
    assert "snippets/c/a.py:3" in raised.message and os.sep + "snippets" not in raised.message
    assert [(f.path, f.line, f.function) for f in raised.frames] == [
        ("snippets/c/a.py", 6, "<module>"),
        ("snippets/c/a.py", 4, "f"),
    ]


@pytest.mark.parametrize(
    "code, type_, message",
    [
        ("raise SystemExit(3)", "SystemExit", "3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("def f(): f()\nf()", "RecursionError", "maximum recursion depth exceeded"),
        (r"raise ValueError('\udcff \0 \x1b[1m')", "ValueError", "? ␀ "),
        (
            "class E(Exception):\n  def __str__(self): raise OSError\nraise E",
            "E",
            "<its message raised OSError>",
        ),
        ("exec('x = (')", "SyntaxError", "'(' was never closed (<string>, line 1)"),
        ("input()", "OSError", "a snippet has no standard input to read"),
        ("import sys; sys.stdin.readline()", "OSError", "a snippet has no standard input to read"),
        ("import sys; next(sys.stdin)", "OSError", "a snippet has no standard input to read"),
        ("import os; os.read(0, 1)", "OSError", "[Errno 9] Bad file descriptor"),
    ],
)
def test_whatever_is_raised_is_told(run: Run, code: str, type_: str, message: str) -> None:
    outcome = run(f"# %% a raises={type_}\n{code}\n")
    assert said(outcome) == ""
    raised = outcome.cells[0].raised
    assert raised and raised.message == message
