"""Followed twice."""

# %% twice lens="twice(1.0)" layers="jaxpr"
def twice(x):
    return x * 2

