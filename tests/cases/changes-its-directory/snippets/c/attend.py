# %% one
import os

open('here.txt', 'w').close()
os.chdir('/')
# %% two
print(os.getcwd())
