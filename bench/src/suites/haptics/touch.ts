/**
 * Whole frames of haptics (Zesch et al. sections 3.1.2 and 4.1) over a recorded path: where the time of a frame goes, how
 * deep the hand gets into the exact surface, and how rough the force is that it feels, with a learned field and with the
 * exact one.
 */
import { findBodyPreset } from '@pliant/train/unstable'
import type { ElasticField, MovingField, NodeState, SignedField, TrainedField } from 'pliant'
import { NearestTriangles } from 'pliant/detect'
import { gatherVertices } from 'pliant/respond'
import { FemBody } from 'pliant/sim'
import { type ForceJerk, forceJerk, ModalField, type OnProgress, progressWithin } from 'pliant/unstable'
import {
  exactNodes,
  type NodesField,
  type PressScript,
  pressScript,
  TouchDepth,
  TouchScene,
} from 'pliant/unstable/blocks'
import { median } from '../../timing/median.js'
import { stopwatch } from '../../timing/turns.js'
import { type ElasticFile, type HapticsSubject, loadElastic } from './subject.js'

const FRAME = 1 / 60

/** Parts of a frame: both bodies' steps, code and pose of the network, its queries, nearest triangles, all the rest. */
export const FRAME_PARTS = ['body', 'tool', 'code', 'pose', 'queries', 'triangles', 'contacts'] as const
export type FramePart = (typeof FRAME_PARTS)[number]

export interface TouchRun {
  /** Median of each part, and of the whole, over the frames in which the hand presses and slides [ms]. */
  parts: Record<FramePart, number>
  total: number
  /** The longest frame of all [ms]. */
  longest: number
  /** Of the hand's vertices inside the exact surface after any frame [% of the diagonal]. */
  deepest: number
  /** Of the force on the hand while it presses and slides. */
  jerk: ForceJerk
  /** Most vertices in contact in a frame. */
  contacts: number
  /** Values that were not finite, over all frames. */
  notFinite: number
  /** One value a frame: time [s], force on the hand [N], depth in the exact surface [% of the diagonal]. */
  trace: { times: number[]; forces: number[]; depths: number[] }
}

export interface TouchResult {
  tool: { nodes: number; triangles: number }
  frames: number
  learned: TouchRun
  exact: TouchRun
  /** The paper's network, if it was trained. */
  paper: TouchRun | null
  /** Root mean square of the force's jerk, learned / exact. */
  jerkRatio: number
}

export interface TouchOptions {
  /** How long approaching, pressing, sliding and leaving take [s]. */
  seconds: readonly [number, number, number, number]
  signal?: AbortSignal
  onProgress?: OnProgress
}

export async function measureTouch(subject: HapticsSubject, options: TouchOptions): Promise<TouchResult> {
  const { ours, paper, material } = subject
  const hand = await findBodyPreset('hand')!.make()
  const script = pressScript({ bodyMesh: ours.body.mesh, material, hand }, options.seconds)
  const rivals = 2 + Number(paper.trained)
  const during = (run: number, detail: string): TouchOptions => ({
    ...options,
    onProgress: progressWithin(options.onProgress, run / rivals, (run + 1) / rivals, { detail }),
  })
  const byNetwork = async (file: ElasticFile, run: number, detail: string): Promise<TouchRun> => {
    const field = await loadElastic(file)
    try {
      const clock = new FrameClock()
      return await play(script, subject, clock, () => clock.elastic(field), during(run, detail))
    } finally {
      field.dispose()
    }
  }
  const learned = await byNetwork(ours, 0, 'learned field')
  const clock = new FrameClock()
  const exactly: NodesField = (body) => clock.timed(exactNodes(body))
  const exact = await play(script, subject, clock, exactly, during(1, 'exact field'))
  return {
    tool: { nodes: script.toolMesh.positions.length / 3, triangles: toolTriangles(script) },
    frames: exact.trace.times.length,
    learned,
    exact,
    paper: paper.trained ? await byNetwork(paper, 2, "the paper's network") : null,
    jerkRatio: learned.jerk.rms / exact.jerk.rms,
  }
}

function toolTriangles({ toolMesh }: PressScript): number {
  return new FemBody(toolMesh).surface.triangles.length / 3
}

async function play(
  script: PressScript,
  { diagonal }: HapticsSubject,
  clock: FrameClock,
  body: NodesField,
  { signal, onProgress }: TouchOptions,
): Promise<TouchRun> {
  const scene = new TouchScene(script, { body }, { body: (mesh, options) => new TimedBody(mesh, options) })
  const depth = new TouchDepth(scene)
  const search = triangleMeter(scene)
  const { path, pressing } = script
  const { report } = scene.touch
  const frames = Math.round(path.duration / FRAME)
  const trace: TouchRun['trace'] = { times: [], forces: [], depths: [] }
  const felt: number[] = []
  const spent: (Record<FramePart, number> & { total: number })[] = []
  let contacts = 0
  let notFinite = 0
  for (let frame = 0; frame < frames; frame++) {
    const time = (frame + 1) * FRAME
    scene.moveHandAlong(path, time)
    const elapsed = stopwatch()
    scene.step(FRAME)
    const total = elapsed() / 1000
    const { handForce } = report
    trace.times.push(time)
    trace.forces.push(Math.hypot(...handForce))
    trace.depths.push((100 * depth.look().toolInBody) / diagonal)
    notFinite += scene.tool.positions.reduce((count, value) => count + Number(!Number.isFinite(value)), 0)
    contacts = Math.max(contacts, report.contacts)
    const parts = takeParts(scene, clock, search())
    const known = FRAME_PARTS.reduce((sum, part) => sum + parts[part], 0)
    spent.push({ ...parts, contacts: total - known, total })
    if (time > pressing[0] && time <= pressing[1]) felt.push(...handForce)
    else spent.pop()
    if (frame % 20 > 0) continue
    signal?.throwIfAborted()
    onProgress?.({ fraction: frame / frames, stage: 'touch' })
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const medianOf = (part: FramePart | 'total'): number => median(spent.map((frame) => frame[part]))
  return {
    parts: Object.fromEntries(FRAME_PARTS.map((part) => [part, medianOf(part)])) as Record<FramePart, number>,
    total: medianOf('total'),
    longest: Math.max(...spent.map(({ total }) => total)),
    deepest: Math.max(...trace.depths),
    jerk: forceJerk(felt, FRAME),
    contacts,
    notFinite,
    trace,
  }
}

/** An elastic body that adds up how long its steps take [ms]. */
class TimedBody extends FemBody {
  elapsed = 0

  override step(frame: number): void {
    const elapsed = stopwatch()
    super.step(frame)
    this.elapsed += elapsed() / 1000
  }
}

/** Times of a field's parts [ms], since they were taken last. */
class FrameClock {
  code = 0
  pose = 0
  queries = 0

  /** The paper's field finds a code before its network is updated; ours does not. */
  elastic(field: ElasticField): MovingField<NodeState> {
    if (!(field instanceof ModalField)) return this.timed(field)
    const modal = new ModalField(field.model, this.updating(field.field))
    return {
      ...asked(modal, (work) => this.run('queries', work)),
      update: (state) => {
        const before = this.pose
        this.run('code', () => modal.update(state))
        this.code -= this.pose - before
      },
    }
  }

  /** Its update stands under `pose`: a network's, or a tree's refit. */
  timed(field: MovingField<NodeState>): MovingField<NodeState> {
    return {
      ...asked(field, (work) => this.run('queries', work)),
      update: (state) => this.run('pose', () => field.update(state)),
    }
  }

  /** The same field, its updates timed. */
  private updating(field: TrainedField): TrainedField {
    const { codeSize, network, probeError, expectedError, trusted } = field
    return {
      ...{ codeSize, network, probeError, expectedError, trusted },
      ...asked(field, (work) => work()),
      update: (state) => this.run('pose', () => field.update(state)),
      dispose: () => field.dispose(),
    }
  }

  private run(part: 'code' | 'pose' | 'queries', work: () => void): void {
    const elapsed = stopwatch()
    work()
    this[part] += elapsed() / 1000
  }
}

/** A field's queries, each done by `run`. */
function asked(field: SignedField, run: (work: () => void) => void): SignedField {
  return {
    query: (points, count, distances, gradients) => run(() => field.query(points, count, distances, gradients)),
    bounds: (box) => field.bounds(box),
  }
}

/** What the parts took since the last call; `contacts` is not known yet. */
function takeParts(scene: TouchScene, clock: FrameClock, triangles: number): Record<FramePart, number> {
  const [body, tool] = [scene.body as TimedBody, scene.tool as TimedBody]
  const { code, pose, queries } = clock
  const parts = { body: body.elapsed, tool: tool.elapsed, code, pose, queries, triangles, contacts: 0 }
  body.elapsed = 0
  tool.elapsed = 0
  Object.assign(clock, { code: 0, pose: 0, queries: 0 })
  return parts
}

/** Does the search for the contacts' triangles once more, by itself, and says how long it takes [ms]. */
function triangleMeter({ body, tool, touch: { report } }: TouchScene): () => number {
  const nearest = new NearestTriangles(body.surface)
  const vertices = new Float64Array(body.surface.positions.length)
  const points = new Float64Array(tool.surface.positions.length)
  const triangleIds = new Uint32Array(points.length / 3)
  return () => {
    const { count, featuresA, featuresB } = report.touching
    if (count === 0) return 0
    gatherVertices(body.positions, body.surface.nodeOfVertex, vertices)
    for (let c = 0; c < count; c++) {
      const node = 3 * tool.surface.nodeOfVertex[featuresB[c]]
      points.set(tool.positions.subarray(node, node + 3), 3 * c)
    }
    triangleIds.set(featuresA.subarray(0, count))
    const elapsed = stopwatch()
    nearest.update(vertices)
    nearest.find(points, count, { triangleIds }, { triangles: triangleIds })
    return elapsed() / 1000
  }
}
