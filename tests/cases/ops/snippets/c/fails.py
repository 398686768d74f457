# %% x
print("  ROOT %a = f32[2]{0} divide(%a, %b)")
1 / 0
