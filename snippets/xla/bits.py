"""The same Python, other bits."""

# %% normalize
import jax
import jax.numpy as jnp
import numpy as np


def normalize(x):
    return x / x.sum(axis=1, keepdims=True)


counts = np.arange(1, 29, dtype=np.float32).reshape(4, 7)
by_numpy = normalize(counts)
by_jit = jax.jit(normalize)(counts)

# %% wrong raises="AssertionError"
np.testing.assert_array_equal(by_jit, by_numpy)

# %% right
np.testing.assert_allclose(by_jit, by_numpy, rtol=1e-6)

# %% reciprocal
lowered = jax.jit(normalize).lower(counts)
results = {
    "with jit": by_jit,
    "without jit": normalize(jnp.array(counts)),
    "without algsimp": lowered.compile({"xla_disable_hlo_passes": "algsimp"})(counts),
}
for name, by_jax in results.items():
    print(f"{name:15} {np.sum(by_numpy != by_jax)} of {counts.size} differ")


# %% fused
def error_of_square(x, rounded):
    return x * x - rounded


x = jnp.float32(1 + 2**-12)
rounded = x * x

# %% eager
print(error_of_square(x, rounded))

# %% jitted
error = jax.jit(error_of_square)(x, rounded)
print(error, error == 2**-24)

# %% facts
import math
from fractions import Fraction

from counts import fused

chosen = float(x) == 1 + 2**-12
_square = Fraction(float(x)) ** 2
missing = _square.numerator.bit_length() - (np.finfo(np.float32).nmant + 1)
eager_nothing = float(error_of_square(x, rounded)) == 0
_power = f"{math.log2(abs(error) or 1):g}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
left = f"2{_power}" if error else "nothing"
cut_off = Fraction(float(error)) == _square - Fraction(float(rounded))
_program = jax.jit(error_of_square).lower(x, rounded)
together = fused(_program.compile().as_text()) == [["multiply", "subtract"]]
gone_again = bool(_program.compile({"xla_disable_hlo_passes": "fusion"})(x, rounded) == 0)

_differ = [int((by_numpy != result).sum()) for result in results.values()]
differ, eager, without = _differ
size = counts.size
_long = np.random.default_rng(0).random((100, 1000), np.float32)
order = bool((jnp.array(_long).sum(axis=1) != _long.sum(axis=1)).any())
_large = np.full((1, 2), 1.6e38, np.float32)
underflows = normalize(_large).tolist() == [[0.5, 0.5]] and not jax.jit(normalize)(_large).any()
no_reciprocal = float(1 / jnp.float32(3.2e38)) == 0
_apart = np.abs(by_numpy - results["with jit"]) / np.spacing(by_numpy)
last_bit = bool((_apart <= 1).all())
