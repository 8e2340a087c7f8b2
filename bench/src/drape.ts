/**
 * A dressed character over a clip, by each field in turn: how deep the cloth gets into the exact body, for how long, what
 * a frame costs, and whether the cloth's energy stays within what gravity and the body's motion can give it.
 */
import { rigidRivals } from '@pliant/train'
import { type CharacterArtifact, type Clip, isWholeBody, loadCharacter, type SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { type BodyField, ClipPlayer, type DressOptions, exactField, fitGarment, type GarmentKind } from 'pliant/sim'
import { DrapeRun, type DrapeRunResult } from './drape-run.js'

export type DrapeMethod = 'learned' | 'exact' | 'boneGrids' | 'capsules' | 'none'

export interface DrapeOptions {
  garment?: GarmentKind
  /** How long [s], after a second in which the clip fades in. */
  seconds?: number
  /** Clip seconds per second. */
  speed?: number
  methods?: readonly DrapeMethod[]
  /** Options of the cloth; the learned field's own margin is added to its thickness. */
  cloth?: DressOptions
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}
export const DRAPE_DEFAULTS = {
  garment: 'skirt',
  seconds: 20,
  speed: 1,
  methods: ['learned', 'exact', 'boneGrids', 'capsules'],
} as const

export interface DrapeResult {
  character: string
  clip: string
  garment: GarmentKind
  /** [m] */
  height: number
  bodyTriangles: number
  clothVertices: number
  clothTriangles: number
  frames: number
  speed: number
  methods: Partial<Record<DrapeMethod, DrapeRunResult>>
}

const FRAME = 1 / 60

/** All methods wear the same garment, cut to the exact body, and each frame is judged by the exact body at its end. */
export async function measureDrape(
  artifact: CharacterArtifact,
  clip: Clip,
  options: DrapeOptions = {},
): Promise<DrapeResult> {
  const { garment: kind, seconds, speed, methods } = { ...DRAPE_DEFAULTS, ...options }
  const { character, manifest } = artifact
  const { network } = manifest
  if (isWholeBody(network)) throw new Error("drape: the file holds the paper's network; pass one in bone frames.")
  const garment = fitGarment(character, exactField(character, meshOf(character)), kind)
  const learned = await loadCharacter(artifact)
  const { boneGrids, capsules } = rigidRivals(character, network.bones)
  const exact = exactField(character, meshOf(character))
  const fields: Record<DrapeMethod, BodyField | undefined> = { learned, exact, boneGrids, capsules, none: undefined }
  const runs = methods.map((method) => {
    const margin = method === 'learned' ? (manifest.quality?.safetyMargin ?? 0) : 0
    return new DrapeRun(character, network.bones, garment, fields[method], { margin, ...options.cloth })
  })
  const truth = meshOf(character)
  const positions = new Float64Array(3 * character.vertexCount)
  const player = new ClipPlayer(character.skeleton)
  player.play(clip)
  player.speed = speed
  const frames = Math.round(seconds / FRAME)
  for (let frame = -Math.round(1 / FRAME); frame < frames; frame++) {
    options.signal?.throwIfAborted()
    player.advance(FRAME)
    character.positionsOfPose(player.pose, positions)
    truth.update(positions)
    for (const run of runs) run.step(FRAME, player, frame >= 0 ? truth : undefined)
    if (frame % 10 === 0) {
      options.onProgress?.(Math.max(0, frame / frames))
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  learned.dispose()
  return {
    character: manifest.name,
    clip: clip.name,
    garment: kind,
    height: character.height,
    bodyTriangles: character.triangles.length / 3,
    clothVertices: garment.mesh.positions.length / 3,
    clothTriangles: garment.mesh.triangles.length / 3,
    frames,
    speed,
    methods: Object.fromEntries(methods.map((method, i) => [method, runs[i].result()])),
  }
}

/** The character's triangles at rest. */
function meshOf(character: SkinnedCharacter): ExactMeshField {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  return new ExactMeshField({ positions, triangles: character.triangles })
}
