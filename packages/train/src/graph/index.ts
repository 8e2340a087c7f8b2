/**
 * The training engine: tensors as values, gradients as more of the same graph, one ONNX model per function or training
 * step, run by onnxruntime-node.
 */
export { celu, elu, relu, sigmoid, silu, softmax, softplus, tanh } from './activation.js'
export { ADAM_DEFAULTS, type AdamOptions, adam, type Optimiser } from './adam.js'
export { add, div, mul, neg, type Operand, square, sub } from './arithmetic.js'
export { expand, sum } from './broadcast.js'
export { chunkBatch } from './chunk.js'
export { type CompiledFunction, compileFunction, exportOnnx, type FunctionParts, type RunOptions } from './compile.js'
export { type Dimension, divideDimensions, type Shape } from './dimension.js'
export { matrixProductFlops } from './flops.js'
export { gather, scatterAdd } from './gather.js'
export { grad } from './grad.js'
export { concat, pad, reshape, slice, transpose } from './layout.js'
export { inputsOf, parametersOf } from './lower.js'
export { batchMatmul, groupedMatmul, matmul } from './matmul.js'
export { smallestIndices } from './nearest.js'
export { cos, exp, log, pow, sin, sqrt } from './pointwise.js'
export { max, mean, min, norm } from './reduce.js'
export {
  abs,
  clamp,
  equal,
  floor,
  greater,
  greaterOrEqual,
  less,
  maximum,
  minimum,
  sign,
  stopGradient,
  where,
} from './select.js'
export type { Feeds, SessionOptions } from './session.js'
export { constant, input, intConstant, intInput, parameter, type Tensor } from './tensor.js'
export {
  compileTrainingStep,
  type StepOptions,
  type StepResult,
  type TrainingParts,
  type TrainingState,
  type TrainingStep,
} from './training-step.js'
export { type GridBox, trilinear, trilinearBatch, trilinearIndexed, trilinearSized } from './trilinear.js'
