"""Of another chapter."""

# %% shown
number = 12

# %% facts
twelve = number
