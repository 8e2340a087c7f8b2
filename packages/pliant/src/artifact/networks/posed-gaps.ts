/** A network of a code that sees gaps between parts that follow frames, such as joints (net/gaps/posed-gap-shape.ts). */
import {
  PLACE_TENSORS,
  type PosedGapShape,
  posedGapMultiplications,
  posedGapTensors,
  wrongPlace,
} from '../../net/gaps/posed-gap-shape.js'
import type { Tensors as NetworkTensors } from '../../net/network.js'
import { finite, object, positive, wholeUpTo, wrong } from '../checks.js'
import { type Tensors, take } from '../take.js'
import { checkLayers } from './gaps.js'
import { type NetworkKind, tensorOf } from './network-kind.js'

/** What a file says of a network from a code to how far pairs of parts are apart. */
export interface PosedGapsNetwork {
  /** Name of the kind. */
  kind: 'posed-gaps'
  /** Its gaps and layers. */
  shape: PosedGapShape
}

/** Far more than anybody learns. */
const MOST_PAIRS = 100_000
const MOST_FRAMES = 65_536
const MOST_PLACES = 256

/** In single precision, as there is little of it. */
export const network: NetworkKind<PosedGapsNetwork> = {
  check(network, { codeSize, joints }, path) {
    const shape = object(network['shape'], `${path}.shape`) as Partial<Record<keyof PosedGapShape, unknown>>
    checkPosedGapShape(shape, codeSize, `${path}.shape`)
    if (shape.frames !== joints) throw wrong(`${path}.shape.frames`, shape.frames, `${joints}, as the skeleton has`)
  },
  store: ({ shape }, tensors) => storePosedGaps(shape, tensors),
  take: ({ shape }, stored) => takePosedGaps(shape, stored),
  multiplications: ({ shape }) => posedGapMultiplications(shape),
}

/** @throws Error naming the first field that is missing or wrong */
export function checkPosedGapShape(
  shape: Partial<Record<keyof PosedGapShape, unknown>>,
  codeSize: number,
  path: string,
): void {
  checkLayers(shape, codeSize, path)
  wholeUpTo(shape.pairs, MOST_PAIRS, `${path}.pairs`, 1)
  wholeUpTo(shape.frames, MOST_FRAMES, `${path}.frames`, 1)
  finite(shape.far, `${path}.far`)
  positive(shape.perMetre, `${path}.perMetre`)
  positive(shape.softness, `${path}.softness`)
  wholeUpTo(shape.places, MOST_PLACES, `${path}.places`, 1)
  wholeUpTo(shape.seen, Number(shape.places), `${path}.seen`, 1)
}

export function storePosedGaps(shape: PosedGapShape, tensors: NetworkTensors): Tensors {
  const all = [...posedGapTensors(shape)]
  return new Map(all.map(([name, dims]) => [name, { shape: dims, data: tensorOf(tensors, name, dims) }]))
}

/** @throws Error if a tensor is missing or of another shape, or names a frame that is not there */
export function takePosedGaps(shape: PosedGapShape, stored: Tensors): Map<string, Float32Array> {
  const all = [...posedGapTensors(shape)]
  const tensors = new Map(all.map(([name, dims]) => [name, take(stored, name, dims, Float32Array)]))
  for (const name of PLACE_TENSORS) requirePlaces(shape, name, tensors.get(name)!)
  return tensors
}

/** @throws Error naming the first place of a frame that is not there */
function requirePlaces({ frames }: PosedGapShape, name: string, places: Float32Array): void {
  const wrong = wrongPlace(frames, places)
  if (!wrong) return
  throw new Error(`artifact: ${name}[${wrong.row}] is of frame ${wrong.frame}, there are ${frames}; train it again.`)
}
