# %% one
import sys

print("out")
print("err", file=sys.stderr)
print("out again")
