"""What a trace would have printed."""

# %% count
names = ["sub", "exp", "stop_gradient"]
print("eleven")

# %% facts
equations = 11
stops = True
order = names
third = names[2]
ratio = 2.5
