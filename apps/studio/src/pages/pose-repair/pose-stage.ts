/**
 * The pose in the worker: what is asked for by sliders, a hand or a motion, and what is made of it, which is the same unless
 * the pose is kept free or was repaired.
 */
import { boxOfPoints, randomStream } from 'pliant'
import { CodeGuard } from 'pliant/respond'
import { boxDiagonal } from 'pliant/unstable'
import { RollingMedian } from '../../measure/rolling-median.js'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import type { Held } from '../../shell/view/pull-input.js'
import { PoseLooks } from './pose-look.js'
import {
  type PoseFrame,
  type PoseLook,
  type PoseOpened,
  type PoseRepair,
  type PoseSettings,
  type PoseSimulation,
  SHOWN,
  SWITCHES,
} from './pose-protocol.js'
import { readPose, writePose } from './pose-text.js'
import { CodePull } from './pull-code.js'
import { repairPose } from './repair-pose.js'
import type { PoseSubject } from './subjects/pose-subject.js'

/** Of random poses: they come in the same order whenever a body is opened. */
const SEED = 13
/** Frames without another wish after which a pose is still. */
const STILL = 8
/** Frames from one measurement of what answers take to the next. */
const TIMED_EVERY = 5
/** Frames that medians are taken over. */
const FRAMES = 40

export class PoseStage implements Stage<PoseSimulation> {
  readonly settings: PoseSettings = { keep: 'off', show: 'both', motion: '', play: 'off', code: 'rest' }
  readonly #subject: PoseSubject
  readonly #guard: CodeGuard
  readonly #looks: PoseLooks
  readonly #random = randomStream(SEED)
  readonly #keepTime = new RollingMedian(FRAMES)
  readonly #asked: Float64Array
  readonly #made: Float64Array
  #pull: CodePull | undefined
  #repair: PoseRepair | undefined
  /** Frames since another pose was asked for. */
  #stillFor = 0
  #time = 0
  #frames = 0
  #before: KnownLook | undefined
  #after: KnownLook | undefined

  constructor(subject: PoseSubject, settings: Partial<PoseSettings>) {
    this.#subject = subject
    const { near, weights, shape } = subject
    this.#guard = new CodeGuard(near.field, { margin: near.margin, weights })
    this.#looks = new PoseLooks(subject)
    this.#asked = new Float64Array(shape.codeSize)
    this.#made = new Float64Array(shape.codeSize)
    this.#take(settings)
  }

  get opened(): PoseOpened {
    const { name, backend, quality, shape, entries, parts, near, motions } = this.#subject
    const rest = new Float64Array(3 * shape.vertexCount)
    shape.positions(new Float64Array(shape.codeSize), rest)
    const box = boxOfPoints(rest)
    const { lower, upper } = shape.bounds
    return {
      name,
      backend,
      quality,
      triangles: shape.triangles.slice(),
      box,
      size: boxDiagonal(box),
      entries,
      bounds: { lower: Float64Array.from(lower), upper: Float64Array.from(upper) },
      parts,
      unit: near.unit,
      motions: motions.map(({ name, seconds }) => ({ name, seconds })),
      settings: { ...this.settings },
    }
  }

  set(settings: Partial<PoseSettings>): void {
    this.#take(settings)
  }

  command(command: PoseSimulation['command']): void {
    const { codeSize, bounds } = this.#subject.shape
    this.settings.play = 'off'
    if (command === 'repair') {
      this.#repairNow()
      return
    }
    if (command === 'rest') this.#asked.fill(0)
    else if (command === 'random') {
      for (let k = 0; k < codeSize; k++) {
        this.#asked[k] = this.#random.between(bounds.lower[k], bounds.upper[k])
      }
      this.#guard.reset()
    } else {
      // Where nothing is kept, a repaired pose is what somebody sees and goes on from.
      if (this.settings.keep === 'off') this.#asked.set(this.#made)
      this.#asked[command.entry] = command.value
    }
    this.#isAsked()
  }

  advance(steps: number, held: Held | undefined, spare: PoseFrame['vertices'] | undefined): PoseFrame {
    this.#stillFor++
    this.#hold(held)
    if (this.settings.play === 'on') this.#play(steps * STEP)
    this.#make()
    const { shape } = this.#subject
    const length = 3 * shape.vertexCount
    const vertices = fittingBuffers(spare, { before: length, after: length })
    shape.positions(this.#made, vertices.after)
    if (isSame(this.#asked, this.#made)) vertices.before.set(vertices.after)
    else shape.positions(this.#asked, vertices.before)
    if (this.#frames++ % TIMED_EVERY === 0) this.#looks.time(this.#made)
    this.#after = this.#lookAt(this.#made, this.#after)
    this.#before = isSame(this.#asked, this.#made) ? this.#after : this.#lookAt(this.#asked, this.#before)
    return {
      vertices,
      codes: { before: this.#asked.slice(), after: this.#made.slice() },
      before: this.#before.look,
      after: this.#after.look,
      keep: this.settings.keep,
      still: this.#stillFor >= STILL,
      pull: this.#pullLine(held),
      repair: this.#repair,
      time: this.#time,
      play: this.settings.play,
      times: { ...this.#looks.microseconds, keep: this.#keepTime.value },
    }
  }

  dispose(): void {
    this.#subject.dispose()
  }

  #take({ keep, show, motion, play, code }: Partial<PoseSettings>): void {
    const { settings } = this
    const { motions, shape } = this.#subject
    if (keep && SWITCHES.includes(keep) && keep !== settings.keep) {
      settings.keep = keep
      this.#guard.reset()
      this.#isAsked()
    }
    if (show && SHOWN.includes(show)) settings.show = show
    // An address written for another body names motions and codes that this one has not.
    if (motion !== undefined && (motion === '' || motions.some(({ name }) => name === motion))) {
      if (motion !== settings.motion) this.#time = 0
      settings.motion = motion
      this.#guard.reset()
    }
    if (play && SWITCHES.includes(play)) settings.play = settings.motion === '' ? 'off' : play
    const pose = code === undefined || code === writePose(this.#asked) ? undefined : readPose(code, shape.codeSize)
    if (pose) {
      this.#asked.set(pose)
      this.#guard.reset()
      this.#isAsked()
    }
    if (code !== undefined) settings.code = writePose(this.#asked)
  }

  /** Another pose is asked for: what was made of the last one is none of it. */
  #isAsked(): void {
    this.#stillFor = 0
    this.#repair = undefined
    this.#made.set(this.#asked)
  }

  #hold(held: Held | undefined): void {
    const { shape, weights } = this.#subject
    if (!held || !(held.vertex < shape.vertexCount)) {
      this.#pull = undefined
      return
    }
    if (this.#pull?.vertex !== held.vertex) {
      this.#pull = new CodePull(shape, held.vertex, weights)
      // What is taken hold of is what is on show.
      if (this.settings.show !== 'before') this.#asked.set(this.#made)
      this.settings.play = 'off'
    }
    const before = this.#asked.slice()
    this.#pull.towards(this.#asked, held.target)
    if (!isSame(before, this.#asked)) this.#isAsked()
  }

  #play(seconds: number): void {
    const motion = this.#subject.motions.find(({ name }) => name === this.settings.motion)
    if (!motion) return
    this.#time += seconds
    if (this.#time > motion.seconds) {
      this.#time = motion.seconds > 0 ? this.#time % motion.seconds : 0
      // A cut, unless the motion ends as it begins.
      this.#guard.reset()
    }
    motion.codeAt(this.#time, this.#asked)
    this.#isAsked()
  }

  /** What is made of what is asked for. Once nothing changes any more, the exact test has the last word. */
  #make(): void {
    if (this.settings.keep === 'off' || this.#stillFor > STILL) return
    const began = performance.now()
    this.#guard.keep(this.#asked, this.#made)
    this.#keepTime.add(performance.now() - began)
    if (this.#stillFor === STILL && this.#subject.exact.touches(this.#made)) {
      const { free } = repairPose(this.#subject, this.#made.slice(), this.#made)
      if (!free) this.#made.set(this.#asked)
    }
  }

  #repairNow(): void {
    const began = performance.now()
    const report = repairPose(this.#subject, this.#asked, this.#made)
    this.#repair = { ...report, milliseconds: performance.now() - began }
    // What is kept as well is not taken back by the guard.
    this.#stillFor = STILL
  }

  #lookAt(code: Float64Array, known: KnownLook | undefined): KnownLook {
    if (known && isSame(known.code, code)) return known
    return { code: code.slice(), look: this.#looks.at(code) }
  }

  #pullLine(held: Held | undefined): Float32Array {
    if (!held || !this.#pull) return new Float32Array(0)
    const code = this.settings.show === 'before' ? this.#asked : this.#made
    return Float32Array.from([...this.#pull.placeAt(code), ...held.target])
  }
}

interface KnownLook {
  code: Float64Array
  look: PoseLook
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a.every((value, k) => value === b[k])
}
