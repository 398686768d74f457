"""Followed."""

# %% twice lens="twice(1.0)" layers="jaxpr stablehlo" platform="tpu"
def twice(x):
    return x * 2
