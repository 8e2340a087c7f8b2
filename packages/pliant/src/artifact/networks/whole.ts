/** One network of the whole object: a normalised point and code to a normalised distance (net/network-shape.ts). */
import type { NeuralFrame } from '../../learned/neural.js'
import type { Activation, Conditioning, GridShape } from '../../net/network-shape.js'
import { multiplicationsPerQuery, type NetworkShape, networkTensors } from '../../net/network-shape.js'
import { numbers, object, positive, readBox, wholeUpTo, widths, wrong } from '../checks.js'
import { take } from '../take.js'
import { type NetworkKind, tensorOf } from './network-kind.js'

/** What a file says of one network of the whole object, and of the units that it was trained in. */
export interface WholeNetwork extends Pick<NeuralFrame, 'normalisation' | 'domain'> {
  /** Name of the kind. */
  kind: 'whole'
  /** Its layers and grids. */
  shape: NetworkShape
}

/** In single precision, as there is little of it. */
export const whole: NetworkKind<WholeNetwork> = {
  check(network, { codeSize }, path) {
    checkShape(network['shape'], codeSize, `${path}.shape`)
    checkNormalisation(network['normalisation'], codeSize, `${path}.normalisation`)
    readBox(network['domain'], `${path}.domain`)
  },
  store: ({ shape }, tensors) =>
    new Map(
      [...networkTensors(shape)].map(([name, dims]) => [name, { shape: dims, data: tensorOf(tensors, name, dims) }]),
    ),
  take: ({ shape }, stored) =>
    new Map([...networkTensors(shape)].map(([name, dims]) => [name, take(stored, name, dims, Float32Array)])),
  multiplications: ({ shape }) => multiplicationsPerQuery(shape),
}

/** The units that such a network was trained in, as its field takes them. */
export function frameOfManifest(
  { name, code, truncation }: Pick<NeuralFrame, 'name' | 'code' | 'truncation'>,
  { normalisation, domain }: WholeNetwork,
): NeuralFrame {
  return { name, code, normalisation, domain, truncation }
}

function checkNormalisation(value: unknown, codeSize: number, path: string): void {
  const n = object(value, path)
  numbers(n['centre'], 3, `${path}.centre`)
  positive(n['scale'], `${path}.scale`)
  numbers(n['codeOffset'], codeSize, `${path}.codeOffset`)
  numbers(n['codeScale'], codeSize, `${path}.codeScale`)
}

export const ACTIVATIONS: readonly Activation[] = ['relu', 'silu', 'tanh', 'elu', 'softplus']

function checkShape(value: unknown, codeSize: number, path: string): void {
  const network = object(value, path)
  if (network['code'] !== codeSize) throw wrong(`${path}.code`, network['code'], `${codeSize}, the code's size`)
  const conditioning = object(network['conditioning'], `${path}.conditioning`) as Partial<Conditioning>
  if (conditioning.kind === 'blend') {
    const limits: [keyof typeof conditioning, number][] = [
      ['coefficients', 1024],
      ['hidden', 4096],
      ['layers', 1024],
    ]
    for (const [key, limit] of limits) wholeUpTo(conditioning[key], limit, `${path}.conditioning.${key}`)
    if ((conditioning.layers as number) > (conditioning.coefficients as number)) {
      throw wrong(`${path}.conditioning.layers`, conditioning.layers, 'at most the number of coefficients')
    }
  } else if (conditioning.kind !== 'input') {
    throw wrong(`${path}.conditioning.kind`, conditioning.kind, "'input' or 'blend'")
  }
  if (network['warp'] !== null) {
    checkGrid(network['warp'], `${path}.warp`)
    if (conditioning.kind !== 'blend') throw wrong(`${path}.warp`, 'a grid', "null unless conditioning is 'blend'")
    if ((network['warp'] as GridShape).channels < 3) throw wrong(`${path}.warp.channels`, 'less than 3', '3 or more')
  }
  const grids = network['grids']
  if (!Array.isArray(grids) || grids.length > 32) throw wrong(`${path}.grids`, grids, 'a list of up to 32 grids')
  grids.forEach((grid, j) => {
    checkGrid(grid, `${path}.grids[${j}]`)
  })
  widths(network['hidden'], `${path}.hidden`)
  if (!ACTIVATIONS.includes(network['activation'] as Activation)) {
    throw wrong(`${path}.activation`, network['activation'], ACTIVATIONS.join(', '))
  }
  if (network['output'] !== 'linear' && network['output'] !== 'tanh') {
    throw wrong(`${path}.output`, network['output'], "'linear' or 'tanh'")
  }
}

function checkGrid(value: unknown, path: string): void {
  const grid = object(value, path)
  numbers(grid['resolution'], 3, `${path}.resolution`)
  for (const n of grid['resolution'] as number[]) wholeUpTo(n, 1024, `${path}.resolution`, 2)
  wholeUpTo(grid['channels'], 256, `${path}.channels`, 1)
  readBox(grid, path)
}
