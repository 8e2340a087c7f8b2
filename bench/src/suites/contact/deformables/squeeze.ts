/**
 * Two soft bodies pressed together, slid, twisted and let go (`squeezeScript`): how deep they get into each other by
 * their triangles, by learned fields, by exact ones, and with no contact, which shows what the script asks for.
 */
import type { ElasticField } from 'pliant'
import { bodyOfNodes, DeformingPair, type MovingBody } from 'pliant/detect'
import type { TouchOptions } from 'pliant/respond'
import { FemBody } from 'pliant/sim'
import {
  type NodesField,
  SqueezeDepth,
  type SqueezeFields,
  SqueezeScene,
  type SqueezeScript,
  squeezeScript,
} from 'pliant/unstable/blocks'
import { median } from '../../../timing/median.js'
import { stopwatch, timeTurns } from '../../../timing/turns.js'
import { boxedExact, boxedNodes, type SoftBody } from './soft-bodies.js'

export interface SqueezeRow {
  method: string
  /** Deepest place of either surface in the other's triangles, of each seed, as a share of the lower body's size. */
  deepest: number[]
  /** Mean, over frames that were looked at, of the deepest place then, and of the deepest vertex over all of them. */
  mean: number
  vertices: number
  /** Median of a frame in contact [ms]. */
  stepMs: number
}

export interface SqueezeResult {
  pair: string
  rows: SqueezeRow[]
  /** Contact found once for states along the script, learned beside exact fields: both updates and both sides [ms]. */
  pass: { learned: number; exact: number; states: number }
  /**
   * Deepest vertex of these states by learned fields beside exact ones: mean and largest difference, as shares of the
   * size.
   */
  difference: { mean: number; largest: number }
}

export interface SqueezeSize {
  seeds: readonly number[]
  /** How long the script takes, and how long passes are timed [s]. */
  seconds: number
  timed: number
}

const FRAME = 1 / 60
const LOOKED_EVERY = 3
/** Of what is seen of a script [s]. */
export const LOOKED_AFTER = LOOKED_EVERY * FRAME
/** States are kept so often for passes [frames]. */
const KEPT_EVERY = 30
/** Contacts of these are told up to this distance, as a share of the size. */
const GAP = 0.02

interface Method {
  name: string
  fields: 'learned' | 'exact' | undefined
  options(stiffness: number): TouchOptions
}

const METHODS: readonly Method[] = [
  { name: 'no contact', fields: undefined, options: () => ({}) },
  { name: 'learned, vertices', fields: 'learned', options: () => ({}) },
  { name: 'learned, whole surface', fields: 'learned', options: () => ({ contact: 'surface' }) },
  { name: 'learned, whole surface, firm', fields: 'learned', options: firm },
  { name: 'exact, whole surface, firm', fields: 'exact', options: firm },
]

/**
 * Twice as stiff as what `ElasticTouch` takes for these bodies, in steps of half the length: bodies that are let go
 * spring apart at 2 m/s, a tenth of their size in a step of 1/60 s.
 */
function firm(stiffness: number): TouchOptions {
  return { contact: 'surface', stiffness: 2 * stiffness, substep: FRAME / 2 }
}

/**
 * @param told  hears how many of the runs are done
 * @param seen  told the deepest place then, as a share of the size, each time that was looked (`LOOKED_AFTER`)
 */
export async function measureSqueeze(
  lower: SoftBody,
  upper: SoftBody,
  { seeds, seconds, timed }: SqueezeSize,
  told: (done: number) => Promise<void>,
  seen: (method: string, seed: number, depths: readonly number[]) => void = () => {},
): Promise<SqueezeResult> {
  const learned = { lower: await lower.learned(), upper: await upper.learned() }
  try {
    const runs = METHODS.map(() => [] as Run[])
    const states: State[] = []
    let done = 0
    for (const seed of seeds) {
      const script = squeezeScript(lower.subject, upper.subject, { seed, seconds })
      for (const [m, method] of METHODS.entries()) {
        const isKept = method.fields === 'learned' && seed === seeds[0]
        const run = await play(script, method, learned, isKept ? states : undefined)
        runs[m].push(run)
        seen(method.name, seed, run.surface)
        await told(++done)
      }
    }
    const { bodies, size } = bodiesOf(lower, upper, learned)
    return {
      pair: `${upper.name} on ${lower.name}`,
      rows: METHODS.map(({ name }, m) => rowOf(name, runs[m])),
      ...passes(bodies, states, size, timed),
    }
  } finally {
    for (const field of Object.values(learned)) field.dispose()
  }
}

/** How many runs `measureSqueeze` makes. */
export const squeezeRuns = ({ seeds }: SqueezeSize): number => seeds.length * METHODS.length

interface Run {
  /** Of each frame that was looked at, as shares of the size. */
  surface: number[]
  vertices: number
  times: number[]
}

interface State {
  lower: Float64Array
  upper: Float64Array
}

async function play(
  script: SqueezeScript,
  { fields, options }: Method,
  learned: { lower: ElasticField; upper: ElasticField },
  kept?: State[],
): Promise<Run> {
  const by: Record<'learned' | 'exact', SqueezeFields> = {
    learned: { lower: boxedNodes(learned.lower), upper: boxedNodes(learned.upper) },
    exact: { lower: boxedExact, upper: boxedExact },
  }
  const standard = new SqueezeScene(script, by.exact).touch!.settings.stiffness
  const scene = new SqueezeScene(script, fields && by[fields], options(standard))
  const depth = new SqueezeDepth(scene.lower, scene.upper)
  const run: Run = { surface: [], vertices: 0, times: [] }
  for (let frame = 0; frame < Math.round(script.seconds / FRAME); frame++) {
    const elapsed = stopwatch()
    scene.step(FRAME)
    if ((scene.touch?.report.contacts ?? 1) > 0) run.times.push(elapsed() / 1000)
    if (frame % LOOKED_EVERY === 0) {
      const { vertices, surface } = depth.look()
      run.surface.push(surface / script.size)
      run.vertices = Math.max(run.vertices, vertices / script.size)
    }
    if (kept && frame % KEPT_EVERY === 0 && (scene.touch?.report.contacts ?? 0) > 0) {
      kept.push({ lower: scene.lower.positions.slice(), upper: scene.upper.positions.slice() })
    }
    if (frame % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return run
}

function rowOf(method: string, runs: readonly Run[]): SqueezeRow {
  const looks = runs.flatMap(({ surface }) => surface)
  return {
    method,
    deepest: runs.map(({ surface }) => Math.max(...surface)),
    mean: looks.reduce((sum, depth) => sum + depth, 0) / looks.length,
    vertices: Math.max(...runs.map(({ vertices }) => vertices)),
    stepMs: median(runs.flatMap(({ times }) => times)),
  }
}

interface Bodies {
  lower: MovingBody<{ nodes: Float64Array }>
  upper: MovingBody<{ nodes: Float64Array }>
}

/** Both bodies by their networks, and by their triangles. */
function bodiesOf(
  lower: SoftBody,
  upper: SoftBody,
  learned: { lower: ElasticField; upper: ElasticField },
): { bodies: { learned: Bodies; exact: Bodies }; size: number } {
  const body = ({ subject }: SoftBody, field: NodesField): Bodies['lower'] => {
    const { mesh } = subject
    const fem = new FemBody(mesh)
    return bodyOfNodes(fem.surface, mesh.positions, field(fem))
  }
  const both = (ofLower: NodesField, ofUpper: NodesField): Bodies => ({
    lower: body(lower, ofLower),
    upper: body(upper, ofUpper),
  })
  return {
    bodies: {
      learned: both(boxedNodes(learned.lower), boxedNodes(learned.upper)),
      exact: both(boxedExact, boxedExact),
    },
    size: lower.size,
  }
}

function passes(
  bodies: { learned: Bodies; exact: Bodies },
  states: readonly State[],
  size: number,
  seconds: number,
): Pick<SqueezeResult, 'pass' | 'difference'> {
  const finder = ({ lower, upper }: Bodies, contact: 'points' | 'surface'): ((state: State) => number) => {
    // Told apart a little, too, so that either finds something where the other finds a touch.
    const pair = new DeformingPair(lower, upper, { contact, gap: GAP * size })
    return (state) => {
      lower.update({ nodes: state.lower })
      upper.update({ nodes: state.upper })
      const list = pair.update()
      return list.count > 0 ? list.separations[0] : GAP * size
    }
  }
  const [learned, exact] = [bodies.learned, bodies.exact].map((each) => finder(each, 'points'))
  const off = states.map((state) => Math.abs(learned(state) - exact(state)) / size)
  const rivals = { learned: finder(bodies.learned, 'surface'), exact: finder(bodies.exact, 'surface') }
  const { medians } = timeTurns(rivals, states, seconds, (find, state) => void find(state))
  return {
    pass: { learned: medians.learned / 1000, exact: medians.exact / 1000, states: states.length },
    difference: { mean: off.reduce((sum, each) => sum + each, 0) / off.length, largest: Math.max(...off) },
  }
}
