"""Followed twice."""

# %% twice lens="twice(1.0)" layers="jaxpr"
def twice(x):
    return x * 2

# %% other lens="twice(1)" layers="jaxpr"
print(twice(1.0))
