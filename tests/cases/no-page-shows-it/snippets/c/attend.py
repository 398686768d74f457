# %% one
print('one')
