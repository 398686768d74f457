# %% one raises="TypeError"
print('one')
