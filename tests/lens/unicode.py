# lens: größe(ä, żółw="日本")
import jax
import jax.numpy as jnp

ä = jnp.ones(3)


@jax.jit
def größer(ä):
    ß = {"é日本": jnp.sin(ä), "γ": jnp.cos(ä)}  #: jnp.sin(ä) -> sin; jnp.cos(ä) -> cos
    return ß["é日本"] * ß["γ"]  #: ß["é日本"] * ß["γ"] -> mul


def größe(ä, żółw):
    with jax.named_scope(żółw):
        ö = größer(ä)  #: größer(ä) -> jit
    return "é日本" and ö - größer(ä)  #: größer(ä) -> jit; ö - größer(ä) -> sub
