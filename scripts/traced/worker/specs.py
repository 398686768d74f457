"""Arguments written as their avals: `f32[4,8]` is an array of that shape and dtype, not made."""

import re
from typing import Any

# As jaxprs abbreviate dtypes, see jax._src.core.
_DTYPES = {
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "bf16": "bfloat16",
    "c64": "complex64",
    "c128": "complex128",
    "bool": "bool",
}
_SCALAR = re.compile(rf"\b({'|'.join(_DTYPES)})\[\s*\]")


class _Spec:
    def __init__(self, dtype: str):
        self._dtype = dtype

    def __getitem__(self, shape: Any) -> Any:
        import jax

        return jax.ShapeDtypeStruct(shape if isinstance(shape, tuple) else (shape,), self._dtype)


class _Bool(_Spec):
    """Both the dtype in `bool[4]` and the builtin in `bool(x)`."""

    def __call__(self, value: Any = False) -> bool:
        return bool(value)


def namespace() -> dict[str, Any]:
    """The names of all dtypes, for an expression to subscript with a shape."""
    return {name: (_Bool if name == "bool" else _Spec)(dtype) for name, dtype in _DTYPES.items()}


def as_python(text: str) -> str:
    """The text with `f32[]`, which is no Python, as `f32[()]`."""
    return _SCALAR.sub(r"\1[()]", text)
