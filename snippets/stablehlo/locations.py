"""The module again, with the place in Python that each op came from."""

# %% lower
import jax
import jax.numpy as jnp


def attend(q, k):
    return jax.nn.softmax(q @ k.T)


q = k = jax.ShapeDtypeStruct((4, 8), jnp.float32)
text = jax.jit(attend).lower(q, k).as_text(debug_info=True)

# %% located
import re

print(re.sub(r'"[^"\n]*/snippets/', '"snippets/', text))

# %% count
names = dict(re.findall(r'^(#loc\d+) = loc\("(?:jit\(attend\)/)?([\w()]+)"\(', text, re.M))
ops = re.findall(r"= (stablehlo\.\w+).*loc\((#loc\d+)\)$", text, re.M)
for name in dict.fromkeys(names[place] for _, place in ops):
    print(f"{name:18}", *(op for op, place in ops if names[place] == name))
