/** The collision detector of Tan et al., of any shape with a code (net/collision-state/collision-state-shape.ts). */
import {
  type CollisionStateShape,
  collisionStateMultiplications,
  collisionStateTensors,
} from '../../net/collision-state/collision-state-shape.js'
import { notNegative, object, positive, wholeUpTo, widths, wrong } from '../checks.js'
import { take } from '../take.js'
import { type NetworkKind, tensorOf } from './network-kind.js'

/** What a file says of a network from a code to how deep domains of a shape are in the rest of it, and to a distance. */
export interface CollisionStateNetwork {
  /** Name of the kind. */
  kind: 'collision-state'
  /** Its domains and layers. */
  shape: CollisionStateShape
}

/** Far more than anybody learns. */
const MOST_DOMAINS = 4096
const MOST_STATES = 8192

/** In single precision, as there is little of it. */
export const network: NetworkKind<CollisionStateNetwork> = {
  check(network, { codeSize }, path) {
    const at = `${path}.shape`
    const shape = object(network['shape'], at) as Partial<Record<keyof CollisionStateShape, unknown>>
    if (shape.codeSize !== codeSize) throw wrong(`${at}.codeSize`, shape.codeSize, `${codeSize}, the code's size`)
    checkDomains(shape.domains, codeSize, `${at}.domains`)
    wholeUpTo(shape.state, MOST_STATES, `${at}.state`, 1)
    for (const part of ['encoder', 'predictor', 'classifier'] as const) widths(shape[part], `${at}.${part}`)
    for (const unit of ['perLogit', 'perDepth', 'metres'] as const) positive(shape[unit], `${at}.${unit}`)
    notNegative(shape.limit, `${at}.limit`)
  },
  store: ({ shape }, tensors) => {
    const all = [...collisionStateTensors(shape)]
    return new Map(all.map(([name, dims]) => [name, { shape: dims, data: tensorOf(tensors, name, dims) }]))
  },
  take: ({ shape }, stored) =>
    new Map([...collisionStateTensors(shape)].map(([name, dims]) => [name, take(stored, name, dims, Float32Array)])),
  multiplications: ({ shape }) => collisionStateMultiplications(shape),
}

/** @throws Error naming the first that is no list of entries of the code, each once */
function checkDomains(value: unknown, codeSize: number, path: string): void {
  if (!Array.isArray(value) || value.length < 1 || value.length > MOST_DOMAINS) {
    throw wrong(path, value, `a list of 1 to ${MOST_DOMAINS} domains`)
  }
  value.forEach((entries, i) => {
    if (!Array.isArray(entries) || new Set(entries).size !== entries.length) {
      throw wrong(`${path}[${i}]`, entries, 'a list of entries of the code, each once')
    }
    entries.forEach((entry, k) => {
      wholeUpTo(entry, codeSize - 1, `${path}[${i}][${k}]`)
    })
  })
}
