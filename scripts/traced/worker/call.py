"""A call, written as text, evaluated as far as the callee and its arguments, and traced."""

import ast
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A callee and what it is called with; `text` is the call as it was written."""

    text: str
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def evaluate(text: str, namespace: dict[str, Any]) -> Call:
    """The call in `text`, on names of `namespace`: everything but the call itself is evaluated.

    Raises ValueError where `text` is no call, SyntaxError where it is no Python, and whatever
    evaluating the callee or an argument raises.
    """
    node = ast.parse(text.strip(), "<lens>", mode="eval").body
    if not isinstance(node, ast.Call):
        raise ValueError(f"a lens needs a call such as attend(q, k), not {text!r}")

    def value(part: ast.expr) -> Any:
        return eval(compile(ast.Expression(part), "<lens>", "eval"), namespace)

    args: list[Any] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            args += value(argument.value)
        else:
            args.append(value(argument))
    kwargs: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            kwargs.update(value(keyword.value))
        else:
            kwargs[keyword.arg] = value(keyword.value)
    return Call(text.strip(), value(node.func), tuple(args), kwargs)


def trace(call: Call) -> Any:
    """The call as a jax.stages.Traced. A function that is jitted keeps its options.

    Of any other function, arguments that consist of integers, booleans, strings, functions and the
    like are constants, as in a call inside a program: jnp.sum(x, 1). Where there would be no other
    arguments, only those that JAX can't trace are.
    """
    import jax

    function = call.function
    if not hasattr(function, "trace"):
        arguments = [*enumerate(call.args), *call.kwargs.items()]
        constant = [name for name, value in arguments if _is_constant(value)]
        if len(constant) == len(arguments):
            constant = [name for name, value in arguments if not _traceable(value)]
        function = jax.jit(
            _hashable(function),
            static_argnums=[name for name in constant if isinstance(name, int)],
            static_argnames=[name for name in constant if isinstance(name, str)],
        )
    return function.trace(*call.args, **call.kwargs)


def _is_constant(argument: Any) -> bool:
    import jax

    leaves = jax.tree_util.tree_leaves(argument)
    if not leaves or any(isinstance(x, (float, complex)) or _is_array(x) for x in leaves):
        return False
    try:
        hash(argument)
    except TypeError:
        return False
    return True


def _traceable(argument: Any) -> bool:
    import jax

    leaves = jax.tree_util.tree_leaves(argument)
    return all(isinstance(x, (bool, int, float, complex)) or _is_array(x) for x in leaves)


def _is_array(value: Any) -> bool:
    return hasattr(value, "dtype")


def _hashable(function: Any) -> Any:
    """The function, or where it is an object that can't be hashed, one that calls it."""
    try:
        hash(function)
    except TypeError:

        def call(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        call.__name__ = type(function).__name__
        return call
    return function
