"""Two cells."""

# %% one
x = 1
print("one", x)

# %% two
print("two", x + 1)
