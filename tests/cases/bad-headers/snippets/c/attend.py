# traced: devices=many
# %% One
# %% two colour=red
# %% two
