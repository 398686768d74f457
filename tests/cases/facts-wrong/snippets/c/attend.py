# %% trace
print("exp")

# %% facts
equations = 11
order = ["exp", "div", "mul"]
last = order[-1]

# %% facts
loops = False
ratio = 0.5
