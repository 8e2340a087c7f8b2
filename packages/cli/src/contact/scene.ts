/** The scene of `pliant contact`: a JSON file of bodies, read and checked before any of their files is. */
import { UsageError } from '../errors.js'
import { Keys, LONGEST_LIST } from './keys.js'
import { readPoses } from './poses.js'

/** What a body's field is made of. */
export type Source =
  | { readonly kind: 'shape'; readonly shape: unknown; readonly voxels: number | undefined }
  | { readonly kind: 'mesh'; readonly path: string; readonly scale: number; readonly voxels: number | undefined }
  | { readonly kind: 'trained'; readonly path: string; readonly state: TrainedState }

/** By what a trained body is posed. */
export interface TrainedState {
  /** A .npy file, or the numbers themselves. */
  readonly code?: string | readonly number[]
  readonly nodes?: string
  readonly motion?: string
  readonly clip?: string
  readonly time?: number
}

export interface SceneBody {
  readonly name: string
  readonly source: Source
  /** How much larger the body counts than it is [m]. */
  readonly margin: number
  /** From the body's frame to the world, column-major 4x4: one, or as many as the scene has frames. */
  readonly poses: readonly Float64Array[]
}

export interface Scene {
  /** Distance up to which there are contacts [m]; undefined where the scene does not say. */
  readonly gap: number | undefined
  readonly bodies: readonly SceneBody[]
  /** How many moments the scene has. */
  readonly frames: number
}

/** Nodes of a grid along its longest side. */
const VOXELS = { lower: 8, upper: 256, whole: true } as const

/** @param path  for messages. @throws UsageError in one line that names the body and the value */
export function readScene(path: string, json: unknown): Scene {
  const keys = new Keys(path, json)
  const gap = keys.number('gap', { lower: 0 })
  const given = keys.list('bodies')
  keys.finish()
  if (given.length < 2) {
    throw new UsageError(`${path}: bodies has ${given.length} of them; give two or more that may touch.`)
  }
  const bodies = given.map((body, i) => readBody(path, body, i))
  const numbers = new Map<string, number>()
  bodies.forEach(({ name }, i) => {
    const before = numbers.get(name)
    if (before !== undefined) {
      throw new UsageError(
        `${path}: bodies ${before + 1} and ${i + 1} are both called '${name}'; give each its own name.`,
      )
    }
    numbers.set(name, i)
  })
  const moving = bodies.filter(({ poses }) => poses.length > 1)
  const other = moving.find(({ poses }) => poses.length !== moving[0].poses.length)
  if (other) {
    throw new UsageError(
      `${path}: '${moving[0].name}' has ${moving[0].poses.length} frames, '${other.name}' ${other.poses.length}; give as many.`,
    )
  }
  return { gap, bodies, frames: moving[0]?.poses.length ?? 1 }
}

function readBody(path: string, json: unknown, index: number): SceneBody {
  const unnamed = new Keys(`${path}: body ${index + 1}`, json)
  const name = unnamed.text('name') ?? `body ${index + 1}`
  const keys = unnamed.at(`${path}: body '${name}'`)
  const source = readSource(keys)
  const margin = keys.number('margin', { lower: 0 }) ?? 0
  const poses = readPoses(keys)
  keys.finish()
  return { name, source, margin, poses }
}

function readSource(keys: Keys): Source {
  const kinds = ['shape', 'mesh', 'trained'].filter((kind) => keys.has(kind))
  if (kinds.length !== 1) {
    throw keys.error(
      kinds.length === 0
        ? 'has no shape; give \'shape\' (as { "shape": "sphere", "radius": 1 }), \'mesh\' or \'trained\' (a file)'
        : `has ${kinds.map((kind) => `'${kind}'`).join(' and ')}; keep one of them`,
    )
  }
  if (kinds[0] === 'shape') return { kind: 'shape', shape: keys.any('shape'), voxels: keys.number('voxels', VOXELS) }
  if (kinds[0] === 'mesh') {
    const scale = keys.number('scale', { lower: 0 }) ?? 1
    if (scale === 0) throw keys.error('scale is 0; give metres per unit of the file, as 0.001 for millimetres')
    return { kind: 'mesh', path: keys.file('mesh'), scale, voxels: keys.number('voxels', VOXELS) }
  }
  return { kind: 'trained', path: keys.file('trained'), state: readState(keys) }
}

function readState(keys: Keys): TrainedState {
  const isList = keys.has('code') && typeof keys.peek('code') !== 'string'
  return {
    ...(keys.has('code') && { code: isList ? keys.numbers('code', { most: LONGEST_LIST }) : keys.file('code') }),
    ...(keys.has('nodes') && { nodes: keys.file('nodes') }),
    ...(keys.has('motion') && { motion: keys.file('motion') }),
    ...(keys.has('clip') && { clip: keys.text('clip') }),
    ...(keys.has('time') && { time: keys.number('time', { lower: 0 }) }),
  }
}
