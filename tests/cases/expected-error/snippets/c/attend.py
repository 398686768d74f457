# %% one raises="ZeroDivisionError"
def f(x):
    return x / 0


f(1)

# %% two
print("goes on")
