# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# DEQUANTIZE of all three types to floats and halves.

steps = [0, 1, 127, 128, 129, 255]
a = Input("a", ("TENSOR_QUANT8_ASYMM", [2, 3], 0.5, 128))
b = Output("b", ("TENSOR_FLOAT32", [2, 3]))
Model("asymmetric").Operation("DEQUANTIZE", a).To(b)
Example({a: steps, b: [(q - 128) * 0.5 for q in steps]}).AddVariations("float16")

signed_steps = [-128, -127, -1, 0, 1, 127]
c = Input("c", ("TENSOR_QUANT8_SYMM", [6], 0.25, 0))
d = Output("d", ("TENSOR_FLOAT32", [6]))
Model("symmetric").Operation("DEQUANTIZE", c).To(d)
Example({c: signed_steps, d: [q * 0.25 for q in signed_steps]}).AddVariations("float16")

# A scale for each channel, and channels on either side of the other dimension.
scales = [1.0, 0.5, 0.125]
rows = [[8, -8, 8], [100, -128, 127]]
channels_last = Input(
    "channels_last",
    ("TENSOR_QUANT8_SYMM_PER_CHANNEL", [2, 3]),
    extraParams=SymmPerChannelQuantParams(channelDim=1, scales=scales),
)
e = Output("e", ("TENSOR_FLOAT32", [2, 3]))
Model("channels_last").Operation("DEQUANTIZE", channels_last).To(e)
Example(
    {channels_last: sum(rows, []), e: [q * s for row in rows for q, s in zip(row, scales)]}
).AddVariations("float16")

channels_first = Input(
    "channels_first",
    ("TENSOR_QUANT8_SYMM_PER_CHANNEL", [3, 2]),
    extraParams=SymmPerChannelQuantParams(channelDim=0, scales=scales),
)
f = Output("f", ("TENSOR_FLOAT32", [3, 2]))
Model("channels_first").Operation("DEQUANTIZE", channels_first).To(f)
columns = [[8, 100], [-8, -128], [8, 127]]
Example(
    {
        channels_first: sum(columns, []),
        f: [q * s for column, s in zip(columns, scales) for q in column],
    }
).AddVariations("float16")
