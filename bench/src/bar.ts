/**
 * The built-in bar: the whole cost of a frame in which it has bent, pose or refit plus N queries, learned against
 * exact. The rival is three-mesh-bvh at its best: refit, never rebuild, typed-array positions, reused targets; it
 * answers unsigned distance only, so our exact field, which adds the sign, is measured beside it.
 */
import { drawCodes, drawShapes, measureQuality } from '@pliant/train'
import { type Artifact, decodeArtifact, loadField, objectMultiplications, randomStream, sampleSurface } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { BufferAttribute, BufferGeometry, Vector3 } from 'three'
import { MeshBVH } from 'three-mesh-bvh'
import type { SuiteOptions } from './suite.js'
import { timeTurns } from './turns.js'

export interface BarBenchRow {
  points: 'uniform' | 'near'
  /** Queries after each change of shape. */
  count: number
  /** Median time of one frame [microseconds]: change of shape, then all queries with normals where there are any. */
  learned: number
  learnedTwoThreads: number
  exact: number
  threeMeshBvh: number
  /** threeMeshBvh / learned: above 1 the learned field is faster. */
  ratio: number
}

export interface BarBenchResult {
  triangles: number
  artifactBytes: number
  backend: string
  multiplications: number
  quality: Awaited<ReturnType<typeof measureQuality>>
  rows: BarBenchRow[]
}

const COUNTS = [1, 16, 128, 1024, 8192]

export async function benchBar({ artifact, signal, onProgress, quick }: SuiteOptions): Promise<BarBenchResult> {
  if (!artifact) throw new Error('bench bar: no artifact; train one with `pliant train bar --out out/bar.safetensors`.')
  const decoded = decodeArtifact(artifact)
  const { manifest, model } = decoded
  // Not the seed of training, nor that of `pliant evaluate`.
  const seed = 3
  const shapes = drawShapes(model, quick ? 20 : 50, seed, 'evaluate')
  const quality = await measureQuality(await loadField(decoded), shapes, {
    points: 2000,
    seed,
    domain: manifest.domain,
    truncation: manifest.truncation,
    signal,
    onProgress: (fraction) => onProgress?.({ fraction: 0.2 * fraction, stage: 'quality' }),
  })
  const rivals = await makeRivals(decoded)
  const rows: BarBenchRow[] = []
  for (const points of ['uniform', 'near'] as const) {
    for (const count of COUNTS) {
      signal?.throwIfAborted()
      rows.push(await timeRow(decoded, rivals, points, count, quick ? 0.15 : 0.5))
      const fraction = 0.2 + (0.8 * rows.length) / (2 * COUNTS.length)
      onProgress?.({ fraction, stage: 'speed', detail: `${count} ${points} points` })
    }
  }
  for (const rival of Object.values(rivals)) rival.dispose?.()
  return {
    triangles: model.triangles.length / 3,
    artifactBytes: artifact.length,
    backend: rivals.learned.name,
    multiplications: objectMultiplications(manifest.network),
    quality,
    rows,
  }
}

/** One way to answer: follow a change of shape, then many points. */
interface Rival {
  name: string
  frame(code: Float64Array, positions: Float64Array, points: Float32Array, count: number): void
  dispose?(): void
}

async function makeRivals(
  artifact: Artifact,
): Promise<Record<'learned' | 'learnedTwoThreads' | 'exact' | 'bvh', Rival>> {
  const { model } = artifact
  const distances = new Float32Array(Math.max(...COUNTS))
  const normals = new Float32Array(3 * Math.max(...COUNTS))
  const learned = async (threads: number): Promise<Rival> => {
    const field = await loadField(artifact, { threads })
    return {
      name: field.network.backend,
      frame(code, _positions, points, count) {
        field.pose(code)
        field.gradient(points, count, distances, normals)
      },
      dispose: () => field.dispose(),
    }
  }
  const exact = new ExactMeshField({ positions: model.rest, triangles: model.triangles })
  const geometry = new BufferGeometry()
  const vertices = Float32Array.from(model.rest)
  geometry.setAttribute('position', new BufferAttribute(vertices, 3))
  geometry.setIndex(new BufferAttribute(model.triangles.slice(), 1))
  const bvh = new MeshBVH(geometry)
  const point = new Vector3()
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 }
  return {
    learned: await learned(1),
    learnedTwoThreads: await learned(2),
    exact: {
      name: 'exact',
      frame(_code, positions, points, count) {
        exact.update(positions)
        exact.gradient(points, count, distances, normals)
      },
    },
    bvh: {
      name: 'three-mesh-bvh',
      frame(_code, positions, points, count) {
        vertices.set(positions)
        bvh.refit()
        for (let i = 0; i < count; i++) {
          bvh.closestPointToPoint(point.set(points[3 * i], points[3 * i + 1], points[3 * i + 2]), target)
        }
      },
    },
  }
}

async function timeRow(
  artifact: Artifact,
  rivals: Awaited<ReturnType<typeof makeRivals>>,
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
  const times = timeTurns(rivals, frames, secondsEach, (rival, { code, positions, points }) => {
    rival.frame(code, positions, points, count)
  })
  return {
    points: kind,
    count,
    learned: times.learned,
    learnedTwoThreads: times.learnedTwoThreads,
    exact: times.exact,
    threeMeshBvh: times.bvh,
    ratio: times.bvh / times.learned,
  }
}

/** Uniform in the trained domain, or within 3% of the half-size of the surface, where tools and cloth really are. */
function drawPoints(
  { manifest, model }: Artifact,
  positions: Float64Array,
  kind: 'uniform' | 'near',
  count: number,
  stream: number,
): Float32Array {
  const random = randomStream(4, stream)
  const points = new Float32Array(3 * count)
  const { lower, upper } = manifest.domain
  if (kind === 'uniform') {
    for (let i = 0; i < points.length; i++) points[i] = random.between(lower[i % 3], upper[i % 3])
    return points
  }
  const normals = new Float32Array(3 * count)
  sampleSurface({ positions, triangles: model.triangles }, count, random, { points, normals })
  for (let i = 0; i < count; i++) {
    const offset = random.between(-0.03, 0.03) * manifest.normalisation.scale
    for (let axis = 0; axis < 3; axis++) points[3 * i + axis] += offset * normals[3 * i + axis]
  }
  return points
}
