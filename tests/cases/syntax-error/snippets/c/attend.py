# %% one
x = 1

# %% two
print(x
