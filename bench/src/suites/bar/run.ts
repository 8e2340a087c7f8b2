/**
 * The built-in bar: the whole cost of a frame in which it has bent, pose or refit plus N queries with sign and normal,
 * learned against exact: our own exact field, and three-mesh-bvh at its best (refit, never rebuild, typed-array
 * positions, reused targets). Both also with a search that stops where the learned field's distances end.
 */
import { drawCodes, drawShapes, measureQuality } from '@pliant/train/unstable'
import { streamOf } from '@pliant/train/unstable/streams'
import { decode, load, type ModesArtifact, type Quality } from 'pliant'
import { ExactMeshField, type ExactMeshFieldOptions } from 'pliant/exact'
import { multiplicationsOf, type OnProgress, sampleSurface } from 'pliant/unstable'
import { BufferAttribute, BufferGeometry } from 'three'
import { MeshBVH } from 'three-mesh-bvh'
import { type Interval, intervalOf } from '../../quality/interval.js'
import { askTree, createAnswers } from '../../queries/tree-answers.js'
import type { RunOptions } from '../../suite/suite.js'
import { type Gain, gainOver } from '../../timing/best-rival.js'
import { timeTurns } from '../../timing/turns.js'
import { BAR_RIVALS, type BarMethod } from './rivals.js'

export interface BarGiven {
  /** A trained artifact's bytes. */
  artifact?: Uint8Array
}

export interface BarBenchRow {
  points: 'uniform' | 'near'
  /** Queries after each change of shape. */
  count: number
  /** Median time of one frame [microseconds]: change of shape, then all queries with sign and normal. */
  microseconds: Record<BarMethod, number>
  rounds: number
  /** Of the fastest of all rivals, against learned on one thread. */
  best: Gain
}

export interface BarBenchResult {
  triangles: number
  artifactBytes: number
  backend: string
  multiplications: number
  /** Half-width of the band in which errors hold and where the searches called `Stop` end [m]. */
  band: number
  /** Of the first seed. */
  quality: Quality
  /** Mean error of points in the band [m], over seeds that draw other shapes and points. */
  error: Interval & { seeds: number[] }
  rows: BarBenchRow[]
}

const COUNTS = [1, 16, 128, 1024, 8192]
/** Not the seed of training, nor that of `pliant evaluate`. */
const SEEDS = [3, 4, 5, 6, 7]

export async function benchBar({
  artifact,
  signal,
  onProgress,
  quick,
}: RunOptions & BarGiven): Promise<BarBenchResult> {
  if (!artifact) throw new Error('bench bar: no artifact; train one with `pliant train bar --out out/bar.safetensors`.')
  const decoded = await decode(artifact, 'linear-modes')
  const { manifest, model } = decoded
  const field = await load(decoded)
  const seeds = quick ? SEEDS.slice(0, 2) : SEEDS
  const qualities: Quality[] = []
  for (const [n, seed] of seeds.entries()) {
    const shapes = drawShapes(model, quick ? 10 : 50, seed, 'evaluate')
    const report: OnProgress = ({ fraction }) =>
      onProgress?.({ fraction: (0.2 * (n + fraction)) / seeds.length, stage: 'quality' })
    const { truncation } = manifest
    const options = { points: 2000, seed, truncation, signal, onProgress: report }
    qualities.push(await measureQuality(field, shapes, options))
  }
  field.dispose()
  const rivals = await makeRivals(decoded)
  const rows: BarBenchRow[] = []
  for (const points of ['uniform', 'near'] as const) {
    for (const count of COUNTS) {
      signal?.throwIfAborted()
      rows.push(await timeRow(decoded, rivals, points, count, quick ? 0.1 : 0.5))
      const fraction = 0.2 + (0.8 * rows.length) / (2 * COUNTS.length)
      onProgress?.({ fraction, stage: 'speed', detail: `${count} ${points} points` })
    }
  }
  for (const rival of Object.values(rivals)) rival.dispose?.()
  return {
    triangles: model.triangles.length / 3,
    artifactBytes: artifact.length,
    backend: rivals.learned.name,
    multiplications: await multiplicationsOf(manifest),
    band: manifest.truncation,
    quality: qualities[0],
    error: { ...intervalOf(qualities.map(({ bandError }) => bandError.mean)), seeds },
    rows,
  }
}

/** One way to answer: follow a change of shape, then many points. */
interface Rival {
  name: string
  frame(code: Float64Array, positions: Float64Array, points: Float32Array, count: number): void
  dispose?(): void
}

async function makeRivals(artifact: ModesArtifact): Promise<Record<BarMethod, Rival>> {
  const { model } = artifact
  const { truncation } = artifact.manifest
  const out = createAnswers(Math.max(...COUNTS))
  const learned = async (threads: number): Promise<Rival> => {
    const field = await load(artifact, { threads })
    return {
      name: field.network.backend,
      frame(code, _positions, points, count) {
        field.update({ code })
        field.query(points, count, out.distances, out.normals)
      },
      dispose: () => field.dispose(),
    }
  }
  const exact = (options?: ExactMeshFieldOptions): Rival => {
    const field = new ExactMeshField({ positions: model.rest, triangles: model.triangles }, options)
    return {
      name: 'exact',
      frame(_code, positions, points, count) {
        field.update({ vertices: positions })
        field.query(points, count, out.distances, out.normals)
      },
    }
  }
  const tree = (reach?: number): Rival => {
    const geometry = new BufferGeometry()
    const vertices = Float32Array.from(model.rest)
    geometry.setAttribute('position', new BufferAttribute(vertices, 3))
    geometry.setIndex(new BufferAttribute(model.triangles.slice(), 1))
    const bvh = new MeshBVH(geometry)
    return {
      name: 'three-mesh-bvh',
      frame(_code, positions, points) {
        vertices.set(positions)
        bvh.refit()
        askTree(bvh, points, out, reach)
      },
    }
  }
  return {
    learned: await learned(1),
    learnedTwoThreads: await learned(2),
    exact: exact(),
    exactPseudonormal: exact({ sign: 'pseudonormal' }),
    exactStop: exact({ maxDistance: truncation }),
    threeMeshBvh: tree(),
    threeMeshBvhStop: tree(truncation),
  }
}

async function timeRow(
  artifact: ModesArtifact,
  rivals: Readonly<Record<BarMethod, Rival>>,
  kind: 'uniform' | 'near',
  count: number,
  secondsEach: number,
): Promise<BarBenchRow> {
  const { model } = artifact
  const frames = drawCodes(model, 16, 3, 'bench').map((code, n) => {
    const positions = new Float64Array(model.rest.length)
    model.positions(code, positions)
    return { code, positions, points: drawPoints(artifact, positions, kind, count, n) }
  })
  const { medians, rounds } = timeTurns(rivals, frames, secondsEach, (rival, { code, positions, points }) => {
    rival.frame(code, positions, points, count)
  })
  return { points: kind, count, microseconds: medians, rounds, best: gainOver(medians, 'learned', BAR_RIVALS) }
}

/** Uniform in the trained domain, or within 3% of the half-size of the surface, where tools and cloth really are. */
function drawPoints(
  { manifest, model }: ModesArtifact,
  positions: Float64Array,
  kind: 'uniform' | 'near',
  count: number,
  stream: number,
): Float32Array {
  const random = streamOf('benchPoints', 4, stream)
  const points = new Float32Array(3 * count)
  const { lower, upper } = manifest.networks.distance.domain
  if (kind === 'uniform') {
    for (let i = 0; i < points.length; i++) points[i] = random.between(lower[i % 3], upper[i % 3])
    return points
  }
  const normals = new Float32Array(3 * count)
  sampleSurface({ positions, triangles: model.triangles }, count, random, { points, normals })
  for (let i = 0; i < count; i++) {
    const offset = random.between(-0.03, 0.03) * manifest.networks.distance.normalisation.scale
    for (let axis = 0; axis < 3; axis++) points[3 * i + axis] += offset * normals[3 * i + axis]
  }
  return points
}
