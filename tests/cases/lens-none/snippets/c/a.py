"""Followed by nobody."""

# %% twice
def twice(x):
    return x * 2

# %% other
print(twice(1.0))
