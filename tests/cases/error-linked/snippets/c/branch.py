# %% wrong raises="ValueError"
def f(x):
    raise ValueError("a <ValueError>: x")


f(1)

# %% again
print("TypeError: x\nTypeError: y\nValueError")
