/**
 * The manifest: what a trained artifact is, how its code is made, in which units it works, and how good it was
 * measured to be. It travels as JSON in the container's metadata and is checked field by field before use.
 */
import type { NeuralFrame } from '../learned/neural.js'
import type { MeasuredErrors } from '../learned/own-error.js'
import type { CodeWeighting } from '../model/modal-body.js'
import type { Activation, Conditioning, GridShape } from '../net/network-shape.js'
import { readBoneNetwork } from './bone-manifest.js'
import { finite, numbers, object, parseManifest, positive, readBox, size32, text, wholeUpTo, wrong } from './checks.js'
import type { ObjectNetworkShape } from './object-network.js'

/** Raised when a reader of today would misread the file; older ones must stay readable. */
export const FORMAT_VERSION = 1

/** Measured against exact geometry on codes that were never trained on. Lengths in metres, angles in degrees. */
export interface Quality {
  /** How many poses it was measured on. */
  poses: number
  /** How many points it was asked, over all poses; a count. */
  points: number
  /** Length that percentages refer to [m]: the diagonal of the rest shape's box. */
  diagonal: number
  /** |learned - exact| of off-surface points with |exact| inside the truncation band [m]. */
  bandError: { mean: number; p50: number; p95: number; p99: number; max: number }
  /** |learned| at points on the surface [m]. */
  surfaceError: { mean: number; p95: number; max: number }
  /** Share of points with the right sign, of those further from the surface than 0.5% of the diagonal. */
  signAccuracy: number
  /** Angle between learned gradient and exact normal, off-surface points in the band [degrees]. */
  normalError: { p50: number; p95: number }
  /**
   * Of poses in groups (drops of an elastic body), whose poses are alike: 95% interval of `bandError.mean` over other draws
   * of as many groups [m].
   */
  interval?: { lower: number; upper: number; groups: number }
  /**
   * Poses of the same drops with inverted tetrahedra, which none of the other figures counts: how many, which share of all,
   * mean and largest error in the band, and what the mean over all poses is with them [m].
   */
  inverted?: { poses: number; share: number; mean: number; max: number; withThem: number }
  /**
   * Points in the band whose nearest surface is hidden inside the body, where it passes through itself: share, 0 to 1, of all
   * in the band, mean and largest error [m]. No other figure but the sign counts them.
   */
  hidden?: { share: number; mean: number; max: number }
  /** The codes with the largest mean band error, worst first. */
  worstPoses: { code: number[]; meanError: number }[]
  /**
   * Mean over the poses of what the field answers on its own surface [m], at its own probes (learned/own-error.ts):
   * beside `bandError.mean` it tells what these say of errors near the surface. Files of version 0.1 have none.
   */
  probeError?: number
  /** Distance to subtract for a conservative answer near the surface: the 99.5th percentile of overestimation [m]. */
  safetyMargin: number
  /** Points further from the surface than the band, where distances are rough. The first files lack it. */
  beyond?: {
    /** Half-width of the band [m]. */
    from: number
    /** Share, 0 to 1, of points drawn anywhere in the domain that lie there. */
    share: number
    /** |learned - exact| [m]. */
    mean: number
    max: number
    /** Of those outside: share, 0 to 1, that are said to be further away than they are, and by how much at most [m]. */
    tooFar: number
    maxTooFar: number
  }
}

/** What a field's own error is scaled by; the surface's error stands in for that of the probes, where there is none. */
export function measuredErrors(quality: Quality | null): MeasuredErrors | undefined {
  if (!quality) return undefined
  return { distances: quality.bandError.mean, probes: quality.probeError ?? quality.surfaceError.mean }
}

/** What the object is made of, and how much of it the file holds. */
export type ModelSizes =
  | { kind: 'linear-modes'; vertices: number; triangles: number }
  | {
      /** Tetrahedra that a simulation moves; modes only describe its shape (model/modal-body.ts). */
      kind: 'elastic-body'
      vertices: number
      triangles: number
      nodes: number
      tetrahedra: number
      weighting: CodeWeighting
      /** What it was made of in the simulation that it was trained on. */
      material: BodyMaterial
      /** If it was made by filling a surface: how far the body's own lies from that one, mean and largest [m]. */
      moved?: { mean: number; max: number }
    }

/** As `FemMaterial` of pliant/sim takes it. */
export interface BodyMaterial {
  /** Mass per volume [kg/m^3]. */
  density: number
  /** Young's modulus [Pa]. */
  young: number
  /** Poisson's ratio. */
  poisson: number
  /** Rayleigh damping by mass [1/s]. */
  massDamping: number
  /** Rayleigh damping by stiffness [s]. */
  stiffnessDamping: number
}

/** What the file of a trained object says of itself: its code, its units, how it was trained and how good it is. */
export interface Manifest extends NeuralFrame {
  /** Version of the file format. */
  format: number
  /** Which kind of artifact this is. */
  kind: 'signed-distance'
  /** The code that `update` takes: its size, and the range that was trained. */
  code: NeuralFrame['code'] & {
    /** One name per entry, for sliders and messages. */
    names: string[]
    /** How the caller gets the code. */
    how: string
  }
  /** What the object is made of: a surface with modes, or an elastic body. */
  model: ModelSizes
  /** Shape of the network; its weights are in the artifact. */
  network: ObjectNetworkShape
  /** How it was trained; the same hash and seed give the same bytes again. */
  training: { method: string; seed: number; specHash: string; steps: number; poses: number; labels: number }
  /** How good it was measured to be; null if its answers were no numbers. */
  quality: Quality | null
  /** Why the field must not be trusted, in one line; not there if training found nothing wrong. */
  fault?: string
}

/** @throws Error naming the first field that is missing or wrong */
export function readManifest(json: string): Manifest {
  const value = parseManifest(json)
  const root = object(value, 'manifest')
  if (!Number.isInteger(root['format']) || (root['format'] as number) < 1) {
    throw wrong('format', root['format'], 'a version from 1 up')
  }
  if ((root['format'] as number) > FORMAT_VERSION) {
    throw new Error(
      `artifact: format version ${root['format']} is newer than ${FORMAT_VERSION}, which this Pliant reads; update pliant.`,
    )
  }
  if (root['kind'] !== 'signed-distance') throw wrong('kind', root['kind'], "'signed-distance'")
  text(root['name'], 'name')
  const size = readCode(root['code'])
  readModel(object(root['model'], 'model'))
  readNormalisation(root['normalisation'], size)
  readBox(root['domain'], 'domain')
  positive(root['truncation'], 'truncation')
  const network = object(root['network'], 'network')
  if ('bones' in network) readParts(network, root['model'])
  else readNetwork(network, size)
  const training = object(root['training'], 'training')
  text(training['method'], 'training.method')
  text(training['specHash'], 'training.specHash')
  for (const key of ['seed', 'steps', 'poses', 'labels']) finite(training[key], `training.${key}`)
  if (root['quality'] !== null) readQuality(root['quality'])
  if (root['fault'] !== undefined) text(root['fault'], 'fault')
  return value as Manifest
}

function readModel(model: Record<string, unknown>): void {
  size32(model['vertices'], 'model.vertices')
  size32(model['triangles'], 'model.triangles')
  if (model['kind'] === 'linear-modes') return
  if (model['kind'] !== 'elastic-body') throw wrong('model.kind', model['kind'], "'linear-modes' or 'elastic-body'")
  size32(model['nodes'], 'model.nodes')
  size32(model['tetrahedra'], 'model.tetrahedra')
  if (model['weighting'] !== 'mass' && model['weighting'] !== 'plain') {
    throw wrong('model.weighting', model['weighting'], "'mass' or 'plain'")
  }
  const material = object(model['material'], 'model.material')
  for (const key of ['density', 'young']) positive(material[key], `model.material.${key}`)
  for (const key of ['poisson', 'massDamping', 'stiffnessDamping']) finite(material[key], `model.material.${key}`)
  if (model['moved'] === undefined) return
  const moved = object(model['moved'], 'model.moved')
  for (const key of ['mean', 'max']) finite(moved[key], `model.moved.${key}`)
}

/** Bones are the body's parts. */
function readParts(network: Record<string, unknown>, model: unknown): void {
  const kind = object(model, 'model')['kind']
  if (kind !== 'elastic-body') throw wrong('network.bones', 'a list', `absent from a model of kind '${kind}'`)
  const { bones } = network
  readBoneNetwork(network, Array.isArray(bones) ? bones.length : 0)
}

function readNormalisation(value: unknown, codeSize: number): void {
  const n = object(value, 'normalisation')
  numbers(n['centre'], 3, 'normalisation.centre')
  positive(n['scale'], 'normalisation.scale')
  numbers(n['codeOffset'], codeSize, 'normalisation.codeOffset')
  numbers(n['codeScale'], codeSize, 'normalisation.codeScale')
}

const ACTIVATIONS: Activation[] = ['relu', 'silu', 'tanh', 'elu', 'softplus']

/** @param path what the network is called in messages */
export function readNetwork(value: unknown, codeSize: number, path = 'network'): void {
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
    readGrid(network['warp'], `${path}.warp`)
    if (conditioning.kind !== 'blend') throw wrong(`${path}.warp`, 'a grid', "null unless conditioning is 'blend'")
    if ((network['warp'] as GridShape).channels < 3) throw wrong(`${path}.warp.channels`, 'less than 3', '3 or more')
  }
  const grids = network['grids']
  if (!Array.isArray(grids) || grids.length > 32) throw wrong(`${path}.grids`, grids, 'a list of up to 32 grids')
  grids.forEach((grid, j) => {
    readGrid(grid, `${path}.grids[${j}]`)
  })
  const hidden = network['hidden']
  if (!Array.isArray(hidden) || hidden.length > 64) throw wrong(`${path}.hidden`, hidden, 'a list of up to 64 widths')
  hidden.forEach((width, l) => {
    wholeUpTo(width, 8192, `${path}.hidden[${l}]`, 1)
  })
  if (!ACTIVATIONS.includes(network['activation'] as Activation)) {
    throw wrong(`${path}.activation`, network['activation'], ACTIVATIONS.join(', '))
  }
  if (network['output'] !== 'linear' && network['output'] !== 'tanh') {
    throw wrong(`${path}.output`, network['output'], "'linear' or 'tanh'")
  }
}

function readGrid(value: unknown, path: string): void {
  const grid = object(value, path)
  numbers(grid['resolution'], 3, `${path}.resolution`)
  for (const n of grid['resolution'] as number[]) wholeUpTo(n, 1024, `${path}.resolution`, 2)
  wholeUpTo(grid['channels'], 256, `${path}.channels`, 1)
  readBox(grid, path)
}

/** Size of the code that a manifest describes. */
export function readCode(value: unknown): number {
  const code = object(value, 'code')
  const size = code['size']
  if (!Number.isInteger(size) || (size as number) < 0 || (size as number) > 4096) {
    throw wrong('code.size', size, 'a whole number up to 4096')
  }
  text(code['how'], 'code.how')
  numbers(code['lower'], size as number, 'code.lower')
  numbers(code['upper'], size as number, 'code.upper')
  const names = code['names']
  if (!Array.isArray(names) || names.length !== size) throw wrong('code.names', names, `${size} names`)
  names.forEach((name, i) => {
    text(name, `code.names[${i}]`)
  })
  return size as number
}

export function readQuality(value: unknown): void {
  const quality = object(value, 'quality')
  for (const key of ['poses', 'points', 'diagonal', 'signAccuracy', 'safetyMargin']) {
    finite(quality[key], `quality.${key}`)
  }
  const groups: Record<string, string[]> = {
    bandError: ['mean', 'p50', 'p95', 'p99', 'max'],
    surfaceError: ['mean', 'p95', 'max'],
    normalError: ['p50', 'p95'],
    ...(quality['interval'] !== undefined && { interval: ['lower', 'upper', 'groups'] }),
    ...(quality['hidden'] !== undefined && { hidden: ['share', 'mean', 'max'] }),
    ...(quality['inverted'] !== undefined && { inverted: ['poses', 'share', 'mean', 'max', 'withThem'] }),
    ...(quality['beyond'] !== undefined && { beyond: ['from', 'share', 'mean', 'max', 'tooFar', 'maxTooFar'] }),
  }
  for (const [group, keys] of Object.entries(groups)) {
    const entry = object(quality[group], `quality.${group}`)
    for (const key of keys) finite(entry[key], `quality.${group}.${key}`)
  }
  if (quality['probeError'] !== undefined) finite(quality['probeError'], 'quality.probeError')
  if (!Array.isArray(quality['worstPoses'])) throw wrong('quality.worstPoses', quality['worstPoses'], 'a list')
}

/** Says so, once for each load, if training marked a file as bad: a field that looks like any other must not be used unawares. */
export function warnOfFault({ name, fault }: { name: string; fault?: string }): void {
  if (fault !== undefined) console.warn(`pliant: '${name}' was marked as bad when it was trained: ${fault}.`)
}
