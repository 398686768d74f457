# %% program
print("{ lambda ; a:f32[3]. let b:f32[3] = mul a a; c:f32[3] = add a b in (c,) }")

# %% module
print("module {\n  func.func public @main() {\n    %0 = stablehlo.multiply %a, %a : tensor<f32>")
print("    return %0 : tensor<f32>\n  }\n}")

# %% instruction
print("  ROOT %add.0 = f32[2]{0} add(%a, %b)")

# %% plain
print("subtract: b:f32[3] = sub a a")

# %% unseen hide
print("  ROOT %add.0 = f32[2]{0} negate(%a)")
