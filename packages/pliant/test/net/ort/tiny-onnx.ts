/** A few bytes of ONNX for tests: distance = points . w + sum(code), gradient = w. Field numbers are those of onnx.proto. */

type Field = [number, number | string | Uint8Array | Field[]]

export function tinyOnnx(w: readonly [number, number, number], output = 'distance'): Uint8Array {
  const opset: Field[] = [[2, 17]]
  const graph: Field[] = [
    [1, node('MatMul', ['points', 'column'], 'product')],
    [1, node('ReduceSum', ['code'], 'offset')],
    [1, node('Add', ['product', 'offset'], output)],
    [1, node('Mul', ['points', 'zero'], 'zeros')],
    [1, node('Add', ['zeros', 'row'], 'gradient')],
    [2, 'tiny'],
    [5, floats('column', [3, 1], w)],
    [5, floats('row', [1, 3], w)],
    [5, floats('zero', [1, 3], [0, 0, 0])],
    [11, value('points', ['n', 3])],
    [11, value('code', [2])],
    [12, value(output, ['n', 1])],
    [12, value('gradient', ['n', 3])],
  ]
  return encode([
    [1, 8],
    [7, graph],
    [8, opset],
  ])
}

function node(operator: string, inputs: string[], output: string): Field[] {
  return [...inputs.map((name): Field => [1, name]), [2, output], [4, operator]]
}

function floats(name: string, dims: number[], values: readonly number[]): Field[] {
  return [...dims.map((n): Field => [1, n]), [2, 1], [8, name], [9, new Uint8Array(Float32Array.from(values).buffer)]]
}

function value(name: string, dims: (number | string)[]): Field[] {
  const shape = dims.map((n): Field => [1, [typeof n === 'number' ? [1, n] : [2, n]]])
  return [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, 1],
            [2, shape],
          ],
        ],
      ],
    ],
  ]
}

function encode(fields: Field[]): Uint8Array {
  const bytes = fields.flatMap(([number, content]) => {
    if (typeof content === 'number') return [...varint(number << 3), ...varint(content)]
    const inner =
      typeof content === 'string'
        ? new TextEncoder().encode(content)
        : content instanceof Uint8Array
          ? content
          : encode(content)
    return [...varint((number << 3) | 2), ...varint(inner.length), ...inner]
  })
  return Uint8Array.from(bytes)
}

function varint(n: number): number[] {
  return n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...varint(n >>> 7)]
}
