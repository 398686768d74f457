# %% One
