module @jit_literals attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<i1> {jax.result_info = "result[3]"}, tensor<complex<f32>> {jax.result_info = "result[4]"}, tensor<i1> {jax.result_info = "result[5]"}, tensor<2xi1> {jax.result_info = "result[6]"}, tensor<2xcomplex<f32>> {jax.result_info = "result[7]"}, tensor<i8> {jax.result_info = "result[8]"}, tensor<9xf32> {jax.result_info = "result[9]"}) {
    %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %cst = stablehlo.constant dense<[(1.000000e+00,-2.000000e+00), (3.000000e-09,0.000000e+00)]> : tensor<2xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<9xf32>
    %cst_1 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %0 = stablehlo.add %arg0, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.multiply %arg0, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %2 = stablehlo.subtract %arg0, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.compare LT, %arg0, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.convert %arg0 : (tensor<f32>) -> tensor<complex<f32>>
    %cst_5 = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
    %5 = stablehlo.multiply %4, %cst_5 : tensor<complex<f32>>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<f32>
    %7 = stablehlo.compare NE, %arg0, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.convert %7 : tensor<i1>
    %c_7 = stablehlo.constant dense<-3> : tensor<i8>
    return %0, %1, %2, %3, %5, %8, %c, %cst, %c_7, %cst_0 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i1>, tensor<complex<f32>>, tensor<i1>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<i8>, tensor<9xf32>
  }
}
