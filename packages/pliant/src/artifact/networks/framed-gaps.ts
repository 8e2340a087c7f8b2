/**
 * A network of a code that sees gaps between patches of a surface (net/gaps/posed-gap-shape.ts), with the network that tells
 * where the patches are (net/gaps/learned-frames.ts), whose tensors are called `frames.` and then as those of any dense one.
 */
import { type DenseShape, denseMultiplications, denseTensors } from '../../net/dense/dense-shape.js'
import { FRAME_SIZE } from '../../net/gaps/learned-frames.js'
import { type PosedGapShape, posedGapMultiplications } from '../../net/gaps/posed-gap-shape.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import { object, wrong } from '../checks.js'
import { take } from '../take.js'
import { checkDenseShape } from './dense.js'
import { type NetworkKind, tensorOf } from './network-kind.js'
import { checkPosedGapShape, storePosedGaps, takePosedGaps } from './posed-gaps.js'

/** What a file says of a network from a code to where patches are, and to how far pairs of them are apart. */
export interface FramedGapsNetwork {
  /** Name of the kind. */
  kind: 'framed-gaps'
  /** Its gaps and layers. */
  shape: PosedGapShape
  /** From the code to the frames of patches, twelve numbers each, three rows of four. */
  frames: DenseShape
}

const PREFIX = 'frames.'

/** In single precision, as there is little of it. */
export const network: NetworkKind<FramedGapsNetwork> = {
  check(network, { codeSize }, path) {
    const shape = object(network['shape'], `${path}.shape`) as Partial<Record<keyof PosedGapShape, unknown>>
    const frames = checkDenseShape(network['frames'], `${path}.frames`)
    if (frames.inputs !== codeSize) throw wrong(`${path}.frames.inputs`, frames.inputs, `${codeSize}, the code's size`)
    checkPosedGapShape(shape, codeSize, `${path}.shape`)
    if (frames.outputs !== FRAME_SIZE * Number(shape.frames)) {
      throw wrong(`${path}.frames.outputs`, frames.outputs, `${FRAME_SIZE} for each of the ${shape.frames} frames`)
    }
  },
  store({ shape, frames }, tensors) {
    const own = [...denseTensors(frames)].map(([name, dims]) => {
      return [PREFIX + name, { shape: dims, data: tensorOf(tensors, PREFIX + name, dims) }] as const
    })
    return new Map([...storePosedGaps(shape, tensors), ...own])
  },
  take({ shape, frames }, stored) {
    const own = [...denseTensors(frames)].map(([name, dims]) => {
      return [PREFIX + name, take(stored, PREFIX + name, dims, Float32Array)] as const
    })
    return new Map([...takePosedGaps(shape, stored), ...own])
  },
  multiplications: ({ shape, frames }) => posedGapMultiplications(shape) + denseMultiplications(frames),
}

/** Tensors of the network that tells frames, by their own names. */
export function frameTensors(tensors: NetworkTensors): Map<string, Float32Array> {
  const own = [...tensors].filter(([name]) => name.startsWith(PREFIX))
  return new Map(own.map(([name, values]) => [name.slice(PREFIX.length), values]))
}

/** The way back: names that the file has for them. */
export function namedFrames(tensors: NetworkTensors): Map<string, Float32Array> {
  return new Map([...tensors].map(([name, values]) => [PREFIX + name, values]))
}
