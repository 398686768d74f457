# %% one
name = input('Your name? ')
