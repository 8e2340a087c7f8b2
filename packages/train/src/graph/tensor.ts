/**
 * Tensors as immutable values: a tensor is the operation that makes it, its operands and its shape. Nothing is computed
 * here; `compileFunction`, `compileTrainingStep` and `exportOnnx` turn tensors into one ONNX model.
 * Every node is one ONNX operator, and carries beside it how a gradient flows back to each operand, written with the
 * same operations. That is why gradients of gradients need nothing extra.
 */
import { type Dimension, formatShape, isStatic, parseDimension, type Shape, shapeSize } from './dimension.js'

export type ElementType = 'float32' | 'int32' | 'int64' | 'bool'

/** Attribute of an ONNX operator; whole numbers and reals are different there, hence the tag. */
export type Attribute = { int: number } | { ints: readonly number[] } | { float: number } | { string: string }
export type Attributes = Readonly<Record<string, Attribute>>

/** Where a value without operands comes from. */
export type Leaf =
  | { kind: 'input'; name: string }
  | { kind: 'parameter'; name: string; initial: Float32Array }
  | { kind: 'constant'; data: Float32Array | Int32Array | BigInt64Array }
  /** A shape as an int64 vector; -1 lets Reshape infer that dimension. */
  | { kind: 'shape'; dimensions: Shape }
  /** A dimension as a float32 scalar. */
  | { kind: 'size'; dimension: Dimension }
  /** 0, 1, 2 ... as int32. */
  | { kind: 'range'; count: Dimension }

/** Gradient with respect to one operand, given the gradient with respect to the node and the node itself. */
export type OperandGradient = (gradient: Tensor, node: Tensor) => Tensor

export interface Tensor {
  /** Grows with creation: operands always have smaller ids than their node. */
  readonly id: number
  /** ONNX operator type; empty for a leaf. */
  readonly operator: string
  readonly operands: readonly Tensor[]
  readonly attributes: Attributes
  /** Which of the operator's results it is; most have one. */
  readonly output: number
  readonly shape: Shape
  readonly type: ElementType
  readonly leaf?: Leaf
  /** One entry per operand; null where no gradient flows. */
  readonly gradients: readonly (OperandGradient | null)[]
}

let nextId = 0

/** A float32 tensor that is fed at each run. */
export function input(name: string, shape: Shape): Tensor {
  return makeLeaf({ kind: 'input', name: checkName(name) }, shape, 'float32')
}

/** An int32 tensor that is fed at each run: indices for `gather`. */
export function intInput(name: string, shape: Shape): Tensor {
  return makeLeaf({ kind: 'input', name: checkName(name) }, shape, 'int32')
}

/**
 * A float32 tensor that training changes.
 * @param initial  row-major values; copied
 * @throws RangeError if the length does not match the shape, or the shape is open
 */
export function parameter(name: string, shape: readonly number[], initial: Float32Array): Tensor {
  checkLength(`parameter '${name}'`, shape, initial.length)
  return makeLeaf({ kind: 'parameter', name: checkName(name), initial: initial.slice() }, shape, 'float32')
}

/**
 * A fixed float32 tensor.
 * @param value  row-major values, or one number for a scalar
 * @throws RangeError if the length does not match the shape
 */
export function constant(value: number | readonly number[] | Float32Array, shape?: readonly number[]): Tensor {
  if (typeof value === 'number') {
    const size = shape ? (shapeSize(shape) as number) : 1
    return makeLeaf({ kind: 'constant', data: new Float32Array(size).fill(value) }, shape ?? [], 'float32')
  }
  const data = Float32Array.from(value)
  checkLength('constant', shape ?? [data.length], data.length)
  return makeLeaf({ kind: 'constant', data }, shape ?? [data.length], 'float32')
}

/** A fixed int32 tensor: indices known in advance. */
export function intConstant(value: readonly number[] | Int32Array, shape: readonly number[] = [value.length]): Tensor {
  checkLength('intConstant', shape, value.length)
  return makeLeaf({ kind: 'constant', data: Int32Array.from(value) }, shape, 'int32')
}

/** Whole numbers as an operand of an ONNX operator (axes, starts, ends, pads). */
export function operandInts(values: readonly number[]): Tensor {
  return makeLeaf({ kind: 'constant', data: BigInt64Array.from(values.map(BigInt)) }, [values.length], 'int64')
}

/** A shape as an operand of an ONNX operator. */
export function operandShape(dimensions: Shape): Tensor {
  return makeLeaf({ kind: 'shape', dimensions }, [dimensions.length], 'int64')
}

/** A dimension as a float32 scalar; a plain constant if it is a number. */
export function sizeOf(dimension: Dimension): Tensor {
  return typeof dimension === 'number' ? constant(dimension) : makeLeaf({ kind: 'size', dimension }, [], 'float32')
}

/** 0, 1 ... count - 1 as int32. */
export function range(count: Dimension): Tensor {
  return makeLeaf({ kind: 'range', count: parseDimension(count) }, [count], 'int32')
}

export interface NodeParts {
  operands: readonly Tensor[]
  shape: Shape
  type?: ElementType
  attributes?: Attributes
  /** Which of the operator's results it is (default the first). */
  output?: number
  /** Missing entries mean that no gradient flows to that operand. */
  gradients?: readonly (OperandGradient | null)[]
}

/** One ONNX operator applied to tensors. */
export function makeNode(operator: string, parts: NodeParts): Tensor {
  const gradients = parts.operands.map((_, i) => parts.gradients?.[i] ?? null)
  return Object.freeze({
    id: nextId++,
    operator,
    operands: parts.operands,
    attributes: parts.attributes ?? {},
    output: parts.output ?? 0,
    shape: parts.shape,
    type: parts.type ?? 'float32',
    gradients,
  })
}

/** The number of a scalar constant, undefined for anything else. */
export function scalarValue(tensor: Tensor): number | undefined {
  if (tensor.leaf?.kind !== 'constant' || tensor.shape.length !== 0 || tensor.type !== 'float32') return undefined
  return Number(tensor.leaf.data[0])
}

/** Axis counted from the front. @throws RangeError if the tensor has no such axis */
export function resolveAxis(what: string, shape: Shape, axis: number): number {
  const resolved = axis < 0 ? axis + shape.length : axis
  if (!Number.isInteger(axis) || resolved < 0 || resolved >= shape.length) {
    throw new RangeError(`${what}: axis ${axis} of shape ${formatShape(shape)}; use an axis that exists.`)
  }
  return resolved
}

function makeLeaf(leaf: Leaf, shape: Shape, type: ElementType): Tensor {
  const canonical = shape.map(parseDimension)
  return Object.freeze({
    id: nextId++,
    operator: '',
    operands: [],
    attributes: {},
    output: 0,
    shape: canonical,
    type,
    leaf,
    gradients: [],
  })
}

/** @throws RangeError if the name cannot stand in an ONNX file beside our own */
export function checkName(name: string): string {
  if (!/^[A-Za-z_][\w.\-/]*$/.test(name)) {
    throw new RangeError(`tensor name: '${name}'; use letters, digits, '_', '.', '-' and '/', a letter first.`)
  }
  return name
}

function checkLength(what: string, shape: Shape, length: number): void {
  if (!isStatic(shape)) throw new RangeError(`${what}: shape ${formatShape(shape)}; use numbers only.`)
  if (shapeSize(shape) !== length) {
    throw new RangeError(`${what}: ${length} values for shape ${formatShape(shape)}; pass ${shapeSize(shape)} values.`)
  }
}
