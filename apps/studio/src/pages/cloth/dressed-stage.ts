/** The body in motion with its garment on: takes settings, lets time pass, tells what each part of a step took. */
import { GuardedField } from 'pliant'
import type { Clip } from 'pliant/character'
import { type BodyField, ClipPlayer, DressedCharacter } from 'pliant/sim'
import { timedField, wasTrainedOn } from 'pliant/unstable'
import type { OwnError } from '../../draw/own-error-badge.js'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import {
  type ClothSettings,
  type ClothSimulation,
  COLLISIONS,
  type Frame,
  type Opened,
  type Penetration,
} from './cloth-protocol.js'
import type { WornBody } from './worn-body.js'

/** Steps between two looks at the exact body: a look takes longer than a step. */
const LOOK_EVERY = 4
/** Deeper than this share of the height counts as inside. */
const DEEP = 0.01
/** Strength of gusts, and how fast they come [rad/s]. */
const GUST = { share: 0.35, rates: [1.1, 2.7] } as const

export class DressedStage implements Stage<ClothSimulation> {
  readonly settings: ClothSettings
  readonly #body: WornBody
  readonly #player: ClipPlayer
  readonly #clock = { update: 0, queries: 0 }
  readonly #learned: BodyField
  readonly #exact: BodyField
  #dressed: DressedCharacter
  #steps = 0
  #seconds = 0
  #penetration: Penetration | undefined
  /** The page has not been told of the garment yet. */
  #unseen = true

  constructor(body: WornBody, settings: Partial<ClothSettings>) {
    this.#body = body
    this.#learned = timedField(new GuardedField(body.learned, body.exact), this.#clock)
    this.#exact = timedField(body.exact, this.#clock)
    this.#player = new ClipPlayer(body.artifact.character.skeleton)
    this.settings = {
      clip: worthSeeing(body).name,
      speed: 1,
      garment: body.garments[0],
      collision: 'learned',
      wind: 0,
      windFrom: 0,
    }
    this.#take(settings)
    this.#dressed = this.#dress()
    this.#play()
  }

  get opened(): Opened {
    const { artifact, learned, clips, garments, unit } = this.#body
    const { manifest, character } = artifact
    return {
      name: manifest.name,
      backend: learned.network.backend,
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
    const { clip, garment, collision } = this.settings
    if (clip !== before.clip) this.#play()
    // Cloth that hung inside the body would be caught there.
    if (garment !== before.garment || (before.collision === 'none' && collision !== 'none')) {
      this.command()
    } else this.#dressed.obstacle.body = this.#field()
  }

  /** Puts the garment on again, the body at rest for a moment. */
  command(): void {
    this.#dressed = this.#dress()
    this.#unseen = true
    const { pose, rootFrame } = this.#player
    const { skeleton } = this.#body.artifact.character
    pose.rotations.set(skeleton.rest.rotations)
    pose.translations.set(skeleton.rest.translations)
    this.#dressed.reset(rootFrame)
    this.#penetration = undefined
    this.#play()
  }

  advance(steps: number, _input: undefined, spare: Frame['vertices'] | undefined): Frame {
    const vertices = fittingBuffers(spare, {
      body: 3 * this.#body.artifact.character.vertexCount,
      cloth: this.#dressed.cloth.positions.length,
    })
    const player = this.#player
    const dressed = this.#dressed
    const clock = Object.assign(this.#clock, { update: 0, queries: 0 })
    let queries = 0
    const began = performance.now()
    for (let step = 0; step < steps; step++) {
      player.advance(STEP)
      dressed.cloth.wind = this.#windNow()
      dressed.step(STEP, player.pose, player.rootFrame)
      queries += dressed.cloth.contacts.queries
      this.#steps++
      this.#seconds += STEP
    }
    const stepped = performance.now()
    this.#body.artifact.character.positionsOfPose(player.pose, vertices.body)
    vertices.cloth.set(dressed.cloth.positions)
    const skin = performance.now() - stepped
    if (this.#steps % LOOK_EVERY < steps) this.#look()
    const clothTriangles = this.#unseen ? dressed.cloth.triangles.slice() : undefined
    this.#unseen = false
    return {
      vertices,
      clothTriangles,
      rootFrame: dressed.obstacle.rootFrame.slice(),
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
    this.#body.learned.dispose()
  }

  #take(settings: Partial<ClothSettings>): void {
    const { clips, garments } = this.#body
    const known = { ...settings }
    // An address written for another character names clips and garments that this one has not.
    if (!clips.some(({ name }) => name === known.clip)) delete known.clip
    if (!known.garment || !garments.includes(known.garment)) delete known.garment
    if (!known.collision || !COLLISIONS.includes(known.collision)) delete known.collision
    Object.assign(this.settings, known)
    this.#player.speed = this.settings.speed
  }

  #play(): void {
    this.#player.play(this.#body.clips.find(({ name }) => name === this.settings.clip)!)
  }

  #dress(): DressedCharacter {
    const { artifact, bones, unit } = this.#body
    const margin = artifact.manifest.quality?.safetyMargin ?? 0
    const garment = this.#body.fit(this.settings.garment)
    return new DressedCharacter(artifact.character, bones, garment, this.#field(), { unit, margin })
  }

  #field(): BodyField | undefined {
    const { collision } = this.settings
    return collision === 'learned' ? this.#learned : collision === 'exact' ? this.#exact : undefined
  }

  #windNow(): [number, number, number] {
    const { wind, windFrom } = this.settings
    const [slow, fast] = GUST.rates.map((rate) => Math.sin(rate * this.#seconds))
    const speed = wind * (1 + GUST.share * (0.7 * slow + 0.3 * fast))
    return [-speed * Math.sin(windFrom), 0, -speed * Math.cos(windFrom)]
  }

  /** The learned field knows its error whether or not the cloth collides with it. */
  #ownError(): OwnError {
    const { learned, artifact } = this.#body
    if (this.settings.collision !== 'learned') learned.update(learned.skeleton.stateOf(this.#player.pose))
    return { expected: learned.expectedError / artifact.character.height, trusted: learned.trusted }
  }

  #look(): void {
    const { truth, artifact, unit } = this.#body
    const { cloth, obstacle } = this.#dressed
    const seen = obstacle.body
    obstacle.body = truth
    truth.update({ joints: this.#player.pose, matrices: obstacle.jointMatrices })
    const distances = new Float64Array(cloth.vertexCount)
    obstacle.field.query(cloth.positions, cloth.vertexCount, distances)
    obstacle.body = seen
    const height = unit * artifact.character.height
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
