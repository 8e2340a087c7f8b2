/** The body in motion with its garment on: takes settings, lets time pass, tells what each part of a step took. */
import type { Clip } from 'pliant/character'
import type { BodyField } from 'pliant/sim'
import { timedField, wasTrainedOn } from 'pliant/unstable'
import { DressedScene } from 'pliant/unstable/blocks'
import type { OwnError } from '../../draw/own-error-badge.js'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import {
  type ClothSettings,
  type ClothSimulation,
  COLLISIONS,
  type Collision,
  type Frame,
  type Opened,
  type Penetration,
} from './cloth-protocol.js'
import type { WornBody } from './worn-body.js'

/** Steps between two looks at the exact body: a look takes longer than a step. */
const LOOK_EVERY = 4
/** Deeper than this share of the height counts as inside. */
const DEEP = 0.01

export class DressedStage implements Stage<ClothSimulation> {
  readonly settings: ClothSettings
  readonly #body: WornBody
  readonly #scene: DressedScene
  readonly #clock = { update: 0, queries: 0 }
  /** What the cloth can collide with, timed. */
  readonly #fields: Readonly<Record<Collision, BodyField | undefined>>
  #steps = 0
  #penetration: Penetration | undefined
  /** The page has not been told of the garment yet. */
  #unseen = true

  constructor(body: WornBody, settings: Partial<ClothSettings>) {
    this.#body = body
    const { guarded, exact } = body.fields
    this.#fields = {
      learned: timedField(guarded, this.#clock),
      exact: timedField(exact, this.#clock),
      none: undefined,
    }
    this.settings = {
      clip: worthSeeing(body).name,
      speed: 1,
      garment: body.garments[0],
      collision: 'learned',
      wind: 0,
      windFrom: 0,
    }
    this.#take(settings)
    const { artifact, bones, unit } = body
    const margin = artifact.manifest.quality?.safetyMargin ?? 0
    const worn = body.fit(this.settings.garment)
    const field = this.#fields[this.settings.collision]
    this.#scene = new DressedScene({ character: artifact.character, bones }, worn, field, { unit, margin })
    this.#tellScene()
    this.#play()
  }

  get opened(): Opened {
    const { artifact, fields, clips, garments, unit } = this.#body
    const { manifest, character } = artifact
    return {
      name: manifest.name,
      backend: fields.learned.network.backend,
      height: unit * character.height,
      bodyTriangles: character.triangles,
      clips: clips.map((clip) => ({
        name: clip.name,
        seconds: clip.duration,
        trained: wasTrainedOn(manifest, character.skeleton, clip) ?? null,
      })),
      garments: [...garments],
      settings: { ...this.settings },
    }
  }

  set(settings: Partial<ClothSettings>): void {
    const before = { ...this.settings }
    this.#take(settings)
    this.#tellScene()
    const { clip, garment, collision } = this.settings
    if (clip !== before.clip) this.#play()
    this.#scene.collideWith(this.#fields[collision])
    if (garment !== before.garment) this.#scene.wear(this.#body.fit(garment))
    if (garment !== before.garment || (before.collision === 'none' && collision !== 'none')) this.#isPutOn()
    if (collision !== before.collision) this.#penetration = undefined
  }

  /** Puts the garment on again, the body at rest for a moment. */
  command(): void {
    this.#scene.reset()
    this.#isPutOn()
  }

  advance(steps: number, _input: undefined, spare: Frame['vertices'] | undefined): Frame {
    const vertices = fittingBuffers(spare, {
      body: 3 * this.#body.artifact.character.vertexCount,
      cloth: this.#scene.cloth.positions.length,
    })
    const { player, cloth } = this.#scene
    const clock = Object.assign(this.#clock, { update: 0, queries: 0 })
    let queries = 0
    const began = performance.now()
    for (let step = 0; step < steps; step++) {
      this.#scene.step(STEP)
      queries += cloth.contacts.queries
      this.#steps++
    }
    const stepped = performance.now()
    this.#body.artifact.character.positionsOfPose(player.pose, vertices.body)
    vertices.cloth.set(cloth.positions)
    const skin = performance.now() - stepped
    if (this.#steps % LOOK_EVERY < steps) this.#look()
    const clothTriangles = this.#unseen ? cloth.triangles.slice() : undefined
    this.#unseen = false
    return {
      vertices,
      clothTriangles,
      rootFrame: this.#scene.rootFrame.slice(),
      time: player.time,
      clip: this.settings.clip,
      collision: this.settings.collision,
      ownError: this.#ownError(),
      spent: {
        pose: clock.update / steps,
        queries: clock.queries / steps,
        cloth: (stepped - began - clock.update - clock.queries) / steps,
        skin,
      },
      queries: queries / steps,
      penetration: this.#penetration,
    }
  }

  dispose(): void {
    this.#body.fields.dispose()
  }

  #take(settings: Partial<ClothSettings>): void {
    const { clips, garments } = this.#body
    const known = { ...settings }
    // An address written for another character names clips and garments that this one has not.
    if (!clips.some(({ name }) => name === known.clip)) delete known.clip
    if (!known.garment || !garments.includes(known.garment)) delete known.garment
    if (!known.collision || !COLLISIONS.includes(known.collision)) delete known.collision
    Object.assign(this.settings, known)
  }

  #play(): void {
    this.#scene.play(this.#body.clips.find(({ name }) => name === this.settings.clip)!)
  }

  #tellScene(): void {
    const { speed, wind, windFrom } = this.settings
    this.#scene.player.speed = speed
    this.#scene.wind = { speed: wind, from: windFrom }
  }

  /** Looks of before are none of a garment that has just been put on. */
  #isPutOn(): void {
    this.#unseen = true
    this.#penetration = undefined
  }

  /** The learned field knows its error whether or not the cloth collides with it. */
  #ownError(): OwnError {
    const { artifact, fields } = this.#body
    const { learned } = fields
    if (this.settings.collision !== 'learned') learned.update(learned.skeleton.stateOf(this.#scene.player.pose))
    return { expected: learned.expectedError / artifact.character.height, trusted: learned.trusted }
  }

  #look(): void {
    const { truth, artifact } = this.#body
    const { cloth, player } = this.#scene
    const { height } = artifact.character
    const distances = new Float64Array(cloth.vertexCount)
    truth.update({ joints: player.pose })
    this.#scene.distancesTo(truth, distances)
    let deepest = 0
    let deep = 0
    for (const distance of distances) {
      deepest = Math.max(deepest, -distance / height)
      if (distance < -DEEP * height) deep++
    }
    this.#penetration = { deepest, share: deep / cloth.vertexCount }
  }
}

/** The longest clip that was never trained on, or the longest of all. */
function worthSeeing({ clips, artifact }: WornBody): Clip {
  const { manifest, character } = artifact
  const unseen = clips.filter((clip) => wasTrainedOn(manifest, character.skeleton, clip) !== true)
  return (unseen.length > 0 ? unseen : clips).reduce((a, b) => (b.duration > a.duration ? b : a))
}
