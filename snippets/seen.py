"""What a transformation hands to a function: shared by snippets."""

import jax

__all__ = ["jvp", "kind", "layers", "raises", "seen"]


def jvp(function):
    """`jax.jvp` in the form of the other transformations, for a tangent of 1.0."""
    return lambda x: jax.jvp(function, (x,), (1.0,))


def seen(transform, *args):
    """The argument that a function of one argument gets in `transform(function)(*args)`."""
    arguments = []

    def square(x):
        arguments.append(x)
        return x * x

    transform(square)(*args)
    return arguments[0]


def kind(x):
    """What kind of tracer `x` is, by the name it prints: "JitTracer"; "" if it is none."""
    return str(x).partition("(")[0] if isinstance(x, jax.core.Tracer) else ""


def layers(x):
    """The kind of `x`, of what it wraps, and so on; last the text of a value, if there is one."""
    found = []
    while kind(x):
        found.append(kind(x))
        if found[-1] == "JitTracer":
            return found
        x = x.val if found[-1] == "VmapTracer" else x.primal
    return [*found, str(x)]


def raises(transform, question, *args):
    """The name of the error that `question(x)` raises in a function under `transform`; or ""."""
    errors = []

    def asked(x):
        try:
            question(x)
        except Exception as error:
            errors.append(type(error).__name__)
        return x * 1.0

    transform(asked)(*args)
    return errors[0] if errors else ""
