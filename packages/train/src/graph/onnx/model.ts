/**
 * ONNX models as plain values, and their bytes. Field numbers are those of onnx.proto3 (ONNX 1.13: IR version 8,
 * operator set 18, which onnxruntime 1.14 and later read).
 */
import type { Shape } from '../dimension.js'
import type { Attribute, Attributes, ElementType } from '../tensor.js'
import { ProtobufWriter } from './protobuf.js'

export const ONNX_OPSET = 18
const IR_VERSION = 8

export interface OnnxNode {
  operator: string
  inputs: readonly string[]
  outputs: readonly string[]
  attributes: Attributes
}

export interface OnnxInitializer {
  name: string
  type: ElementType
  shape: readonly number[]
  data: Float32Array | Int32Array | BigInt64Array
}

/** An input or output of the model; open dimensions keep their names. */
export interface OnnxValue {
  name: string
  type: ElementType
  shape: Shape
}

export interface OnnxGraph {
  name: string
  /** In an order in which each node comes after those it needs. */
  nodes: readonly OnnxNode[]
  initializers: readonly OnnxInitializer[]
  inputs: readonly OnnxValue[]
  outputs: readonly OnnxValue[]
}

/** The bytes of a `.onnx` file. */
export function encodeModel(graph: OnnxGraph): Uint8Array<ArrayBuffer> {
  const body = new ProtobufWriter()
  for (const node of graph.nodes) body.message(1, encodeNode(node))
  body.string(2, graph.name)
  for (const initializer of graph.initializers) body.message(5, encodeInitializer(initializer))
  for (const value of graph.inputs) body.message(11, encodeValue(value))
  for (const value of graph.outputs) body.message(12, encodeValue(value))
  const model = new ProtobufWriter()
    .int(1, IR_VERSION)
    .string(2, 'pliant')
    .message(7, body)
    .message(8, new ProtobufWriter().string(1, '').int(2, ONNX_OPSET))
  return new Uint8Array(model.finish())
}

function encodeNode(node: OnnxNode): ProtobufWriter {
  const writer = new ProtobufWriter()
  for (const name of node.inputs) writer.string(1, name)
  for (const name of node.outputs) writer.string(2, name)
  writer.string(3, `${node.operator}:${node.outputs[0]}`)
  writer.string(4, node.operator)
  for (const [name, attribute] of Object.entries(node.attributes)) writer.message(5, encodeAttribute(name, attribute))
  return writer
}

function encodeAttribute(name: string, attribute: Attribute): ProtobufWriter {
  const writer = new ProtobufWriter().string(1, name)
  if ('float' in attribute) return writer.float(2, attribute.float).int(20, 1)
  if ('int' in attribute) return writer.int(3, attribute.int).int(20, 2)
  if ('string' in attribute) return writer.string(4, attribute.string).int(20, 3)
  for (const value of attribute.ints) writer.int(8, value)
  return writer.int(20, 7)
}

function encodeInitializer({ name, type, shape, data }: OnnxInitializer): ProtobufWriter {
  const writer = new ProtobufWriter()
  for (const size of shape) writer.int(1, size)
  writer.int(2, elementCode(type))
  writer.string(8, name)
  return writer.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

function encodeValue({ name, type, shape }: OnnxValue): ProtobufWriter {
  const dimensions = new ProtobufWriter()
  for (const size of shape) {
    const dimension = new ProtobufWriter()
    dimensions.message(1, typeof size === 'number' ? dimension.int(1, size) : dimension.string(2, size))
  }
  const tensor = new ProtobufWriter().int(1, elementCode(type)).message(2, dimensions)
  return new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, tensor))
}

/** Number of an element type in ONNX files. */
export function elementCode(type: ElementType): number {
  return { float32: 1, int32: 6, int64: 7, bool: 9 }[type]
}
