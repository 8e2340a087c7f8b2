/**
 * A dressed character over a clip, by each field in turn: how deep the cloth gets into the exact body, for how long, what
 * a frame costs, and whether the cloth's energy stays within what gravity and the body's motion can give it. Cloth moves
 * chaotically, so that each field is tried from several moments of the clip; and each without a margin and with the one
 * that its own error asks for, by one rule for all (`safetyMargin`): what does better counts.
 */
import { measureCharacter, rigidRivals } from '@pliant/train/unstable'
import type { CharacterArtifact, Clip } from 'pliant/character'
import { type BodyField, ClipPlayer, type DressOptions, fitGarment, type GarmentKind, type LimbEnds } from 'pliant/sim'
import type { OnProgress } from 'pliant/unstable'
import { characterFields, exactCharacter } from 'pliant/unstable/blocks'
import { DrapeRun, type DrapeRunResult } from './run.js'

export type DrapeMethod = 'learned' | 'exact' | 'boneGrids' | 'fittedGrids' | 'capsules' | 'none'

export interface DrapeOptions {
  garment?: GarmentKind
  /** Hands and feet, where the joints' names do not tell. */
  joints?: LimbEnds
  /** How long [s], after a second in which the clip fades in, */
  seconds?: number
  /** from each of so many moments, spread evenly over the clip. */
  starts?: number
  /** Clip seconds per second. */
  speed?: number
  methods?: readonly DrapeMethod[]
  /** The field of `fittedGrids`; left out, there is none. */
  fitted?: BodyField
  /** Options of the cloth; a field's own margin is added to its thickness. */
  cloth?: DressOptions
  signal?: AbortSignal
  onProgress?: OnProgress
}
export const DRAPE_DEFAULTS = {
  garment: 'skirt',
  seconds: 20,
  starts: 1,
  speed: 1,
  methods: ['learned', 'exact', 'boneGrids', 'fittedGrids', 'capsules'],
} as const

/** Over all starts: the worst of depths and energies, the mean of times. */
export interface DrapeFigures extends DrapeRunResult {
  /** Added to the cloth's thickness [% of the height]: none, or the field's own, whichever does better. */
  margin: number
  /** Deepest vertex from each start [% of the height]. */
  deepest: number[]
  /** Both margins, and the deepest vertex of all starts with each [% of the height]. */
  tried: { margin: number; deepest: number }[]
}

export interface DrapeResult {
  character: string
  clip: string
  garment: GarmentKind
  /** [m] */
  height: number
  bodyTriangles: number
  clothVertices: number
  clothTriangles: number
  /** Of each start. */
  frames: number
  starts: number
  speed: number
  methods: Partial<Record<DrapeMethod, DrapeFigures>>
}

const FRAME = 1 / 60

/** Poses and points of each that the margins of fields without a file are measured by. */
const MARGIN_POSES = 20
const MARGIN_POINTS = 1000
const MARGIN_SEED = 3

/** All methods wear the same garment, cut to the exact body, and each frame is judged by the exact body at its end. */
export async function measureDrape(
  artifact: CharacterArtifact,
  clip: Clip,
  options: DrapeOptions = {},
): Promise<DrapeResult> {
  const { garment: kind, seconds, starts, speed, methods: asked } = { ...DRAPE_DEFAULTS, ...options }
  const { character, manifest } = artifact
  const network = manifest.networks.distance
  if (network.kind !== 'bones') throw new Error("drape: the file holds the paper's network; pass one in bone frames.")
  const own = await characterFields(artifact)
  const garment = fitGarment(character, own.exact, kind, { joints: options.joints })
  const { boneGrids, capsules } = rigidRivals(character, network.shape.bones)
  const rough: Partial<Record<DrapeMethod, BodyField>> = { boneGrids, capsules }
  if (options.fitted) rough.fittedGrids = options.fitted
  const fields: Partial<Record<DrapeMethod, BodyField>> = { learned: own.learned, exact: own.exact, ...rough }
  const margins: Partial<Record<DrapeMethod, number>> = {
    ...(await marginsOf(rough, artifact)),
    learned: manifest.quality?.safetyMargin,
  }
  const methods = asked.filter((method) => method === 'none' || fields[method])
  const tries = methods.flatMap((method) => {
    const own = margins[method] ?? 0
    return (own > 0 ? [0, own] : [0]).map((margin) => ({ method, margin, results: [] as DrapeRunResult[] }))
  })
  const truth = exactCharacter(character)
  const body = { character, bones: network.shape.bones }
  const frames = Math.round(seconds / FRAME)
  for (let start = 0; start < starts; start++) {
    // One for all, so that each frame's body is posed and judged by once.
    const player = new ClipPlayer(character.skeleton)
    player.play(clip, { time: (clip.duration * start) / starts })
    player.speed = speed
    const runs = tries.map(
      ({ method, margin }) => new DrapeRun(body, garment, fields[method], { margin, ...options.cloth, player }),
    )
    for (let frame = -Math.round(1 / FRAME); frame < frames; frame++) {
      options.signal?.throwIfAborted()
      player.advance(FRAME)
      truth.update({ joints: player.pose })
      for (const run of runs) run.step(FRAME, frame >= 0 ? truth : undefined)
      if (frame % 10 === 0) {
        options.onProgress?.({ fraction: (start + Math.max(0, frame / frames)) / starts, stage: 'drape' })
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
    for (const [t, run] of runs.entries()) tries[t].results.push(run.result())
  }
  own.dispose()
  const percent = (length: number): number => (100 * length) / character.height
  return {
    character: manifest.name,
    clip: clip.name,
    garment: kind,
    height: character.height,
    bodyTriangles: character.triangles.length / 3,
    clothVertices: garment.mesh.positions.length / 3,
    clothTriangles: garment.mesh.triangles.length / 3,
    frames,
    starts,
    speed,
    methods: Object.fromEntries(
      methods.map((method) => {
        const own = tries.filter((each) => each.method === method)
        return [method, betterOf(own.map(({ margin, results }) => worstOf(results, percent(margin))))]
      }),
    ),
  }
}

/** By the rule that a file's own margin is found by, on the same poses. */
async function marginsOf(
  fields: Readonly<Record<string, BodyField>>,
  { character, heldOut }: CharacterArtifact,
): Promise<Record<string, number>> {
  const options = { points: MARGIN_POINTS, seed: MARGIN_SEED }
  const qualities = await measureCharacter(fields, character, heldOut.slice(0, MARGIN_POSES), options)
  return Object.fromEntries(Object.entries(qualities).map(([name, { safetyMargin }]) => [name, safetyMargin]))
}

/** The one that keeps the cloth further out, or of equals the one with less of it inside. */
export function betterOf(figures: readonly Omit<DrapeFigures, 'tried'>[]): DrapeFigures {
  const tried = figures.map(({ margin, penetration }) => ({ margin, deepest: penetration.deepest }))
  const better = figures.reduce((a, b) => {
    const [p, q] = [a.penetration, b.penetration]
    return q.deepest < p.deepest || (q.deepest === p.deepest && q.insideShare < p.insideShare) ? b : a
  })
  return { ...better, tried }
}

function worstOf(runs: readonly DrapeRunResult[], margin: number): Omit<DrapeFigures, 'tried'> {
  const largest = (take: (run: DrapeRunResult) => number): number => Math.max(...runs.map(take))
  const mean = (take: (run: DrapeRunResult) => number): number =>
    runs.reduce((sum, run) => sum + take(run), 0) / runs.length
  return {
    margin,
    deepest: runs.map(({ penetration }) => penetration.deepest),
    penetration: {
      deepest: largest(({ penetration }) => penetration.deepest),
      deepVertexFrames: runs.reduce((sum, { penetration }) => sum + penetration.deepVertexFrames, 0),
      deepShare: mean(({ penetration }) => penetration.deepShare),
      longestRun: largest(({ penetration }) => penetration.longestRun),
      insideShare: mean(({ penetration }) => penetration.insideShare),
      deepestFace: largest(({ penetration }) => penetration.deepestFace),
    },
    time: {
      pose: mean(({ time }) => time.pose),
      queries: mean(({ time }) => time.queries),
      solver: mean(({ time }) => time.solver),
      total: mean(({ time }) => time.total),
    },
    queriesPerFrame: mean((run) => run.queriesPerFrame),
    // The run that came nearest to its bound.
    energy: runs.map(({ energy }) => energy).reduce((a, b) => (b.max / b.bound > a.max / a.bound ? b : a)),
    notFinite: runs.reduce((sum, run) => sum + run.notFinite, 0),
  }
}
