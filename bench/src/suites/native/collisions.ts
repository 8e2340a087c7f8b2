/** All pairs of a surface's triangles that meet and share no vertex, the refit included. */
import { SelfIntersection } from 'pliant/exact'
import { type RacedBody, verticesOf } from './bodies.js'
import { readPairs } from './data-folder.js'
import { ProgramRefusal } from './native-program.js'
import { mediansOf, type Programs } from './queries.js'
import { type RaceOptions, type Racer, type Ratio, race, racerOf, ratioOf } from './race.js'
import { type CollisionMethod, NATIVE_COLLISIONS } from './rivals.js'

export interface CollisionRow {
  body: string
  triangles: number
  frames: number
  /** Pairs in the frame with fewest and in that with most, by `judge`. */
  pairs: { least: number; most: number }
  /** Whose pairs the others' are compared with: CGAL's, whose predicates are exact, or ours if it does not run. */
  judge: CollisionMethod
  /** Median time of a frame [microseconds], of those that ran. Ours finds depths too. */
  microseconds: Partial<Record<CollisionMethod, number>>
  rounds: number
  gains: Partial<Record<CollisionMethod, Ratio>>
  /** Pairs in all frames that `judge` has and others have not, and the other way round. */
  differences: Partial<Record<CollisionMethod, { missing: number; more: number }>>
  /** Why others did not run. */
  refusals: Partial<Record<CollisionMethod, string>>
}

/** Frames in a turn. */
const TURN = { frames: 4, warm: 1 }

export interface CollisionOptions extends Omit<RaceOptions, 'bodyFrames'> {
  /** A file that programs may write to. */
  file: string
}

export async function timeCollisions(
  body: RacedBody,
  programs: Programs,
  { file, ...options }: CollisionOptions,
): Promise<CollisionRow> {
  const self = new SelfIntersection(body.surface)
  const ours = (frame: number) => {
    self.update(verticesOf(body, frame))
    return self.pairs().pairs
  }
  const racers: Partial<Record<CollisionMethod, Racer>> = { ours: racerOf((frame) => void ours(frame)) }
  const found: Partial<Record<CollisionMethod, Uint32Array[]>> = {
    ours: Array.from({ length: body.frames }, (_, frame) => ours(frame)),
  }
  const refusals: CollisionRow['refusals'] = {}
  for (const name of Object.keys(NATIVE_COLLISIONS) as (keyof typeof NATIVE_COLLISIONS)[]) {
    const { method, program } = NATIVE_COLLISIONS[name]
    const native = programs[program]
    if (!native) continue
    try {
      await native.write(method, { body: body.name, kind: 'self', count: 0, first: 0, frames: body.frames }, file)
      found[name] = await readPairs(file, body.frames)
      racers[name] = (turn) => native.time(method, turn)
    } catch (error) {
      if (!(error instanceof ProgramRefusal)) throw error
      refusals[name] = error.message
    }
  }
  const turn = { body: body.name, kind: 'self' as const, count: 0, ...TURN }
  const raced = await race(racers, turn, { ...options, bodyFrames: body.frames })
  const judge = found.cgal ? 'cgal' : 'ours'
  const counts = found[judge]!.map((pairs) => pairs.length / 2)
  const others = (Object.keys(found) as CollisionMethod[]).filter((name) => name !== judge)
  const rivals = (Object.keys(raced.rounds) as CollisionMethod[]).filter((name) => name !== 'ours')
  return {
    body: body.name,
    triangles: body.surface.triangles.length / 3,
    frames: body.frames,
    pairs: { least: Math.min(...counts), most: Math.max(...counts) },
    judge,
    microseconds: mediansOf(raced),
    rounds: options.rounds,
    gains: Object.fromEntries(rivals.map((name) => [name, ratioOf(raced.rounds.ours!, raced.rounds[name]!)])),
    differences: Object.fromEntries(others.map((name) => [name, differences(found[judge]!, found[name]!)])),
    refusals: { ...refusals, ...raced.refusals },
  }
}

function differences(
  judged: readonly Uint32Array[],
  others: readonly Uint32Array[],
): { missing: number; more: number } {
  let [missing, more] = [0, 0]
  for (const [frame, pairs] of judged.entries()) {
    const [theirs, his] = [pairNames(others[frame]), pairNames(pairs)]
    for (const pair of his) if (!theirs.has(pair)) missing++
    for (const pair of theirs) if (!his.has(pair)) more++
  }
  return { missing, more }
}

/** One number for each pair. */
function pairNames(pairs: Uint32Array): Set<number> {
  return new Set(Array.from({ length: pairs.length / 2 }, (_, i) => 2 ** 26 * pairs[2 * i] + pairs[2 * i + 1]))
}
