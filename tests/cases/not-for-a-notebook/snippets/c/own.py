# %% facts
import sys

n = 1

# %% show
print(sys.byteorder, __file__[-6:])
