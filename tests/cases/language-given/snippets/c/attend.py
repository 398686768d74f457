# %% one
print('{"a": 1}')
