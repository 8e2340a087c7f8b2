/** Time of a frame against the number of queries: the body moves, and so many points are answered. */
import type { PointKind } from '../../queries/query-points.js'
import { median } from '../../timing/median.js'
import { type LearnedRacedBody, pointsOf, type RacedBody } from './bodies.js'
import { createRaceAnswers, inProcessMethods, type RaceMethod } from './methods.js'
import type { NativeProgram } from './native-program.js'
import type { ProgramName } from './programs.js'
import { type Race, type RaceOptions, type Racer, type Ratio, race, racerOf, ratioOf } from './race.js'
import {
  type InProcessMethod,
  NATIVE_METHODS,
  NATIVE_RIVALS,
  type NativeRival,
  OUTPUTS,
  type Output,
  oursOf,
  PLACES,
  type Place,
  type QueryMethod,
  RIVALS,
  type Rival,
  SKINNED,
} from './rivals.js'

export type Programs = Partial<Record<ProgramName, NativeProgram>>

export interface QueryRow {
  body: string
  triangles: number
  points: PointKind
  count: number
  /** Median time of a frame [microseconds], of those that ran. */
  microseconds: Partial<Record<QueryMethod, number>>
  rounds: number
  /** Of rivals at equal output, each by the fastest of its methods that may be asked there. */
  gains: Partial<Record<Place, Record<Output, RivalGains>>>
  /** Why others did not run. */
  refusals: Partial<Record<QueryMethod, string>>
}

export type RivalGains = Partial<Record<Rival, Ratio & { method: QueryMethod }>>

/**
 * Frames that count in a turn of so many queries, and more before them, for what those before left in the caches; frames
 * of many queries are long, and warm themselves.
 */
function framesOf(count: number): { frames: number; warm: number } {
  if (count <= 16) return { frames: 16, warm: 8 }
  if (count <= 128) return { frames: 8, warm: 4 }
  return count <= 1024 ? { frames: 4, warm: 1 } : { frames: 2, warm: 0 }
}

/** All methods of a body, asked by turns. */
export interface QueryRacers {
  body: LearnedRacedBody
  methods: Record<InProcessMethod, RaceMethod>
  programs: Programs
}

export function queryRacers(body: LearnedRacedBody, programs: Programs): QueryRacers {
  return { body, methods: inProcessMethods(body), programs }
}

/** @param among  who races; left out, all */
export async function timeQueries(
  { body, methods, programs }: QueryRacers,
  points: PointKind,
  count: number,
  options: Omit<RaceOptions, 'bodyFrames'>,
  among?: readonly QueryMethod[],
): Promise<QueryRow> {
  const out = createRaceAnswers(count)
  const racers: Partial<Record<QueryMethod, Racer>> = {}
  for (const [name, method] of Object.entries(methods) as [InProcessMethod, RaceMethod][]) {
    racers[name] = racerOf((frame) => {
      const at = frame % body.frames
      method(at, pointsOf(body, points, at, count), count, out)
    })
  }
  for (const name of NATIVE_RIVALS) {
    const program = programs[NATIVE_METHODS[name].program]
    if (program) racers[name] = (turn) => program.time(nativeMethod(name, body), turn)
  }
  if (among) for (const name of Object.keys(racers) as QueryMethod[]) if (!among.includes(name)) delete racers[name]
  const turn = { body: body.name, kind: points, count, ...framesOf(count) }
  const raced = await race(racers, turn, { ...options, bodyFrames: body.frames })
  return {
    body: body.name,
    triangles: body.surface.triangles.length / 3,
    points,
    count,
    microseconds: mediansOf(raced),
    rounds: options.rounds,
    gains: gainsOf(raced, points),
    refusals: raced.refusals,
  }
}

/** As the program is asked: of a character, bones to answers. */
export function nativeMethod(name: NativeRival, { skin }: RacedBody): string {
  const { program, method } = NATIVE_METHODS[name]
  return skin && program === 'embree' ? `${method}${SKINNED}` : method
}

export function mediansOf<Name extends string>({ rounds }: Race<Name>): Partial<Record<Name, number>> {
  const timed = Object.entries(rounds) as [Name, number[]][]
  return Object.fromEntries(timed.map(([name, times]) => [name, median(times)])) as Partial<Record<Name, number>>
}

function gainsOf(raced: Race<QueryMethod>, points: PointKind): QueryRow['gains'] {
  const places = (Object.keys(PLACES) as Place[]).filter((place) => PLACES[place].points === points)
  return Object.fromEntries(
    places.map((place) => [
      place,
      Object.fromEntries(OUTPUTS.map((output) => [output, rivalGains(raced, place, output)])),
    ]),
  )
}

function rivalGains(raced: Race<QueryMethod>, place: Place, output: Output): RivalGains {
  const ours = raced.rounds[oursOf(output, place)]
  const medians = mediansOf(raced)
  const gains: RivalGains = {}
  for (const rival of RIVALS) {
    const ran = (PLACES[place].rivals[rival] as readonly QueryMethod[]).filter(
      (method) => medians[method] !== undefined,
    )
    if (!ours || ran.length === 0) continue
    const method = ran.reduce((best, name) => (medians[name]! < medians[best]! ? name : best))
    gains[rival] = { method, ...ratioOf(ours, raced.rounds[method]!) }
  }
  return gains
}
