"""What equations became is told as far as a lens recorded it, and no further."""

import pytest

from traced.layers import Equation, Item, Kind, Layer, Lens, Reason
from traced.lowered import Became, Lowered, becomes, comes_from, lowered

SCAN, MUL, STOP, DIV = range(4)
EQUATIONS = (
    Equation("scan"),
    Equation("mul", parents=(SCAN,)),
    Equation("stop_gradient"),
    Equation("div"),
)


def lens(*layers: Layer, equations: tuple[Equation, ...] = EQUATIONS) -> Lens:
    return Lens("f(x)", (), (), (), equations, layers)


def layer(kind: Kind, *items: Item, fault: str = "") -> Layer:
    return Layer(kind, "", items, (), fault=fault)


OPS = layer(
    "stablehlo",
    Item("stablehlo.while", equations=(SCAN,)),
    Item("stablehlo.multiply", equations=(MUL,)),
    Item("stablehlo.divide", equations=(DIV,)),
    Item("stablehlo.broadcast_in_dim", equations=(DIV,)),
    Item("stablehlo.divide", equations=(DIV,)),
    Item("func.return", reason="result"),
)
OPCODES = layer(
    "hlo",
    Item("fusion", equations=(MUL, DIV)),
    Item("multiply", equations=(MUL,)),
    Item("divide", equations=(DIV,)),
)


def test_each_equation_has_the_names_of_what_was_made_for_it() -> None:
    assert lowered(lens(OPS, OPCODES)) == {
        Lowered("mul", ("stablehlo.multiply",), ("fusion", "multiply")),
        Lowered("stop_gradient", (), ()),
        Lowered("div", ("stablehlo.broadcast_in_dim", "stablehlo.divide"), ("divide", "fusion")),
    }


def test_a_layer_that_is_not_there_tells_nothing() -> None:
    assert lowered(lens()) == {Lowered("mul"), Lowered("stop_gradient"), Lowered("div")}
    faulty = layer("stablehlo", *OPS.items, fault="no marks")
    assert lowered(lens(faulty)) == lowered(lens())


@pytest.mark.parametrize(("inferred", "reason"), [(True, ""), (False, "library")])
def test_one_item_that_is_not_recorded_makes_all_of_its_equations_unknown(
    inferred: bool, reason: Reason
) -> None:
    guessed = Item("stablehlo.add", equations=(DIV, STOP), inferred=inferred, reason=reason)
    known = lowered(lens(layer("stablehlo", *OPS.items, guessed)))
    assert known == {
        Lowered("mul", ("stablehlo.multiply",)),
        Lowered("stop_gradient"),
        Lowered("div"),
    }


def test_nothing_is_said_of_an_inner_equation_that_left_no_mark() -> None:
    found = lowered(lens(layer("stablehlo", Item("stablehlo.while", equations=(SCAN,)))))
    assert Lowered("mul") in found
    assert Lowered("div", ()) in found


FOUND = [
    Lowered("div", ("b", "d"), ("divide", "multiply")),
    Lowered("div", ("d",), ("divide",)),
    Lowered("div", ("d",)),
    Lowered("sub", ("b", "s"), ("subtract",)),
    Lowered("stop_gradient", (), ()),
    Lowered("sin"),
    Lowered("transpose", ("t",), ()),
]


@pytest.mark.parametrize(
    ("kind", "name", "ways"),
    [
        ("jaxpr", "div", [Became(("b", "d")), Became(("d",))]),
        ("jaxpr", "stop_gradient", [Became(())]),
        ("jaxpr", "sin", []),
        ("jaxpr", "d", []),
        (
            "stablehlo",
            "b",
            [Became(("divide", "multiply"), ("d",)), Became(("subtract",), ("s",))],
        ),
        ("stablehlo", "d", [Became(("divide",)), Became(("divide", "multiply"), ("b",))]),
        ("stablehlo", "t", [Became(())]),
        ("stablehlo", "div", []),
        ("hlo", "divide", []),
    ],
)
def test_what_a_name_became(kind: Kind, name: str, ways: list[Became]) -> None:
    assert becomes(FOUND, kind, name) == ways


@pytest.mark.parametrize(
    ("kind", "name", "primitives"),
    [
        ("stablehlo", "b", ["div", "sub"]),
        ("stablehlo", "divide", []),
        ("hlo", "divide", ["div"]),
        ("hlo", "d", []),
        ("jaxpr", "div", []),
    ],
)
def test_what_a_name_comes_from(kind: Kind, name: str, primitives: list[str]) -> None:
    assert comes_from(FOUND, kind, name) == primitives
