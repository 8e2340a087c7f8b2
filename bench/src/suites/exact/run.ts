/**
 * Exact geometry against three-mesh-bvh's own queries in the same run, on one bent tube of 5,880 triangles: distance
 * with sign, refit, self-intersection, and labelling over worker threads. Rivals take turns within each measurement, so
 * that a slow moment of the machine meets all of them.
 */
import { LabelPool } from '@pliant/train/unstable/label'
import type { Floats, TriangleMesh } from 'pliant'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { trianglesMeet } from 'pliant/unstable/exact'
import { Matrix4, Vector3 } from 'three'
import { MeshBVH, SAH } from 'three-mesh-bvh'
import { describeMachine, type Machine } from '../../origin/machine.js'
import { pinchedTube } from '../../shapes/pinched-tube.js'
import type { RunOptions } from '../../suite/suite.js'
import { median } from '../../timing/median.js'
import { benchPointKernels, type PointKernelRow } from './point-kernels.js'
import { drawPoints, geometryOf } from './points.js'

export interface DistanceRow {
  points: 'uniform' | 'near'
  /** Microseconds per query: distance and sign by winding number. */
  signed: number
  /** The same with sign by pseudonormal. */
  signedByPseudonormal: number
  /** three-mesh-bvh's `closestPointToPoint`, without a sign. */
  threeMeshBvh: number
  /** threeMeshBvh / signed: above 1 ours is faster. */
  ratio: number
}

export interface SelfIntersectionRow {
  shape: 'free' | 'colliding'
  pairs: number
  /** Milliseconds for yes or no, after a refit that is not counted. */
  any: number
  /** Milliseconds for all pairs with depths. */
  all: number
  /** three-mesh-bvh `bvhcast` over ranges with our triangle test: all pairs. */
  bvhcastRanges: number
  /** three-mesh-bvh `bvhcast` over triangles with its own triangle test: all pairs. */
  bvhcastTriangles: number
}

export interface LabelRow {
  threads: number
  labelsPerSecond: number
}

export interface ExactBenchResult {
  machine: Machine
  triangles: number
  distance: DistanceRow[]
  /** What kernels do for points, beside the same in plain code. Results of before there were kernels have none. */
  pointKernels?: PointKernelRow[]
  /** Milliseconds to follow a change of shape. */
  refit: { field: number; selfIntersection: number; threeMeshBvh: number }
  selfIntersection: SelfIntersectionRow[]
  labels: { pointsPerPose: number; rows: LabelRow[] /** Two workers against one. */; scaling: number }
}

const POINTS_PER_POSE = 2000
const LABEL_ROUNDS = 7

export async function benchExact({ signal, onProgress, quick }: RunOptions): Promise<ExactBenchResult> {
  const repeats = quick ? 7 : 25
  const mesh = pinchedTube(0)
  const stage = async (fraction: number, detail: string): Promise<void> => {
    signal?.throwIfAborted()
    onProgress?.({ fraction, stage: 'exact', detail })
    await new Promise((resolve) => setImmediate(resolve))
  }
  const distance: DistanceRow[] = []
  for (const points of ['uniform', 'near'] as const) {
    await stage(distance.length * 0.15, `distance, ${points} points`)
    distance.push(benchDistance(mesh, points, quick ? 2000 : 10_000, repeats))
  }
  await stage(0.25, 'kernels for points')
  const pointKernels = benchPointKernels(quick ? 0.05 : 2)
  await stage(0.3, 'refit')
  const refit = benchRefit(mesh, 4 * repeats)
  const selfIntersection: SelfIntersectionRow[] = []
  for (const shape of ['free', 'colliding'] as const) {
    await stage(0.4 + 0.15 * selfIntersection.length, `self-intersection, ${shape}`)
    selfIntersection.push(benchSelfIntersection(mesh, shape, repeats))
  }
  await stage(0.7, 'labels')
  const labels = await benchLabels(mesh, quick ? 20 : 80, signal)
  const triangles = mesh.triangles.length / 3
  return { machine: describeMachine(), triangles, distance, pointKernels, refit, selfIntersection, labels }
}

/** Rounds before the ones that count. */
const WARMUP = 2

/** Median time of each rival [ms], all in turn. */
function takeTurns<Name extends string>(rivals: Record<Name, () => unknown>, repeats: number): Record<Name, number> {
  const names = Object.keys(rivals) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < repeats + WARMUP; round++) {
    for (const name of names) {
      const began = performance.now()
      rivals[name]()
      if (round >= WARMUP) times.get(name)!.push(performance.now() - began)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<Name, number>
}

function benchDistance(mesh: TriangleMesh, kind: 'uniform' | 'near', count: number, repeats: number): DistanceRow {
  const points = drawPoints(mesh, kind, count, 1)
  const distances = new Float64Array(count)
  const byWinding = new ExactMeshField(mesh)
  const byPseudonormal = new ExactMeshField(mesh, { sign: 'pseudonormal' })
  const bvh = new MeshBVH(geometryOf(mesh), { strategy: SAH })
  const point = new Vector3()
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 }
  const time = takeTurns(
    {
      signed: () => byWinding.query(points, count, distances),
      signedByPseudonormal: () => byPseudonormal.query(points, count, distances),
      threeMeshBvh: () => {
        for (let i = 0; i < count; i++) {
          bvh.closestPointToPoint(point.set(points[3 * i], points[3 * i + 1], points[3 * i + 2]), target)
        }
      },
    },
    repeats,
  )
  const perQuery = (milliseconds: number): number => (1000 * milliseconds) / count
  return {
    points: kind,
    signed: perQuery(time.signed),
    signedByPseudonormal: perQuery(time.signedByPseudonormal),
    threeMeshBvh: perQuery(time.threeMeshBvh),
    ratio: time.threeMeshBvh / time.signed,
  }
}

function benchRefit(mesh: TriangleMesh, repeats: number): ExactBenchResult['refit'] {
  const field = new ExactMeshField(mesh)
  const self = new SelfIntersection(mesh)
  const geometry = geometryOf(mesh)
  const bvh = new MeshBVH(geometry, { strategy: SAH })
  const vertices = geometry.attributes.position.array
  const shapes = [pinchedTube(0.1), pinchedTube(0.2)]
  let turn = 0
  const next = (): Floats => shapes[turn++ % 2].positions
  return takeTurns(
    {
      field: () => field.update({ vertices: next() }),
      selfIntersection: () => self.update(next()),
      threeMeshBvh: () => {
        vertices.set(next())
        bvh.refit()
      },
    },
    repeats,
  )
}

function benchSelfIntersection(
  mesh: TriangleMesh,
  shape: SelfIntersectionRow['shape'],
  repeats: number,
): SelfIntersectionRow {
  const bent = pinchedTube(shape === 'free' ? 0.2 : 0.4)
  const refitted = (): SelfIntersection => {
    const self = new SelfIntersection(mesh)
    self.update(bent.positions)
    return self
  }
  const self = refitted()
  // A new one for each call: one that has said yes remembers where, and would say it again in a microsecond.
  const fresh = Array.from({ length: repeats + WARMUP }, refitted)
  const geometry = geometryOf(mesh)
  const bvh = new MeshBVH(geometry, { strategy: SAH })
  geometry.attributes.position.array.set(bent.positions)
  bvh.refit()
  const positions = Float64Array.from(bent.positions)
  const pairs = self.pairs().depths.length
  const theirs = castRanges(bvh, positions)
  if (theirs !== pairs) throw new Error(`bench exact: ${pairs} pairs, ${theirs} by bvhcast; one of them is wrong.`)
  const time = takeTurns(
    {
      any: () => fresh.pop()!.any(),
      all: () => self.pairs(),
      bvhcastRanges: () => castRanges(bvh, positions),
      bvhcastTriangles: () => castTriangles(bvh),
    },
    repeats,
  )
  return { shape, pairs, ...time }
}

const identity = new Matrix4()

/** The tree against itself by `bvhcast`: ranges of triangles, compared by boxes and then by our exact test. */
function castRanges(bvh: MeshBVH, p: Float64Array): number {
  const index = bvh.geometry.index!.array
  const boxes = triangleBoxes(index, p)
  const [first, second] = [new Float64Array(9), new Float64Array(9)]
  let found = 0
  bvh.bvhcast(bvh, identity, {
    intersectsRanges: (offset1, count1, offset2, count2) => {
      for (let a = offset1; a < offset1 + count1; a++) {
        for (let b = Math.max(offset2, a + 1); b < offset2 + count2; b++) {
          if (!boxesOverlap(boxes, 6 * a, 6 * b) || shareVertex(index, a, b)) continue
          loadCorners(index, p, a, first)
          loadCorners(index, p, b, second)
          if (trianglesMeet(first, 0, second, 0)) found++
        }
      }
      return false
    },
  })
  return found
}

function loadCorners(index: ArrayLike<number>, p: Float64Array, triangle: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const v = 3 * index[3 * triangle + k]
    out[3 * k] = p[v]
    out[3 * k + 1] = p[v + 1]
    out[3 * k + 2] = p[v + 2]
  }
}

function triangleBoxes(index: ArrayLike<number>, p: Float64Array): Float64Array {
  const boxes = new Float64Array(2 * index.length)
  for (let t = 0; t < index.length / 3; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [p[3 * index[3 * t] + axis], p[3 * index[3 * t + 1] + axis], p[3 * index[3 * t + 2] + axis]]
      boxes[6 * t + axis] = Math.min(a, b, c)
      boxes[6 * t + 3 + axis] = Math.max(a, b, c)
    }
  }
  return boxes
}

function boxesOverlap(boxes: Float64Array, a: number, b: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[a + axis] > boxes[b + 3 + axis] || boxes[b + axis] > boxes[a + 3 + axis]) return false
  }
  return true
}

/** The same by its ready-made path: triangle objects and their own intersection test. */
function castTriangles(bvh: MeshBVH): number {
  const index = bvh.geometry.index!.array
  let found = 0
  bvh.bvhcast(bvh, identity, {
    intersectsTriangles: (triangle1, triangle2, a, b) => {
      if (b > a && !shareVertex(index, a, b) && triangle1.intersectsTriangle(triangle2)) found++
      return false
    },
  })
  return found
}

function shareVertex(index: ArrayLike<number>, a: number, b: number): boolean {
  for (let i = 3 * a; i < 3 * a + 3; i++) {
    if (index[i] === index[3 * b] || index[i] === index[3 * b + 1] || index[i] === index[3 * b + 2]) return true
  }
  return false
}

/** Poses of 2,000 points, as for training; points are drawn beforehand so that labelling alone is timed. */
async function benchLabels(
  mesh: TriangleMesh,
  poses: number,
  signal?: AbortSignal,
): Promise<ExactBenchResult['labels']> {
  const shapes = Array.from({ length: 8 }, (_, k) => {
    const shape = pinchedTube(0.025 * k)
    return { positions: shape.positions, points: drawPoints(shape, 'near', POINTS_PER_POSE, 10 + k) }
  })
  const job = {
    poses,
    pointsPerPose: POINTS_PER_POSE,
    prepare(pose: number, positions: Float64Array, points: Float64Array): void {
      positions.set(shapes[pose % shapes.length].positions)
      points.set(shapes[pose % shapes.length].points)
    },
    distances: new Float32Array(poses * POINTS_PER_POSE),
    normals: new Float32Array(3 * poses * POINTS_PER_POSE),
  }
  const pools = [await LabelPool.create(mesh, { threads: 1 }), await LabelPool.create(mesh, { threads: 2 })]
  const times = pools.map(() => [] as number[])
  try {
    for (let round = 0; round < LABEL_ROUNDS + 1; round++) {
      for (const [i, pool] of pools.entries()) {
        const began = performance.now()
        await pool.label(job, { signal })
        // The first round warms up each worker's code.
        if (round > 0) times[i].push(performance.now() - began)
      }
    }
  } finally {
    for (const pool of pools) await pool.dispose()
  }
  const rows = pools.map((pool, i) => ({
    threads: pool.threads,
    labelsPerSecond: (1000 * poses * POINTS_PER_POSE) / median(times[i]),
  }))
  return { pointsPerPose: POINTS_PER_POSE, rows, scaling: rows[1].labelsPerSecond / rows[0].labelsPerSecond }
}
