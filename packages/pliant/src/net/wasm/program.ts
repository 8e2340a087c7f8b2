/** Writes the records (records.ts) by which the driver answers a batch, and lays out a thread's scratch block. */

import type { Arena } from '../../math/wasm/arena.js'
import type { Values } from '../../math/wasm/records.js'
import type { GridShape, NetworkShape } from '../network-shape.js'
import { gridScale } from '../scalar/grid.js'
import type { Staging } from './batches.js'
import { PANEL, packedRows, roundUp } from './pack.js'
import { featureStride, type PosedLayer } from './pose-plan.js'
import { ACTIVATION, DENSE, FINISH, GRID, PROGRAM, TILE } from './records.js'

export interface Programs {
  evaluate: number
  gradient: number
  /** Words of scratch that each thread needs, its seeds (TILE of them, ones at first) included. */
  scratchSize: number
  /** Where the seeds start within the scratch block [bytes]. */
  seeds: number
}

export function writePrograms(
  shape: NetworkShape,
  layers: PosedLayer[],
  grids: { shape: GridShape; data: number }[],
  staging: Staging,
  arena: Arena,
): Programs {
  const gridRecords = arena.place(encodeGrids(grids))
  const scratch = planScratch(shape)
  const zeros = arena.reserve(scratch.widest)
  const write = (wantsGradient: boolean): number => {
    const forward = forwardSteps(shape, layers, scratch, wantsGradient)
    const backward = wantsGradient ? backwardSteps(shape, layers, scratch, zeros) : []
    const forwardAt = arena.place(DENSE.encode(forward))
    const backwardAt = arena.place(DENSE.encode(backward))
    const last = layers[layers.length - 1]
    const lastStep = forward[forward.length - 1]
    const program = {
      points: staging.points,
      values: staging.values,
      gradients: staging.gradients,
      grids: gridRecords,
      gridsEnd: gridRecords + grids.length * GRID.size,
      hasWarp: shape.warp ? 1 : 0,
      features: scratch.features,
      featureStride: scratch.featureStride,
      forward: forwardAt,
      forwardEnd: forwardAt + forward.length * DENSE.size,
      lastInput: lastStep ? lastStep.to : scratch.features,
      lastStride: lastStep ? lastStep.toStride : scratch.featureStride,
      lastWeight: last.weight,
      lastBias: last.bias,
      isTanh: shape.output === 'tanh' ? 1 : 0,
      seeds: scratch.seeds,
      backward: backwardAt,
      backwardEnd: backwardAt + backward.length * DENSE.size,
      featureGradient: scratch.featureGradient,
      wantsGradient: wantsGradient ? 1 : 0,
    }
    return arena.place(PROGRAM.encode([program]))
  }
  return { evaluate: write(false), gradient: write(true), scratchSize: scratch.size, seeds: scratch.seeds }
}

/** Byte offsets within a scratch block. */
interface Scratch {
  features: number
  featureStride: number
  featureGradient: number
  seeds: number
  /** Outputs of each hidden layer, and their slopes, kept for the way back. */
  outputs: number[]
  slopes: number[]
  strides: number[]
  /** Two buffers that take turns: outputs when nothing is kept, gradients on the way back. */
  turns: [number, number]
  /** Slopes that nobody reads. */
  spare: number
  /** Words of the widest row. */
  widest: number
  size: number
}

function planScratch(shape: NetworkShape): Scratch {
  let size = 0
  const rows = (stride: number): number => {
    const offset = 4 * size
    size += TILE * stride
    return offset
  }
  const features = featureStride(shape)
  const strides = shape.hidden.map((width) => roundUp(width, PANEL))
  const widest = Math.max(features, ...strides)
  const scratch = {
    features: rows(features),
    featureStride: 4 * features,
    featureGradient: rows(features),
    seeds: rows(1),
    turns: [rows(widest), rows(widest)] as [number, number],
    outputs: strides.map(rows),
    slopes: shape.activation === 'relu' ? [] : strides.map(rows),
    spare: shape.activation === 'relu' ? 0 : rows(widest),
    strides: strides.map((stride) => 4 * stride),
    widest,
  }
  return { ...scratch, size }
}

type Step = Values<typeof DENSE>

function forwardSteps(shape: NetworkShape, layers: PosedLayer[], scratch: Scratch, keep: boolean): Step[] {
  const { activation } = shape
  const output = (l: number): number => (keep ? scratch.outputs[l] : scratch.turns[l % 2])
  return shape.hidden.map((width, l) => ({
    from: l === 0 ? scratch.features : output(l - 1),
    fromStride: l === 0 ? scratch.featureStride : scratch.strides[l - 1],
    to: output(l),
    toStride: scratch.strides[l],
    weight: layers[l].weight,
    inputs: packedRows(layers[l].inputs),
    panels: Math.ceil(width / PANEL),
    finish: FINISH.bias,
    beside: layers[l].bias,
    floor: activation === 'relu' ? 0 : -Infinity,
    activation: activation === 'relu' ? ACTIVATION.none : ACTIVATION[activation],
    slopes: keep && activation !== 'relu' ? scratch.slopes[l] : scratch.spare,
  }))
}

/** From the seeds back to the features: first through the last layer's weights, then each hidden layer's transposed. */
function backwardSteps(shape: NetworkShape, layers: PosedLayer[], scratch: Scratch, zeros: number): Step[] {
  const last = shape.hidden.length
  const isRelu = shape.activation === 'relu'
  const steps: Step[] = []
  for (let l = last; l >= 0; l--) {
    const previous = steps[steps.length - 1]
    const common = {
      from: previous ? previous.to : scratch.seeds,
      fromStride: previous ? previous.toStride : 4,
      weight: l === last ? layers[l].weight : layers[l].transposed,
      inputs: l === last ? 1 : packedRows(layers[l].outputs),
      floor: -Infinity,
      activation: ACTIVATION.none,
      slopes: 0,
    }
    // What reaches the features meets no activation: the forward ending with a bias of zeros.
    steps.push(
      l === 0
        ? {
            ...common,
            to: scratch.featureGradient,
            toStride: scratch.featureStride,
            panels: Math.ceil(layers[0].inputs / PANEL),
            finish: FINISH.bias,
            beside: zeros,
          }
        : {
            ...common,
            to: scratch.turns[l % 2],
            toStride: scratch.strides[l - 1],
            panels: scratch.strides[l - 1] / (4 * PANEL),
            finish: isRelu ? FINISH.mask : FINISH.slope,
            beside: isRelu ? scratch.outputs[l - 1] : scratch.slopes[l - 1],
          },
    )
  }
  return steps
}

function encodeGrids(grids: { shape: GridShape; data: number }[]): Int32Array {
  // The warp writes to 3 + channel, the static grids behind it.
  let feature = 3
  return GRID.encode(
    grids.map(({ shape: grid, data }) => {
      const { channels, resolution, lower } = grid
      const width = roundUp(channels, 4)
      const [nx, ny] = resolution
      feature += channels
      return {
        lower,
        scale: gridScale(grid),
        last: resolution.map((n) => n - 1),
        lastCell: resolution.map((n) => n - 2),
        strides: [1, nx, nx * ny].map((nodes) => 4 * width * nodes),
        data,
        chunks: width / 4,
        feature: 4 * (feature - channels),
      }
    }),
  )
}
