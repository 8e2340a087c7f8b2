/** Ten minutes of a garment on a character whose clip is played fast: whether anything ever stops being a number. */
import type { CharacterArtifact, CharacterField, Clip } from 'pliant/character'
import { type BodyBone, fitGarment, type GarmentKind, type LimbEnds } from 'pliant/sim'
import type { OnProgress } from 'pliant/unstable'
import { DressedScene } from 'pliant/unstable/blocks'

export interface EnduranceResult {
  /** Simulated [s], and clip seconds per second. */
  seconds: number
  speed: number
  /** Coordinates that were not finite, over all frames. */
  notFinite: number
  /** Largest speed of a vertex [m/s]. */
  maxSpeed: number
}

export interface EnduranceOptions {
  garment: GarmentKind
  /** Hands and feet, where the joints' names do not tell. */
  joints?: LimbEnds
  seconds: number
  signal?: AbortSignal
  onProgress?: OnProgress
}

const FRAME = 1 / 60
const SPEED = 4

export async function measureEndurance(
  { character, manifest }: CharacterArtifact,
  bones: readonly BodyBone[],
  field: CharacterField,
  clip: Clip,
  { garment, joints, seconds, signal, onProgress }: EnduranceOptions,
): Promise<EnduranceResult> {
  const margin = manifest.quality?.safetyMargin
  const worn = fitGarment(character, field, garment, { joints })
  const scene = new DressedScene({ character, bones }, worn, field, { margin })
  scene.play(clip)
  scene.player.speed = SPEED
  const { positions, velocities } = scene.cloth
  const frames = Math.round(seconds / FRAME)
  let notFinite = 0
  let fastest = 0
  for (let frame = 0; frame < frames; frame++) {
    scene.step(FRAME)
    for (let i = 0; i < positions.length; i += 3) {
      if (!Number.isFinite(positions[i] + positions[i + 1] + positions[i + 2])) notFinite++
      fastest = Math.max(fastest, velocities[i] ** 2 + velocities[i + 1] ** 2 + velocities[i + 2] ** 2)
    }
    if (frame % 60 === 0) {
      signal?.throwIfAborted()
      onProgress?.({ fraction: frame / frames, stage: 'endurance' })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  return { seconds, speed: SPEED, notFinite, maxSpeed: Math.sqrt(fastest) }
}
