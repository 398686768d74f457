module @jit_pallas attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %c, %iterArg_1 = %c_0, %iterArg_2 = %arg0, %iterArg_3 = %0) : tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>
    cond {
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare LT, %c_4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %c_7 = stablehlo.constant dense<5> : tensor<i32>
      %3 = stablehlo.add %c_6, %c_7 : tensor<i32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %4 = stablehlo.select %2, %3, %c_8 : tensor<i1>, tensor<i32>
      %5 = stablehlo.dynamic_slice %iterArg_2, %4, sizes = [5] : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %6 = stablehlo.compare LT, %c_9, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.add %c_11, %c_12 : tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.select %6, %7, %c_13 : tensor<i1>, tensor<i32>
      %9 = stablehlo.dynamic_slice %iterArg_3, %8, sizes = [5] : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %10 = stablehlo.compare EQ, %iterArg_1, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %11 = stablehlo.convert %10 : (tensor<i1>) -> tensor<i32>
      %12 = "stablehlo.case"(%11) ({
        stablehlo.return %9 : tensor<5xf32>
      }, {
        %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %29 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<5xf32>
        stablehlo.return %29 : tensor<5xf32>
      }) : (tensor<i32>) -> tensor<5xf32>
      %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %14 = stablehlo.multiply %5, %13 : tensor<5xf32>
      %15 = stablehlo.add %12, %14 : tensor<5xf32>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %16 = stablehlo.compare LT, %c_16, %c_17, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_18 = stablehlo.constant dense<0> : tensor<i32>
      %c_19 = stablehlo.constant dense<5> : tensor<i32>
      %17 = stablehlo.add %c_18, %c_19 : tensor<i32>
      %c_20 = stablehlo.constant dense<0> : tensor<i32>
      %18 = stablehlo.select %16, %17, %c_20 : tensor<i1>, tensor<i32>
      %19 = stablehlo.dynamic_update_slice %iterArg_2, %5, %18 : (tensor<5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
      %c_21 = stablehlo.constant dense<0> : tensor<i32>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %20 = stablehlo.compare LT, %c_21, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %c_24 = stablehlo.constant dense<5> : tensor<i32>
      %21 = stablehlo.add %c_23, %c_24 : tensor<i32>
      %c_25 = stablehlo.constant dense<0> : tensor<i32>
      %22 = stablehlo.select %20, %21, %c_25 : tensor<i1>, tensor<i32>
      %23 = stablehlo.dynamic_update_slice %iterArg_3, %15, %22 : (tensor<5xf32>, tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg, %c_26 : tensor<i32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %25 = stablehlo.add %iterArg_1, %c_27 : tensor<i32>
      %c_28 = stablehlo.constant dense<true> : tensor<i1>
      %26 = func.call @_where(%c_28, %25, %iterArg_1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_29 = stablehlo.constant dense<2> : tensor<i32>
      %27 = stablehlo.compare EQ, %26, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_30 = stablehlo.constant dense<0> : tensor<i32>
      %28 = func.call @_where_0(%27, %c_30, %26) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      stablehlo.return %24, %28, %19, %23 : tensor<i32>, tensor<i32>, tensor<5xf32>, tensor<5xf32>
    }
    return %1#3 : tensor<5xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<i32>
    return %1 : tensor<i32>
  }
}
