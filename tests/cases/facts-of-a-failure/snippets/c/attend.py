# %% facts
equations = 10

# %% trace
equations / 0
