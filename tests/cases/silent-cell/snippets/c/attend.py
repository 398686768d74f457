# %% one
x = 1
