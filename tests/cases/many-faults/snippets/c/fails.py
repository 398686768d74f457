# %% one
1 / 0
# %% two
