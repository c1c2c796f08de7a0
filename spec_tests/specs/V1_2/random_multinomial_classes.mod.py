# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# RANDOM_MULTINOMIAL: samples of 4 classes with probabilities 1/16, 2/16, 5/16, 8/16 and a quarter each.

logits = Input("logits", ("TENSOR_FLOAT32", [2, 4]))
seeds = Parameter("seeds", ("TENSOR_INT32", [2]), [2019, -7])
output = IgnoredOutput("output", ("TENSOR_INT32", [2, 4096]))
Model().Operation("RANDOM_MULTINOMIAL", logits, 4096, seeds).To(output)

Example(
    {logits: [math.log(1), math.log(2), math.log(5), math.log(8), -3, -3, -3, -3], output: []}
).WithMultinomialDistributionTolerance(0.03).AddVariations("relaxed", "float16")
