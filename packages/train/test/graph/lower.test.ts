/** What reaches onnxruntime: no operation twice, none for nothing, and operands before their node. */
import { describe, expect, it } from 'vitest'
import type { Tensor } from '../../src/graph/index.js'
import { add, exp, grad, input, matmul, mean, mul, parameter, relu, stopGradient, sum } from '../../src/graph/index.js'
import { inputsOf, lowerGraph, parametersOf } from '../../src/graph/lower.js'

const x = input('x', ['n', 3])
const operators = (outputs: Record<string, Tensor>): string[] =>
  lowerGraph({ inputs: [x], outputs }).nodes.map((node) => node.operator)

describe('lowerGraph', () => {
  it('merges equal operations and constants', () => {
    const graph = lowerGraph({ inputs: [x], outputs: { y: add(exp(mul(x, 2)), relu(exp(mul(x, 2)))) } })
    expect(graph.nodes.map((node) => node.operator)).toEqual(['Mul', 'Exp', 'Relu', 'Add'])
    expect(graph.initializers).toHaveLength(1)
  })

  it('drops what cannot change a result', () => {
    expect(operators({ y: add(mul(exp(x), 1), 0) })).toEqual(['Exp'])
    expect(operators({ y: stopGradient(exp(x)) })).toEqual(['Exp'])
  })

  it('takes the bias into the product and turns no matrix round, forward or backward', () => {
    const w = parameter('w', [3, 4], new Float32Array(12))
    const b = parameter('b', [4], new Float32Array(4))
    const loss = mean(relu(add(matmul(x, w), b)))
    const all = operators({ loss, dw: grad(loss, [w])[0], dx: grad(loss, [x])[0] })
    expect(all.filter((operator) => operator === 'Gemm')).toHaveLength(3)
    expect(all).not.toContain('Transpose')
    expect(all).not.toContain('MatMul')
  })

  it('copies only outputs that are inputs or outputs already', () => {
    const y = exp(x)
    expect(operators({ y, again: y, same: x })).toEqual(['Exp', 'Identity', 'Identity'])
    const graph = lowerGraph({ inputs: [x], outputs: { y, z: sum(y) } })
    expect(graph.nodes.map((node) => node.outputs[0])).toEqual(['y', 'z'])
    expect(graph.nodes[1].inputs[0]).toBe('y')
  })

  it('emits a chain of 20,000 operations without running out of stack, each after its operand', () => {
    let y: Tensor = x
    for (let i = 0; i < 20_000; i++) y = add(y, i + 1)
    const [slope] = grad(y, [x])
    const { nodes } = lowerGraph({ inputs: [x], outputs: { y, slope } })
    const known = new Set(['x'])
    let early = 0
    for (const node of nodes.filter((n) => n.operator === 'Add')) {
      if (!known.has(node.inputs[0])) early++
      known.add(node.outputs[0])
    }
    expect({ early, values: known.size }).toEqual({ early: 0, values: 20_001 })
  })

  it('finds inputs and parameters in order of creation', () => {
    const p = parameter('p', [3], new Float32Array(3))
    const late = input('late', [3])
    const y = add(add(late, p), x)
    expect(inputsOf([y])).toEqual([x, late])
    expect(parametersOf([y])).toEqual([p])
  })
})
