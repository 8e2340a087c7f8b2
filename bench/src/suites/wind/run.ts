/**
 * A dressed character in gusts from the front: how deep the garment gets into the exact body while they blow, and what is
 * left of that when they have stopped. Each clip, each wind and each field starts from rest.
 */
import { decode } from 'pliant'
import type { CharacterArtifact, Clip } from 'pliant/character'
import {
  type BodyBone,
  type BodyField,
  bodyLandmarks,
  ClipPlayer,
  fitGarment,
  type Garment,
  type GarmentKind,
  garmentKinds,
} from 'pliant/sim'
import { characterFields, exactCharacter } from 'pliant/unstable/blocks'
import type { DrapePenetration } from '../../drape/judge.js'
import { DrapeRun } from '../../drape/run.js'
import type { CharacterGiven } from '../../inputs/character.js'
import type { RunOptions } from '../../suite/suite.js'

export interface WindRow {
  clip: string
  field: 'learned' | 'exact'
  /** In the mean over the gusts [m/s]. */
  wind: number
  /** Before the gusts, while they blow, and from a second after them. */
  calm: DrapePenetration
  gusts: DrapePenetration
  after: DrapePenetration
}

export interface WindBenchResult {
  character: string
  garment: GarmentKind
  clothVertices: number
  /** Length of each stage [s]; the first half of `calm`, and `settling`, are not judged. */
  seconds: Stages
  rows: WindRow[]
}

interface Stages {
  calm: number
  gusts: number
  settling: number
  after: number
}

const FRAME = 1 / 60
/** The studio's slider ends at 15 m/s, and skirts went through the body from 12 on. */
const FULL = { winds: [12, 15], seconds: { calm: 2, gusts: 4, settling: 1, after: 1 } }
const QUICK = { winds: [15], seconds: { calm: 0.5, gusts: 1, settling: 0.5, after: 0.25 } }

export async function benchWind({
  artifact: bytes,
  clips: played = [],
  joints,
  quick,
  signal,
  onProgress,
}: RunOptions & CharacterGiven): Promise<WindBenchResult> {
  if (!bytes) throw new Error('bench wind: needs a trained character; pass one with --file.')
  const artifact = await decode(bytes, 'character')
  const { character, manifest } = artifact
  const network = manifest.networks.distance
  if (network.kind !== 'bones')
    throw new Error("bench wind: the file holds the paper's network; pass one in bone frames.")
  const [kind] = garmentKinds(bodyLandmarks(character.skeleton, joints))
  if (!kind) throw new Error('bench wind: no garment fits this body; name its hands and feet with --joints.')
  if (played.length === 0) throw new Error('bench wind: there is no motion to play; pass one with --motion.')
  const { winds, seconds } = quick ? QUICK : FULL
  const fields = await characterFields(artifact)
  const garment = fitGarment(character, fields.exact, kind, { joints })
  const rows: WindRow[] = []
  for (const clip of played) {
    for (const wind of winds) {
      for (const field of ['learned', 'exact'] as const) {
        onProgress?.({
          fraction: rows.length / (2 * winds.length * played.length),
          stage: 'wind',
          detail: `${clip.name}, ${wind} m/s, ${field}`,
        })
        const judged = await blow(artifact, network.shape.bones, garment, fields[field], clip, wind, seconds, signal)
        rows.push({ clip: clip.name, field, wind, ...judged })
      }
    }
  }
  fields.dispose()
  const clothVertices = garment.mesh.positions.length / 3
  return { character: manifest.name, garment: kind, clothVertices, seconds, rows }
}

/** Both fields wear the margin of the file, as in the studio. */
async function blow(
  { character, manifest }: CharacterArtifact,
  bones: readonly BodyBone[],
  garment: Garment,
  field: BodyField,
  clip: Clip,
  wind: number,
  seconds: Stages,
  signal?: AbortSignal,
): Promise<Pick<WindRow, 'calm' | 'gusts' | 'after'>> {
  const player = new ClipPlayer(character.skeleton)
  player.play(clip)
  const run = new DrapeRun({ character, bones }, garment, field, { margin: manifest.quality?.safetyMargin, player })
  const truth = exactCharacter(character)
  const stage = async (length: number, strength: number, isJudged: boolean): Promise<DrapePenetration> => {
    run.scene.wind = { speed: strength, from: 0 }
    for (let frame = 0; frame < Math.round(length / FRAME); frame++) {
      player.advance(FRAME)
      if (isJudged) truth.update({ joints: player.pose })
      run.step(FRAME, isJudged ? truth : undefined)
      if (frame % 10 > 0) continue
      signal?.throwIfAborted()
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    return run.takePenetration()
  }
  await stage(seconds.calm / 2, 0, false)
  const calm = await stage(seconds.calm / 2, 0, true)
  const gusts = await stage(seconds.gusts, wind, true)
  await stage(seconds.settling, 0, false)
  return { calm, gusts, after: await stage(seconds.after, 0, true) }
}
