# traced: timeout=1
# %% one
print('waiting')
while True:
    pass
