# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# CONCATENATION of three tensors along each axis of one to four dimensions, with itself alone, and
# of quantized elements.


def joined(shapes, axis):
    """Tensors counted through with 0, 1, 2, ... and the same side by side along the axis."""
    tensors, start = [], 0
    for shape in shapes:
        size = math.prod(shape)
        tensors.append([float(k) for k in range(start, start + size)])
        start += size
    # One block of each tensor after another, a block being all that is inside the axis.
    blocks = [math.prod(shape[axis:]) for shape in shapes]
    together = []
    for outer in range(math.prod(shapes[0][:axis])):
        for tensor, block in zip(tensors, blocks):
            together += tensor[outer * block : (outer + 1) * block]
    return tensors, together


for rank in range(1, 5):
    for axis in range(rank):
        shapes = [[2, 3, 1, 2][:rank] for _ in range(3)]
        shapes[1][axis] = 1
        shapes[2][axis] = 4
        tensors, together = joined(shapes, axis)
        total = list(shapes[0])
        total[axis] = sum(shape[axis] for shape in shapes)
        inputs = [Input("in%d" % i, ("TENSOR_FLOAT32", shape)) for i, shape in enumerate(shapes)]
        output = Output("out", ("TENSOR_FLOAT32", total))
        model = Model("dim%d_axis%d" % (rank, axis)).Operation("CONCATENATION", *inputs, axis)
        model.To(output)
        Example((dict(zip(inputs, tensors)), {output: together}))

# One tensor alone stays as it is.
alone = Input("alone", ("TENSOR_FLOAT32", [2, 2]))
same = Output("same", ("TENSOR_FLOAT32", [2, 2]))
Model("alone").Operation("CONCATENATION", alone, 1).To(same)
Example({alone: [1.5, -2.5, 3.5, -4.5], same: [1.5, -2.5, 3.5, -4.5]})

# Quantized elements of one scale and zeroPoint keep their steps; a constant may be among them.
steps = Input("steps", ("TENSOR_QUANT8_ASYMM", [2, 2], 0.3, 77))
more = Parameter("more", ("TENSOR_QUANT8_ASYMM", [2, 1], 0.3, 77), [7, 8])
wide = Output("wide", ("TENSOR_QUANT8_ASYMM", [2, 5], 0.3, 77))
Model("quant8").Operation("CONCATENATION", steps, more, steps, 1).To(wide)
Example({steps: [0, 255, 77, 78], wide: [0, 255, 7, 0, 255, 77, 78, 8, 77, 78]})
