# %% one raises="TypeError"
int('one')
