# %% one
def f(x):
    return x / 0

# %% two
print(f(1))

# %% three
print("never")
