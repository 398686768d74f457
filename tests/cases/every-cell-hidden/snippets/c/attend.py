# %% one hide
print('one')
