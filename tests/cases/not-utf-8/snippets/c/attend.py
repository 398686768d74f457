# %% one
# café
