# %% one
import os

print(os.listdir())
