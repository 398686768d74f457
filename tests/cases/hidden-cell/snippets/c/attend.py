# %% setup hide
x = 1
print('hidden')
# %% one
print(x)
