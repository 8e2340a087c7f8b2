/** A dressed character for many minutes at high speed, by the learned field: does anything stop being a number? */
import { type CharacterArtifact, type Clip, isWholeBody, loadCharacter } from 'pliant/character'
import { ClipPlayer, clothEnergy, DressedCharacter, fitGarment, type GarmentKind } from 'pliant/sim'

export interface EnduranceOptions {
  garment?: GarmentKind
  /** Simulated time. */
  minutes?: number
  /** Clip seconds per second. */
  speed?: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}
export const ENDURANCE_DEFAULTS = { garment: 'skirt', minutes: 10, speed: 4 } as const

export interface EnduranceResult {
  minutes: number
  speed: number
  frames: number
  /** Frames with a position or velocity that is not finite. */
  notFiniteFrames: number
  /** Largest kinetic and elastic energy [J]. */
  maxEnergy: number
}

const FRAME = 1 / 60

export async function endureDrape(
  artifact: CharacterArtifact,
  clip: Clip,
  options: EnduranceOptions = {},
): Promise<EnduranceResult> {
  const { garment: kind, minutes, speed } = { ...ENDURANCE_DEFAULTS, ...options }
  const { character, manifest } = artifact
  const { network } = manifest
  if (isWholeBody(network)) throw new Error("drape: the file holds the paper's network; pass one in bone frames.")
  const field = await loadCharacter(artifact)
  const garment = fitGarment(character, field, kind)
  const margin = manifest.quality?.safetyMargin
  const dressed = new DressedCharacter(character, network.bones, garment, field, { margin })
  const player = new ClipPlayer(character.skeleton)
  player.play(clip)
  player.speed = speed
  const frames = Math.round((60 * minutes) / FRAME)
  let notFiniteFrames = 0
  let maxEnergy = 0
  for (let frame = 0; frame < frames; frame++) {
    player.advance(FRAME)
    dressed.step(FRAME, player.pose, player.rootFrame)
    // Not finite as soon as one position or velocity is not.
    const { kinetic, stretch, bend } = clothEnergy(dressed.cloth)
    const energy = kinetic + stretch + bend
    if (!Number.isFinite(energy)) notFiniteFrames++
    else maxEnergy = Math.max(maxEnergy, energy)
    if (frame % 100 === 0) {
      options.signal?.throwIfAborted()
      options.onProgress?.(frame / frames)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  field.dispose()
  return { minutes, speed, frames, notFiniteFrames, maxEnergy }
}
