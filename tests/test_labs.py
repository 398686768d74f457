from pathlib import Path

import nbformat

from traced import labs
from traced.project import Project

AREA = """<div class="jp-OutputArea-child">
<div class="jp-RenderedText {}" tabindex="0">
<pre>{}</pre>
</div>
</div>
"""
STDOUT = 'jp-OutputArea-output" data-mime-type="text/plain'


def test_what_a_kernel_sent_in_pieces_is_one_text() -> None:
    pieces = AREA.format(STDOUT, "one\n") + AREA.format(STDOUT, "two\n")
    whole = AREA.format(STDOUT, "one\ntwo\n")
    assert labs.tidy(pieces) == labs.tidy(whole)


def test_standard_error_stays_apart() -> None:
    stderr = STDOUT.replace("text/plain", "application/vnd.jupyter.stderr")
    html = AREA.format(STDOUT, "one\n") + AREA.format(stderr, "two\n")
    assert labs.tidy(html).count("<pre") == 2


def test_random_ids_go_and_listings_are_not_searched() -> None:
    html = '<div class="jp-Cell" id="cell-id=1f2e3d"><pre>x</pre></div>'
    assert labs.tidy(html) == '<div class="jp-Cell"><pre data-search-exclude>x</pre></div>'
    copied = '<div class="clipboard-copy-txt" id="cell-1">x</div>'
    assert labs.tidy(copied) == copied.replace(" id", " data-search-exclude id")


def test_an_unreadable_cache_entry_goes_and_the_others_stay(tmp_path: Path) -> None:
    settings = {"cache_dir": ""}
    project = Project(tmp_path)
    labs.keep_cache(project, settings)
    cache = Path(settings["cache_dir"])
    cache.mkdir(parents=True)
    (cache / "good.json").write_text("{}")
    (cache / "cut.json").write_text('{"content": "half of')
    labs.keep_cache(project, settings)
    assert [file.name for file in cache.iterdir()] == ["good.json"]


def test_the_same_lab_is_the_same_notebook(tmp_path: Path) -> None:
    source = tmp_path / "lab.py"
    source.write_text("# %% [markdown]\n# # Lab\n\n# %%\n1 + 1\n")
    for name in ("a.ipynb", "b.ipynb"):
        labs.write_notebook(source, tmp_path / name)
    assert (tmp_path / "a.ipynb").read_bytes() == (tmp_path / "b.ipynb").read_bytes()
    cells = nbformat.read(tmp_path / "a.ipynb", as_version=4).cells
    assert [cell.cell_type for cell in cells] == ["markdown", "code"]
