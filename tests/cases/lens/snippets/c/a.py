"""Followed."""

# %% twice lens="twice(1.0)" layers="jaxpr"
def twice(x):
    return x + x * 2

# %% other
print("no lens here")
