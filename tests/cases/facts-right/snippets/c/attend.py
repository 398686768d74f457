# %% trace
print("exp\ndiv\nend")

# %% fails raises=KeyError
class KeyError(Exception): pass
raise KeyError("nothing")

# %% facts
_lines = ["exp", "div"]
equations = 11
last = "stop_gradient"
straight = True

# %% facts
order = _lines
ratio = 1 / 3
