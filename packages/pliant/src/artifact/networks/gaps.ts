/** A network of a code that sees gaps between parts of a body (net/gaps/gap-shape.ts): what tells self-contact. */
import type { Activation } from '../../net/dense/dense-shape.js'
import { type GapShape, gapMultiplications, gapTensors } from '../../net/gaps/gap-shape.js'
import { object, wholeUpTo, widths, wrong } from '../checks.js'
import { take } from '../take.js'
import { type NetworkKind, tensorOf } from './network-kind.js'
import { ACTIVATIONS } from './whole.js'

/** What a file says of a network from a code to one number. */
export interface GapsNetwork {
  /** Name of the kind. */
  kind: 'gaps'
  /** Its gaps and layers. */
  shape: GapShape
}

/** In single precision, as there is little of it. */
export const network: NetworkKind<GapsNetwork> = {
  check: (network, { codeSize }, path) => checkGapShape(network['shape'], codeSize, `${path}.shape`),
  store: ({ shape }, tensors) =>
    new Map([...gapTensors(shape)].map(([name, dims]) => [name, { shape: dims, data: tensorOf(tensors, name, dims) }])),
  take: ({ shape }, stored) =>
    new Map([...gapTensors(shape)].map(([name, dims]) => [name, take(stored, name, dims, Float32Array)])),
  multiplications: ({ shape }) => gapMultiplications(shape),
}

/** @throws Error naming the first field of a `GapShape` that is missing or wrong */
export function checkGapShape(value: unknown, codeSize: number, path: string): void {
  const shape = object(value, path) as Partial<Record<keyof GapShape, unknown>>
  checkLayers(shape, codeSize, path)
  wholeUpTo(shape.gaps, 4096, `${path}.gaps`)
}

/** What all networks of a code have that see gaps. @throws Error naming the first field that is missing or wrong */
export function checkLayers(
  shape: Partial<Record<'codeSize' | 'hidden' | 'activation', unknown>>,
  codeSize: number,
  path: string,
): void {
  if (shape.codeSize !== codeSize) throw wrong(`${path}.codeSize`, shape.codeSize, `${codeSize}, the code's size`)
  widths(shape.hidden, `${path}.hidden`)
  if (!ACTIVATIONS.includes(shape.activation as Activation)) {
    throw wrong(`${path}.activation`, shape.activation, ACTIVATIONS.join(', '))
  }
}
