"""A lens drawn as HTML: one call through its layers. A pure function; all that ran is escaped.

Without a script, what there is stands one below the other, with a table of what became what.
Where scripts run, assets/lens.css shows one layer at a time, and assets/lens.js lights up what
belongs together (lenspanes.py says how it knows). Both toggle classes alone.
"""

import re
from collections.abc import Sequence
from html import escape

from traced.html import Caption
from traced.layers import Kind, Layer, Lens
from traced.lenspanes import DETAILS, KINDS, Panes
from traced.lenstable import table
from traced.strands import fusion_of

#: What a lens may have in elements: of what makes it more beautiful, as much is drawn as fits.
MOST = 1_500

_CHOICES = {"wide": "Widen", "types": "Hide types", "attributes": "Hide attributes", "wrap": "Wrap"}


def draw(
    lens: Lens,
    *,
    name: str = "lens",
    show: Sequence[Kind] = (),
    opened: Kind | None = None,
    caption: Caption | None = None,
    options: str = "",
) -> str:
    """The HTML of a lens: a <figure class="lens">, then what more there is, each in a <details>.

    `name` is the id of the figure, and with a dot the prefix of all other ids. `show` are the
    layers to show, all that were recorded if it is empty, `opened` is the one that is open at
    first. `caption` says what ran, `options` what XLA was told. Raises ValueError for a layer that
    was not recorded, and where the one to open is not shown.
    """
    layers = chosen(lens, show)
    opened = opened or layers[0].kind
    if opened not in [layer.kind for layer in layers]:
        raise ValueError(f"{opened} is not among the layers that are shown")
    for kept in DETAILS:
        html = _drawn(lens, layers, opened, name, kept, _caption(lens, caption, options))
        if len(re.findall(r"<[a-z]", html)) <= MOST:
            break
    return html


def chosen(lens: Lens, show: Sequence[Kind]) -> list[Layer]:
    """The layers of a lens that `show` names, from the top. Raises ValueError."""
    recorded = [layer.kind for layer in lens.layers]
    if missing := [kind for kind in show if kind not in recorded]:
        raise ValueError(f"{', '.join(missing)} was not recorded")
    return [layer for layer in lens.layers if not show or layer.kind in show]


def _drawn(
    lens: Lens, layers: list[Layer], opened: Kind, name: str, kept: frozenset[str], caption: str
) -> str:
    panes = Panes(lens, name, kept)
    texts = panes.texts()
    classes = f"listing lens lens-{KINDS[opened][2]}"
    if any(equation.phase for equation in lens.equations):
        classes += " phases"
    call = escape(lens.call)
    return "\n".join(
        [
            f'<figure class="{classes}" id="{name}" style="{_size(lens, layers, opened)}" '
            "data-search-exclude>",
            _targets(name, list(texts)),
            '<div class="cols highlight">',
            _column("py", f"Source of {call}", "Python", panes.source()),
            _status(call, ", ".join(map(_count, layers))),
            _bar(layers, opened, name, kept),
            *(_layer(layer, call, panes) for layer in layers),
            "</div>",
            '<p class="live" role="status"></p>',
            caption,
            "</figure>",
            _more("What became what", table(lens, layers, name, texts)),
            *(_whole(layer) for layer in layers if layer.whole),
        ]
    )


def _size(lens: Lens, layers: list[Layer], opened: Kind) -> str:
    """How high it will be, for the browser to leave it alone until it is scrolled to."""
    (lines,) = (layer.text.count("\n") for layer in layers if layer.kind == opened)
    source = sum(listing.text.count("\n") * 1.28 + 2 for listing in lens.listings)
    return f"--height:{source + 6:.0f}rem;--lines:{lines}"


def _targets(name: str, badges: list[int]) -> str:
    """Where links to expressions lead. Without a script they light up what has its number."""
    targets = "".join(f'<span class="at" id="{name}.{badge}"></span>' for badge in badges)
    lit = [f'[id="{name}.{n}"]:target~.cols [data-e~="{n}"]' for n in badges]
    selectors = ",".join([f'[id="{name}"] :target', *lit])
    bar = "box-shadow:inset 3px 0 var(--md-code-hl-color)"
    look = f"background:var(--md-code-hl-color--light);{bar}"
    return f"{targets}<noscript><style>{selectors}{{{look}}}</style></noscript>"


def _status(call: str, counts: str) -> str:
    """A line that says what is lit; at first, what there is."""
    hint = "Click or Enter pins, Esc unpins."
    unpin = '<button type="button" hidden>Unpin</button>'
    return f'<p class="now"><code>{call}</code> <span>{counts}. {hint}</span> {unpin}</p>'


def _bar(layers: list[Layer], opened: Kind, name: str, kept: frozenset[str]) -> str:
    """Tabs for the layers, and what else a reader can choose; for the script."""
    tabs = "".join(
        f'<label><input type="radio" name="{name}" value="{KINDS[layer.kind][2]}" '
        f'autocomplete="off"{" checked" if layer.kind == opened else ""}> '
        f"{escape(_titled(layer))}</label>"
        for layer in layers
    )
    switches = "".join(
        f'<label class="{value}"><input type="checkbox" value="{value}" autocomplete="off"> '
        f"{words}</label>"
        for value, words in _CHOICES.items()
        if kept or value in ("wide", "wrap")
    )
    group = f'<div class="tabs" role="radiogroup" aria-label="Layer">{tabs}</div>'
    return f'<div class="bar">{group}{switches}</div>'


def heading(layer: Layer) -> str:
    """What stands above a layer: its name, and how much in it comes from equations."""
    return f"{_titled(layer)}: {_count(layer)}"


def _layer(layer: Layer, call: str, panes: Panes) -> str:
    _, _, letter = KINDS[layer.kind]
    fault = ""
    if layer.fault:
        fault = f"<p>Links are inferred here: {escape(layer.fault)}</p>"
    label = f"{escape(_titled(layer))} of {call}"
    return _column(letter, label, escape(heading(layer)), panes.layer(layer), fault)


def _column(name: str, label: str, title: str, text: str, note: str = "") -> str:
    """A titled box that scrolls, can be focused to scroll it by key, and has a name."""
    return (
        f'<div class="col c-{name}"><p class="title">{title}</p>{note}'
        f'<div class="pane" tabindex="0" role="group" aria-label="{label}">{text}</div></div>'
    )


def _titled(layer: Layer) -> str:
    title = KINDS[layer.kind][0]
    return title if layer.platform in ("", "cpu") else f"{title} for {layer.platform}"


def _count(layer: Layer) -> str:
    """What of a layer computes: "16 ops", "5 fusions, 2 other instructions".

    Of HLO what comes from equations; of StableHLO the constants that were literals, too.
    """
    made = [item for item in layer.items if item.equations]
    if layer.kind != "hlo":
        literals = [item for item in layer.items if item.reason == "literal"]
        return _counted(len(made) + len(literals), KINDS[layer.kind][1])
    fusions = [item for item in made if item.opcode == "fusion"]
    others = len([i for i in made if fusion_of(layer, i.group) is None]) - len(fusions)
    if not fusions:
        return _counted(others, "instruction")
    said = _counted(len(fusions), "fusion")
    return f"{said}, {_counted(others, 'other instruction')}" if others else said


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _whole(layer: Layer) -> str:
    title = f"{KINDS[layer.kind][0]} untrimmed, {_counted(layer.whole.count(chr(10)), 'line')}"
    text = escape(layer.whole)
    return _more(title, f'<pre tabindex="0" role="group" aria-label="{title}">{text}</pre>')


def _more(title: str, inner: str) -> str:
    return f"<details data-search-exclude><summary>{title}</summary>{inner}</details>"


def _caption(lens: Lens, caption: Caption | None, options: str) -> str:
    said = f"<code>{escape(lens.call)}</code>"
    if caption:
        said += f" in {escape(caption.path)}, followed with {escape(caption.tools)}"
    if options:
        said += f"; XLA was told <code>{escape(options)}</code>"
    return f"<figcaption>{said}</figcaption>"
