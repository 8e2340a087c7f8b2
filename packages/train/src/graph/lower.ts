/**
 * From tensors to an ONNX graph: keeps what the outputs need, each value once (equal operations on equal operands are
 * merged), and works out open dimensions from the shapes of the inputs.
 */
import { type Dimension, dimensionFactors, formatShape, shapesEqual } from './dimension.js'
import { elementCode, type OnnxGraph, type OnnxInitializer, type OnnxNode, type OnnxValue } from './onnx/model.js'
import { type Attributes, checkName, type ElementType, type Leaf, type Tensor } from './tensor.js'

export interface LowerRequest {
  /** Inputs of the model, in order. */
  inputs: readonly Tensor[]
  outputs: Readonly<Record<string, Tensor>>
  /** Values for parameters by name; the initial ones where missing. */
  parameters?: ReadonlyMap<string, Float32Array>
  /** Tensors to compute in place of others: parameters as views of a flat input, for instance. */
  replacements?: ReadonlyMap<Tensor, Tensor>
}

/**
 * @throws RangeError if an output needs an input that is not listed, names repeat, or an open dimension occurs in no
 *   input
 */
export function lowerGraph(request: LowerRequest): OnnxGraph {
  return new Lowering(request).run()
}

/** Inputs that the tensors depend on, in order of creation. */
export function inputsOf(tensors: readonly Tensor[]): Tensor[] {
  return leavesOf(tensors).filter((tensor) => tensor.leaf?.kind === 'input')
}

/** Parameters that the tensors depend on, in order of creation. */
export function parametersOf(tensors: readonly Tensor[]): Tensor[] {
  return leavesOf(tensors).filter((tensor) => tensor.leaf?.kind === 'parameter')
}

function leavesOf(tensors: readonly Tensor[]): Tensor[] {
  const seen = new Set(tensors)
  for (const tensor of seen) for (const operand of tensor.operands) seen.add(operand)
  return [...seen].filter((tensor) => tensor.leaf).sort((a, b) => a.id - b.id)
}

/** Constants up to this many elements are merged by value; larger ones only by identity. */
const MERGED_CONSTANT = 64

class Lowering {
  readonly #request: LowerRequest
  readonly #nodes: OnnxNode[] = []
  readonly #initializers: OnnxInitializer[] = []
  readonly #names = new Map<Tensor, string>()
  readonly #merged = new Map<string, string>()
  readonly #symbols = new Map<string, string>()
  #count = 0

  constructor(request: LowerRequest) {
    this.#request = request
  }

  run(): OnnxGraph {
    const { inputs, outputs } = this.#request
    const names = [...inputs.map(leafName), ...Object.keys(outputs)]
    const repeated = names.find((name, i) => names.indexOf(name) !== i)
    if (repeated !== undefined) {
      throw new RangeError(`compile: two inputs or outputs named '${repeated}'; give each its own name.`)
    }
    for (const tensor of inputs) this.#names.set(tensor, leafName(tensor))
    const values: OnnxValue[] = []
    const results = new Map<string, string>()
    for (const [name, tensor] of Object.entries(outputs)) {
      checkName(name)
      results.set(name, this.#lower(tensor))
      values.push({ name, type: tensor.type, shape: tensor.shape })
    }
    return {
      name: 'pliant',
      nodes: this.#nameOutputs(results),
      initializers: this.#initializers,
      inputs: inputs.map((tensor) => ({ name: leafName(tensor), type: tensor.type, shape: tensor.shape })),
      outputs: values,
    }
  }

  /**
   * Nodes with the outputs under their own names. A copy is made only of what is an input, a constant or an output
   * already: onnxruntime would carry out every other copy too.
   */
  #nameOutputs(results: ReadonlyMap<string, string>): OnnxNode[] {
    const computed = new Set(this.#nodes.flatMap((node) => node.outputs))
    const renamed = new Map<string, string>()
    const copies: OnnxNode[] = []
    for (const [name, value] of results) {
      if (computed.has(value) && !renamed.has(value)) renamed.set(value, name)
      else copies.push({ operator: 'Identity', inputs: [value], outputs: [name], attributes: {} })
    }
    const rename = (name: string): string => renamed.get(name) ?? name
    return [...this.#nodes, ...copies].map((node) => ({
      ...node,
      inputs: node.inputs.map(rename),
      outputs: node.outputs.map(rename),
    }))
  }

  /** Depth first with an own stack: training graphs are deeper than the call stack allows. */
  #lower(root: Tensor): string {
    const stack = [this.#resolve(root)]
    while (stack.length > 0) {
      const tensor = stack[stack.length - 1]
      if (this.#names.has(tensor)) {
        stack.pop()
        continue
      }
      const missing = tensor.operands.map((o) => this.#resolve(o)).filter((o) => !this.#names.has(o))
      if (missing.length > 0) {
        stack.push(...missing.reverse())
        continue
      }
      stack.pop()
      this.#names.set(tensor, tensor.leaf ? this.#lowerLeaf(tensor, tensor.leaf) : this.#lowerNode(tensor))
    }
    return this.#names.get(this.#resolve(root))!
  }

  #resolve(tensor: Tensor): Tensor {
    const replacement = this.#request.replacements?.get(tensor)
    if (!replacement) return tensor
    if (!shapesEqual(replacement.shape, tensor.shape)) {
      throw new RangeError(
        `compile: ${formatShape(replacement.shape)} for ${formatShape(tensor.shape)}; shapes differ.`,
      )
    }
    return replacement
  }

  #lowerNode(tensor: Tensor): string {
    const inputs = tensor.operands.map((operand) => this.#names.get(this.#resolve(operand))!)
    // stopGradient and withGradient mean something to `grad` only; their value is the first operand.
    if (tensor.operator === 'Identity') return inputs[0]
    return this.#emit(tensor.operator, inputs, tensor.attributes, tensor.output)
  }

  #lowerLeaf(tensor: Tensor, leaf: Leaf): string {
    switch (leaf.kind) {
      case 'input':
        throw new RangeError(`compile: input '${leaf.name}' is used but not listed; add it to the inputs.`)
      case 'parameter': {
        const data = this.#request.parameters?.get(leaf.name) ?? leaf.initial
        if (data.length !== leaf.initial.length) {
          const lengths = `${data.length} values, needs ${leaf.initial.length}`
          throw new RangeError(`compile: parameter '${leaf.name}' has ${lengths}; pass the trained values.`)
        }
        return this.#initializer(tensor.shape as readonly number[], 'float32', data)
      }
      case 'constant':
        return this.#constant(tensor.shape as readonly number[], tensor.type, leaf.data)
      case 'shape':
        return this.#shape(leaf.dimensions)
      case 'size': {
        const size = this.#emit('Cast', [this.#dimension(leaf.dimension)], { to: { int: elementCode('float32') } })
        return this.#emit('Squeeze', [size], {})
      }
      case 'range': {
        const scalar = (value: bigint): string => this.#constant([], 'int64', BigInt64Array.of(value))
        const limit = this.#emit('Squeeze', [this.#dimension(leaf.count)], {})
        const counted = this.#emit('Range', [scalar(0n), limit, scalar(1n)], {})
        return this.#emit('Cast', [counted], { to: { int: elementCode('int32') } })
      }
    }
  }

  #shape(dimensions: readonly Dimension[]): string {
    if (dimensions.every((d) => typeof d === 'number')) {
      return this.#constant([dimensions.length], 'int64', BigInt64Array.from(dimensions.map(BigInt)))
    }
    const parts = dimensions.map((dimension) => this.#dimension(dimension))
    return parts.length === 1 ? parts[0] : this.#emit('Concat', parts, { axis: { int: 0 } })
  }

  /** A dimension as an int64 vector of length 1. */
  #dimension(dimension: Dimension): string {
    const { numerator, denominator, powers } = dimensionFactors(dimension)
    const one = (value: number): string => this.#constant([1], 'int64', BigInt64Array.of(BigInt(value)))
    let result: string | undefined = numerator === 1 && powers.size > 0 ? undefined : one(numerator)
    const apply = (operator: 'Mul' | 'Div', value: string): void => {
      result = result === undefined && operator === 'Mul' ? value : this.#emit(operator, [result ?? one(1), value], {})
    }
    // Multiplications first: the quotients are whole only then.
    for (const [symbol, power] of powers) for (let i = 0; i < power; i++) apply('Mul', this.#symbol(symbol))
    for (const [symbol, power] of powers) for (let i = 0; i < -power; i++) apply('Div', this.#symbol(symbol))
    if (denominator !== 1) apply('Div', one(denominator))
    return result!
  }

  /** An open dimension, read from the first input whose shape determines it. */
  #symbol(symbol: string): string {
    const known = this.#symbols.get(symbol)
    if (known) return known
    for (const tensor of this.#request.inputs) {
      for (const [axis, dimension] of tensor.shape.entries()) {
        const { numerator, denominator, powers } = dimensionFactors(dimension)
        if (powers.size !== 1 || powers.get(symbol) !== 1) continue
        const read = { start: { int: axis }, end: { int: axis + 1 } }
        let value = this.#emit('Shape', [leafName(tensor)], read)
        const one = (factor: number): string => this.#constant([1], 'int64', BigInt64Array.of(BigInt(factor)))
        if (denominator !== 1) value = this.#emit('Mul', [value, one(denominator)], {})
        if (numerator !== 1) value = this.#emit('Div', [value, one(numerator)], {})
        this.#symbols.set(symbol, value)
        return value
      }
    }
    throw new RangeError(`compile: dimension '${symbol}' occurs in no input; add an input that has it.`)
  }

  #constant(shape: readonly number[], type: ElementType, data: OnnxInitializer['data']): string {
    if (data.length > MERGED_CONSTANT) return this.#initializer(shape, type, data)
    // -0 and 0 print alike, but dividing by them differs.
    const digits = Array.from(data as ArrayLike<number | bigint>, (v) => (Object.is(v, -0) ? '-0' : String(v)))
    return this.#merge(`${type}[${shape}]${digits}`, () => this.#initializer(shape, type, data))
  }

  #initializer(shape: readonly number[], type: ElementType, data: OnnxInitializer['data']): string {
    const name = this.#fresh()
    this.#initializers.push({ name, type, shape, data })
    return name
  }

  /** @param output  which of the operator's results is meant; those before it get names that nobody uses */
  #emit(operator: string, inputs: readonly string[], attributes: Attributes, output = 0): string {
    return this.#merge(`${operator}(${inputs})${JSON.stringify(attributes)}${output}`, () => {
      const outputs = Array.from({ length: output + 1 }, () => this.#fresh())
      this.#nodes.push({ operator, inputs, outputs, attributes })
      return outputs[output]
    })
  }

  #merge(key: string, make: () => string): string {
    const known = this.#merged.get(key)
    if (known !== undefined) return known
    const name = make()
    this.#merged.set(key, name)
    return name
  }

  /** '~' is not allowed in names of inputs and outputs, so these cannot clash. */
  #fresh(): string {
    return `~${this.#count++}`
  }
}

function leafName(tensor: Tensor): string {
  if (tensor.leaf?.kind === 'input') return tensor.leaf.name
  throw new RangeError(`compile: ${formatShape(tensor.shape)} listed as input is none; list what input() made.`)
}
