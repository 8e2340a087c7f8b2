/** Writes the records (records.ts) by which the driver answers a batch, and lays out a thread's scratch block. */
import type { Arena } from '../../math/wasm/arena.js'
import type { GridShape, NetworkShape } from '../network-shape.js'
import { gridScale } from '../scalar/grid.js'
import { backwardSteps, forwardSteps, type PackedLayer, planLayerRows, ScratchPlan } from './dense-steps.js'
import { roundUp } from './pack.js'
import type { Staging } from './point-batches.js'
import { featureStride } from './pose-plan.js'
import { DENSE, GRID, PROGRAM } from './records.js'

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
  layers: PackedLayer[],
  grids: { shape: GridShape; data: number }[],
  staging: Staging,
  arena: Arena,
): Programs {
  const gridRecords = arena.place(encodeGrids(grids))
  const scratch = new ScratchPlan()
  const width = featureStride(shape)
  const [features, featureGradient, seeds] = [scratch.rows(width), scratch.rows(width), scratch.rows(1)]
  const rows = planLayerRows(scratch, width, shape.hidden)
  const zeros = arena.reserve(width)
  // The last layer has one output: a dot product of its own on the way there.
  const hidden = layers.slice(0, -1)
  const activations = hidden.map(() => shape.activation)
  const last = layers[layers.length - 1]
  const write = (wantsGradient: boolean): number => {
    const forward = forwardSteps(hidden, activations, features, rows, wantsGradient)
    const backward = wantsGradient ? backwardSteps(layers, shape.activation, seeds, rows, featureGradient, zeros) : []
    const forwardAt = arena.place(DENSE.encode(forward))
    const backwardAt = arena.place(DENSE.encode(backward))
    const lastStep = forward[forward.length - 1]
    const program = {
      points: staging.points,
      values: staging.values,
      gradients: staging.gradients,
      grids: gridRecords,
      gridsEnd: gridRecords + grids.length * GRID.size,
      hasWarp: shape.warp ? 1 : 0,
      features: features.at,
      featureStride: features.stride,
      forward: forwardAt,
      forwardEnd: forwardAt + forward.length * DENSE.size,
      lastInput: lastStep ? lastStep.to : features.at,
      lastStride: lastStep ? lastStep.toStride : features.stride,
      lastWeight: last.weight,
      lastBias: last.bias,
      isTanh: shape.output === 'tanh' ? 1 : 0,
      seeds: seeds.at,
      backward: backwardAt,
      backwardEnd: backwardAt + backward.length * DENSE.size,
      featureGradient: featureGradient.at,
      wantsGradient: wantsGradient ? 1 : 0,
    }
    return arena.place(PROGRAM.encode([program]))
  }
  return { evaluate: write(false), gradient: write(true), scratchSize: scratch.size, seeds: seeds.at }
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
