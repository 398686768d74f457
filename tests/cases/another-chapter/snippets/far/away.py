# %% one
print('one')
# %% two
print('two')
