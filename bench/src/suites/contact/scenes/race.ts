/**
 * Ways to find the contacts of a scanned body and a tool, frame by frame along one motion (the paper's Fig. 13 and Table 1):
 * how long a frame takes, what is missed, and how far the deepest contact is off what is proved of the triangles.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { PaperPair, type Solid, SolidPair } from 'pliant/detect'
import { median } from '../../../timing/median.js'
import type { PairContacts } from '../methods.js'
import { MujocoPair } from '../mujoco.js'
import { MeshFieldPair } from '../rivals/mesh-field-pair.js'
import { MeshPair } from '../rivals/mesh-pair.js'
import type { Scene } from './bodies.js'
import { type MotionFrame, toolMotion } from './motion.js'

export interface RacedMethod {
  method: string
  /** Time of a frame [ms], of frames that touch and of those that do not. */
  touching: { median: number; p95: number }
  free: { median: number; p95: number }
  /** What the body takes [bytes]; beside it the points or the tree that the method needs. */
  bytes: { body: number; beside: number }
  /** Frames that touch, and have no contact; that do not, and have one. */
  missed: number
  madeUp: number
  /** Of those that are missed, the deepest, as a share of the size. */
  deepestMissed: number
  /** Depth against what is proved, as shares of the size: mean, largest; and frames that are off by more than .5%. */
  depth: { mean: number; largest: number; offBy: number }
  /** Whether only points of the body are told, and depth is that of the body's surface alone. */
  oneSided: boolean
}

export interface RaceResult {
  scene: string
  frames: number
  touching: number
  free: number
  triangles: { body: number; tool: number }
  /** The smaller diagonal [m]. */
  size: number
  methods: RacedMethod[]
}

interface Racer {
  method: string
  pair: PairContacts
  bytes: RacedMethod['bytes']
  oneSided?: boolean
}

/** Rounds over the whole motion; the least time of each frame counts, as nothing makes a frame faster than it is. */
const ROUNDS = { full: 7, quick: 3 }

export async function raceScene(
  scene: Scene,
  { seed, frames, quick }: { seed: number; frames: number; quick: boolean },
  told: (done: number) => Promise<void>,
): Promise<RaceResult> {
  const { body, tool } = scene
  const size = Math.min(body.size, tool.solid.size)
  const motion = await toolMotion(
    { field: body.exact.field, box: body.exact.box },
    { field: tool.field, box: tool.field.box },
    { seed, frames, size },
    (done) => told(done / frames / 2),
  )
  const racers = racersOf(scene)
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  const times = racers.map(() => new Float64Array(frames).fill(Infinity))
  const depths = racers.map(() => new Float64Array(frames))
  const random = streamOf('benchTurns', 1)
  for (let round = 0; round < rounds; round++) {
    for (const [index, { pose }] of motion.entries()) {
      if (index % 20 === 0) await told((1 + (round + index / frames) / rounds) / 2)
      for (const which of shuffled(racers.length, random)) {
        const { pair } = racers[which]
        const began = performance.now()
        const { count, separations } = pair.update(STILL, pose)
        times[which][index] = Math.min(times[which][index], performance.now() - began)
        depths[which][index] = count === 0 ? Infinity : Math.min(...separations.subarray(0, count))
      }
    }
  }
  const least = motion.map((frame) => Math.min(frame.body[0], frame.tool[0]))
  const most = motion.map((frame) => Math.min(frame.body[1], frame.tool[1]))
  return {
    ...{ scene: scene.name, frames, size },
    touching: most.filter((value) => value < 0).length,
    free: least.filter((value) => value > 0).length,
    triangles: { body: body.mesh.triangles.length / 3, tool: tool.mesh.triangles.length / 3 },
    methods: racers.map(({ method, bytes, oneSided = false }, which) => ({
      ...{ method, bytes, oneSided },
      ...judged(motion, depths[which], times[which], size, oneSided),
    })),
  }
}

const STILL = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

function judged(
  motion: readonly MotionFrame[],
  depths: Float64Array,
  times: Float64Array,
  size: number,
  oneSided: boolean,
): Omit<RacedMethod, 'method' | 'bytes' | 'oneSided'> {
  const [touching, free, errors]: number[][] = [[], [], []]
  let [missed, madeUp, deepestMissed] = [0, 0, 0]
  motion.forEach(({ body, tool }, index) => {
    const low = (oneSided ? body[0] : Math.min(body[0], tool[0])) / size
    const high = (oneSided ? body[1] : Math.min(body[1], tool[1])) / size
    const depth = depths[index] / size
    if (high < 0) {
      touching.push(times[index])
      if (depth < 0) errors.push(Math.max(0, low - depth, depth - high))
      else {
        missed++
        deepestMissed = Math.max(deepestMissed, -high)
      }
    } else if (low > 0) {
      free.push(times[index])
      if (depth < 0) madeUp++
    }
  })
  return {
    ...{ touching: spreadOf(touching), free: spreadOf(free), missed, madeUp, deepestMissed },
    depth: {
      mean: errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length),
      largest: errors.reduce((most, error) => Math.max(most, error), 0),
      offBy: errors.filter((error) => error > 0.005).length,
    },
  }
}

function spreadOf(times: readonly number[]): { median: number; p95: number } {
  const sorted = [...times].sort((a, b) => a - b)
  return { median: sorted.length > 0 ? median(sorted) : 0, p95: sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0 }
}

function racersOf({ body, tool }: Scene): Racer[] {
  const ours = (what: string, solid: Solid, bytes: number): Racer => ({
    method: `ours, ${what}`,
    pair: new SolidPair(solid, tool.solid),
    bytes: { body: bytes, beside: solidBytes(solid) },
  })
  const { bytes } = body
  const grids = [...body.voxels].map(([resolution, solid]) => ({ resolution, solid, bytes: bytes.voxels.get(resolution)! }))
  const finest = grids[grids.length - 1]
  const meshPair = new MeshPair(body.mesh, tool.mesh)
  const byTriangles = (optimiser: ConstructorParameters<typeof MeshFieldPair>[2]): Racer => {
    const pair = new MeshFieldPair(body.mesh, tool.field, optimiser)
    return { method: `mesh against field, ${optimiser}`, pair, bytes: { body: bytes.mesh, beside: pair.bytes }, oneSided: true }
  }
  return [
    ...grids.map((grid) => ours(`voxels, ${grid.resolution} along the longest side`, grid.solid, grid.bytes)),
    ours('neural', body.neural, bytes.neural),
    ours('the triangles as a field', body.exact, bytes.mesh),
    { method: 'mesh against mesh', pair: meshPair, bytes: { body: bytes.mesh, beside: meshPair.bytes } },
    byTriangles('projected gradient'),
    byTriangles('Frank-Wolfe'),
    byTriangles('golden section'),
    {
      method: "the paper's, one box a body, voxels",
      pair: new PaperPair({ solid: finest.solid }, { solid: tool.solid }),
      bytes: { body: finest.bytes, beside: 0 },
    },
    {
      method: "MuJoCo's, voxels",
      pair: new MujocoPair(finest.solid, tool.solid),
      bytes: { body: finest.bytes, beside: 0 },
    },
  ]
}

/** What contact keeps beside a field. */
function solidBytes({ points, facings, neighbours, groups }: Solid): number {
  const arrays = [points, facings, neighbours.starts, neighbours.points, groups.centres, groups.radii, groups.starts]
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function shuffled(count: number, random: { below(end: number): number }): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  for (let left = count; left > 1; left--) {
    const taken = random.below(left)
    ;[order[left - 1], order[taken]] = [order[taken], order[left - 1]]
  }
  return order
}
