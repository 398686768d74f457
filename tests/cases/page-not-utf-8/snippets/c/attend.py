"""One."""

# %% a
print(1)
