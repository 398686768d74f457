# %% count
for letter in "abc":
    print(letter)

# %% facts
lines = 3
