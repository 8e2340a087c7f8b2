/**
 * Learns a space of shapes from meshes of the same triangles: the bilevel autoencoder on ACAP features (Tan et al. 2022,
 * section 3.1). First level 1, which finds domains, then level 2 on what it leaves; both are saved as they go.
 *
 * The published levels end in joint training. Here level 1 stays as it is once its domains are known: nothing moves under
 * the second level then, which sees its data along a few directions and takes seconds (`level-two.ts`).
 */
import { createHash } from 'node:crypto'
import type { TriangleMesh } from 'pliant'
import {
  createShapeSpace,
  type OnProgress,
  progressWithin,
  type ShapeSpaceData,
  type StoredPart,
} from 'pliant/unstable'
import { BadInput } from '../../input/bad-input.js'
import { encodeShapes } from '../../modes/acap-pool.js'
import { principalDirections } from '../../modes/principal.js'
import { checkpointsOf, type ResumableRun } from '../../resume/checkpoint.js'
import type { RunStepsOptions } from '../run-steps.js'
import { domainAttention } from './attention.js'
import { centreDistances } from './centre-distances.js'
import { type LevelOne, learnLevelOne } from './level-one.js'
import { learnLevelTwo } from './level-two.js'
import { shapeNumbers } from './shape-numbers.js'
import { type ShapeSpaceOptions, shapeSpaceSettings } from './shape-space-options.js'

export interface ShapeSpaceRun extends ResumableRun {
  seed: number
  /** Of training; results depend on it. */
  threads?: number
  /** Of the features of shapes; results do not depend on it. By default one per core. */
  workers?: number
  signal?: AbortSignal
  onProgress?: OnProgress
  checkpointSeconds?: number
}

/** Fewer say nothing of how shapes differ. */
const LEAST_SHAPES = 4

/** Shares of the time, about. */
const PARTS = { features: 0.2, levelOne: 0.6 } as const

/** Where a run is saved: remove them once the result is safe. */
export function shapeSpaceCheckpoints(checkpointPath: string): [levelOne: string, levelTwo: string] {
  return [`${checkpointPath}.level-1`, `${checkpointPath}.level-2`]
}

/**
 * @param reference  what shapes are compared with: one of them, or their rest
 * @param shapes     vertices of each [m], xyz triples, wherever they are
 * @returns plain data for `createShapeSpace`
 * @throws BadInput if there are too few shapes, they do not differ, or one does not belong to the reference
 * @throws RangeError if an option does not fit
 */
export async function learnShapeSpace(
  reference: TriangleMesh,
  shapes: readonly Float32Array[],
  options: Partial<ShapeSpaceOptions>,
  run: ShapeSpaceRun,
): Promise<ShapeSpaceData> {
  const settings = shapeSpaceSettings(options)
  if (shapes.length < LEAST_SHAPES) {
    throw new BadInput(`shape space: ${shapes.length} shapes; give ${LEAST_SHAPES} at least, hundreds for a good one.`)
  }
  const { signal, onProgress } = run
  const features = await encodeShapes(reference, shapes, {
    threads: run.workers,
    signal,
    onProgress: progressWithin(onProgress, 0, PARTS.features, { stage: 'features' }),
  })
  const numbers = shapeNumbers(features)
  if (!(numbers.scale > LEAST_DIFFERENCE)) {
    throw new BadInput(`shape space: all ${shapes.length} shapes are the same but for rigid motion; give others.`)
  }
  const hash = hashOf(reference, shapes, settings)
  const centres = centreDistances(reference)
  const directions = principalDirections(numbers.rows, settings.directions)
  const first = await runningOf(run, hash, 1)
  const levelOne = await learnLevelOne(numbers.rows, directions, centres, settings, run.seed, first)
  const whole = wholePart(levelOne, settings.domains, numbers.rows[0].length)
  const residuals = numbers.rows.map((row) => leftOf(row, levelOne, settings.domains))
  const sights = domainAttention(levelOne.components, settings.domains, centres)
  const second = await runningOf(run, hash, 2)
  const domains = await learnLevelTwo(reference, numbers, residuals, sights, settings, run.seed, second)
  const { mean, scale } = numbers
  const frame = { reference, fitWeight: settings.fitWeight, mean, scale }
  const parts = [whole, ...domains]
  return { ...frame, parts, bounds: await boundsOf({ ...frame, parts }, features) }
}

/** Features that differ less than this are rounding. */
const LEAST_DIFFERENCE = 1e-5

/** A level that was finished is read from its checkpoint, and takes no step. */
async function runningOf(
  run: ShapeSpaceRun,
  hash: string,
  level: 1 | 2,
): Promise<RunStepsOptions & { threads: number }> {
  const path = run.checkpointPath
  const own = { ...run, checkpointPath: path === undefined ? undefined : shapeSpaceCheckpoints(path)[level - 1] }
  const { resume, onCheckpoint } = await checkpointsOf(own, hash, run.seed)
  const [from, to] =
    level === 1 ? [PARTS.features, PARTS.features + PARTS.levelOne] : [PARTS.features + PARTS.levelOne, 1]
  return {
    threads: run.threads ?? 2,
    resume,
    onCheckpoint: onCheckpoint && ((steps, state) => onCheckpoint(steps, state, undefined)),
    checkpointSeconds: run.checkpointSeconds,
    signal: run.signal,
    onProgress: progressWithin(run.onProgress, from, to, { stage: `level ${level}` }),
  }
}

function hashOf(reference: TriangleMesh, shapes: readonly Float32Array[], settings: ShapeSpaceOptions): string {
  const hash = createHash('sha256').update(JSON.stringify(settings))
  for (const array of [Float64Array.from(reference.positions), reference.triangles, ...shapes]) {
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }
  return hash.digest('hex')
}

/** What level 1 leaves of a shape. */
function leftOf(row: Float32Array, { encoder, components }: LevelOne, domains: number): Float32Array {
  const code = new Float64Array(domains)
  for (let i = 0; i < row.length; i++) for (let k = 0; k < domains; k++) code[k] += row[i] * encoder[i * domains + k]
  const out = row.slice()
  for (let k = 0; k < domains; k++) {
    for (let i = 0; i < row.length; i++) out[i] -= code[k] * components[k * row.length + i]
  }
  return out
}

function wholePart({ encoder, components }: LevelOne, domains: number, size: number): StoredPart {
  const affine = { hidden: [], activation: 'tanh', output: 'linear' } as const
  const network = (inputs: number, outputs: number, weight: Float32Array) => ({
    shape: { ...affine, hidden: [], inputs, outputs },
    tensors: new Map([
      ['dense.0.weight', weight],
      ['dense.0.bias', new Float32Array(outputs)],
    ]),
  })
  return {
    codeSize: domains,
    vertices: Uint32Array.from({ length: size / 9 }, (_, v) => v),
    attention: new Float32Array(size / 9).fill(1),
    encoder: network(size, domains, encoder),
    decoder: network(domains, size, components),
  }
}

/** Least and largest entries over the codes of all shapes, as encoders tell them. */
async function boundsOf(
  data: Omit<ShapeSpaceData, 'bounds'>,
  features: readonly Float32Array[],
): Promise<ShapeSpaceData['bounds']> {
  const size = data.parts.reduce((sum, { codeSize }) => sum + codeSize, 0)
  const lower = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
  const upper = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  const space = await createShapeSpace({ ...data, bounds: { lower, upper } }, { backend: 'scalar' })
  const code = new Float64Array(size)
  for (const each of features) {
    space.encodeFeatures(each, code, 0)
    for (let k = 0; k < size; k++) {
      lower[k] = Math.min(lower[k], code[k])
      upper[k] = Math.max(upper[k], code[k])
    }
  }
  return { lower, upper }
}
