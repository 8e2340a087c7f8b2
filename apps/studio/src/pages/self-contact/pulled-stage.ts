/** The body on its table, pulled by the visitor or by a script: takes settings, lets time pass, looks whether it meets itself. */
import { randomStream } from 'pliant'
import type { Pull } from 'pliant/sim'
import { PulledScene, PullScript } from 'pliant/unstable/blocks'
import { AnswerClock } from '../../measure/answer-clock.js'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import type { Held } from '../../shell/view/pull-input.js'
import type { ContactBody } from './contact-body.js'
import {
  type ContactSettings,
  type ContactSimulation,
  type Frame,
  KEEPS,
  type Look,
  type Opened,
  PULLERS,
} from './contact-protocol.js'

/** Steps between two looks by exact geometry. */
const LOOK_EVERY = 6
/** Answers timed at a look: some tenths of a millisecond each. */
const ANSWERS = { learned: 64, exact: 8 }
/** Of the script's pulls: after a reset they come again. */
const SEED = 12

export class PulledStage implements Stage<ContactSimulation> {
  readonly settings: ContactSettings = { keep: 'learned', pull: 'hand', across: 1, up: 2 }
  readonly #body: ContactBody
  readonly #scene: WatchedScene
  readonly #clock: AnswerClock
  readonly #distance = new Float64Array(1)
  readonly #place = new Float64Array(3)
  #script: PullScript | undefined
  #held: Pull | undefined
  #time = 0
  #steps = 0
  #look: Omit<Look, 'microseconds'> = NO_LOOK

  /** @throws RangeError if the body cannot be simulated */
  constructor(body: ContactBody, settings: Partial<ContactSettings>) {
    this.#body = body
    this.settings.up = Math.min(2, body.field.codeSize)
    this.#take(settings)
    this.#scene = new WatchedScene(body.artifact)
    this.#clock = new AnswerClock(body.field, body.exact, ANSWERS)
    this.#keepApart()
    this.#beginScript()
  }

  get opened(): Opened {
    const { artifact, field, bytes } = this.#body
    const { manifest, model, rounds } = artifact
    const [x, y, z] = this.#scene.body.position
    return {
      name: manifest.name,
      backend: field.backend,
      triangles: model.triangles.slice(),
      size: this.#scene.size,
      start: [x, y, z],
      bounds: { lower: Float64Array.from(model.bounds.lower), upper: Float64Array.from(model.bounds.upper) },
      quality: manifest.quality,
      rounds: rounds && {
        counts: [...manifest.model.rounds],
        codes: rounds.codes.slice(),
        signs: rounds.signs.slice(),
      },
      bytes,
      settings: { ...this.settings },
    }
  }

  set(settings: Partial<ContactSettings>): void {
    const before = { ...this.settings }
    this.#take(settings)
    if (this.settings.keep !== before.keep) this.#keepApart()
    if (this.settings.pull !== before.pull) this.#beginScript()
  }

  /** Back above the table, at rest; the script from its beginning. */
  command(): void {
    this.#letGo()
    this.#scene.reset()
    this.#time = 0
    this.#steps = 0
    this.#look = NO_LOOK
    this.#beginScript()
  }

  /** @throws RangeError if the simulation cannot go on */
  advance(steps: number, held: Held | undefined, spare: Frame['vertices'] | undefined): Frame {
    const { body } = this.#scene
    let [stepping, exactTests] = [0, 0]
    this.#hold(held)
    for (let step = 0; step < steps; step++) {
      const began = performance.now()
      this.#script?.advance(STEP)
      exactTests += this.#scene.step(STEP).exactTests
      stepping += performance.now() - began
    }
    this.#time += steps * STEP
    const began = performance.now()
    if (this.#steps % LOOK_EVERY < steps) this.#lookAtIt()
    this.#steps += steps
    const looking = performance.now() - began
    const vertices = fittingBuffers(spare, { body: body.rest.length })
    body.positions(vertices.body)
    this.#body.field.query(body.code, 1, this.#distance)
    const [x, y, z] = body.position
    return {
      vertices,
      time: this.#time,
      keep: this.settings.keep,
      code: body.code.slice(),
      distance: this.#distance[0],
      position: [x, y, z],
      pulls: this.#pullLines(),
      look: { ...this.#look, microseconds: this.#clock.microseconds },
      spent: { step: stepping / steps, look: looking / steps },
      exactTests: exactTests / steps,
    }
  }

  dispose(): void {
    this.#body.field.dispose()
  }

  #take({ keep, pull, across, up }: Partial<ContactSettings>): void {
    const modes = this.#body.field.codeSize
    const isMode = (mode: number | undefined): mode is number =>
      Number.isInteger(mode) && (mode as number) >= 1 && (mode as number) <= modes
    if (keep && KEEPS.includes(keep)) this.settings.keep = keep
    if (pull && PULLERS.includes(pull)) this.settings.pull = pull
    // An address written for a body of more modes names some that this one has not.
    if (isMode(across)) this.settings.across = across
    if (isMode(up)) this.settings.up = up
  }

  #keepApart(): void {
    const { field, exact } = this.#body
    const { body } = this.#scene
    const { keep } = this.settings
    body.selfContact = {
      box: body.selfContact.box,
      field: keep === 'nothing' ? undefined : field,
      exact: keep === 'hybrid' ? exact : undefined,
    }
    this.#look = NO_LOOK
  }

  #beginScript(): void {
    this.#letGo()
    this.#script = this.settings.pull === 'script' ? new PullScript(this.#scene, randomStream(SEED)) : undefined
  }

  #letGo(): void {
    for (const pull of this.#scene.pulls) this.#scene.release(pull)
    this.#held = undefined
  }

  #hold(held: Held | undefined): void {
    const { body } = this.#scene
    if (this.#held && this.#held.vertex !== held?.vertex) {
      this.#scene.release(this.#held)
      this.#held = undefined
    }
    if (!held || !(held.vertex < body.vertexCount)) return
    this.#held ??= this.#scene.pull(held.vertex)
    const [x, y, z] = held.target
    // Not through the table.
    this.#held.target.set([x, Math.max(0, y), z])
  }

  #lookAtIt(): void {
    const { code } = this.#scene.body
    const { looks, touchingLooks } = this.#look
    const triangles = Uint32Array.from(new Set(Array.from(this.#body.exact.meetingPairs(code))))
    const touching = triangles.length > 0
    this.#look = { triangles, touching, looks: looks + 1, touchingLooks: touchingLooks + (touching ? 1 : 0) }
    // Rows keep the code in its box but for a hair, and beyond it the exact test is another, slower one.
    const { lower, upper } = this.#body.field.bounds
    this.#clock.look(code.map((value, k) => Math.min(Math.max(value, lower[k]), upper[k])))
  }

  #pullLines(): Float32Array {
    const { pulls, body } = this.#scene
    const lines = new Float32Array(6 * pulls.size)
    let at = 0
    for (const { vertex, target } of pulls) {
      body.vertex(vertex, this.#place)
      lines.set(this.#place, at)
      lines.set(target, at + 3)
      at += 6
    }
    return lines
  }
}

/** Knows who pulls at it. */
class WatchedScene extends PulledScene {
  readonly pulls = new Set<Pull>()

  override pull(vertex: number): Pull {
    const pull = super.pull(vertex)
    this.pulls.add(pull)
    return pull
  }

  override release(pull: Pull): void {
    this.pulls.delete(pull)
    super.release(pull)
  }
}

const NO_LOOK: Omit<Look, 'microseconds'> = {
  triangles: new Uint32Array(0),
  touching: false,
  looks: 0,
  touchingLooks: 0,
}
