# %% facts
one = 1
two = 2

# %% trace
three = 3

# %% facts
two = 1 + one
three = 3

# %% facts
one: int = 1
