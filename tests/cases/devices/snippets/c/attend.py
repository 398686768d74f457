# traced: devices=2
# %% one
import jax

print(jax.device_count())
