# %% one
x = '<&>'
print('one')
print(x)
