module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare GT, %0, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3:2 = "stablehlo.case"(%2) ({
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %16 = stablehlo.subtract %arg0, %15 : tensor<5xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<5xf32>
      stablehlo.return %16, %17 : tensor<5xf32>, tensor<5xf32>
    }, {
      %15 = stablehlo.sine %arg0 : tensor<5xf32>
      %16 = stablehlo.cosine %arg0 : tensor<5xf32>
      stablehlo.return %15, %16 : tensor<5xf32>, tensor<5xf32>
    }) : (tensor<i32>) -> (tensor<5xf32>, tensor<5xf32>)
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %5:2 = stablehlo.optimization_barrier %3#0, %4 : tensor<5xf32>, tensor<5xf32>
    %6 = stablehlo.cosine %5#0 : tensor<5xf32>
    %7 = stablehlo.sine %5#0 : tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %9 = stablehlo.compare GT, %6, %8, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %11 = stablehlo.select %9, %5#1, %10 : tensor<5xi1>, tensor<5xf32>
    %12 = stablehlo.negate %11 : tensor<5xf32>
    %13 = stablehlo.multiply %12, %7 : tensor<5xf32>
    %14 = "stablehlo.case"(%2) ({
      stablehlo.return %13 : tensor<5xf32>
    }, {
      %15 = stablehlo.multiply %13, %3#1 : tensor<5xf32>
      stablehlo.return %15 : tensor<5xf32>
    }) : (tensor<i32>) -> tensor<5xf32>
    return %14 : tensor<5xf32>
  }
}
