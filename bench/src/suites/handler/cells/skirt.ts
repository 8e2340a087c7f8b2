/** Shapes of a skirt: our own cloth on a body in motion, in calm air and in gusts, seen from the body. */
import { readFile } from 'node:fs/promises'
import { type LoadedCharacterContact, loadSubject, readSpec } from '@pliant/train/unstable'
import { decode } from 'pliant'
import type { Clip } from 'pliant/character'
import { fitGarment } from 'pliant/sim'
import { characterFields, DressedScene } from 'pliant/unstable/blocks'

export interface SkirtOptions {
  /** How many shapes, the garment at rest among them. */
  shapes?: number
  /** Factor on the number of vertices along and across, 1: 800 of them. */
  detail?: number
}
/** The paper has 201 shapes of 2,830 vertices; these are 1,800. */
export const SKIRT_DEFAULTS = { shapes: 400, detail: 1.5 } as const

const FRAME = 1 / 60
/** Before the first shape of a clip: the body comes into motion. */
const BEFORE = 60
/** Frames from one shape to the next. */
const APART = 6
/** [m/s]; more lifts it over the hips. */
const WINDS = [0, 6] as const

/**
 * @param humanoid  a trained character, which the cloth collides with
 * @returns shapes in the frame of its root [m], the garment as it was cut first
 */
export async function bakeSkirt(
  humanoid: string,
  options: SkirtOptions = {},
): Promise<{ shapes: Float32Array[]; triangles: Uint32Array }> {
  const { shapes: count, detail } = { ...SKIRT_DEFAULTS, ...options }
  const artifact = await decode(new Uint8Array(await readFile(humanoid)), 'character')
  const { character, manifest } = artifact
  const network = manifest.networks.distance
  if (network.kind !== 'bones')
    throw new Error(`skirt: ${humanoid} holds the paper's network; pass one in bone frames.`)
  const clips = await humanoidClips()
  const fields = await characterFields(artifact)
  try {
    const garment = fitGarment(character, fields.exact, 'skirt', { detail })
    const shapes = [Float32Array.from(garment.mesh.positions)]
    const runs = WINDS.flatMap((wind) => clips.map((clip) => ({ wind, clip })))
    for (const [i, { wind, clip }] of runs.entries()) {
      const body = { character, bones: network.shape.bones }
      const scene = new DressedScene(body, garment, fields.learned, { margin: manifest.quality?.safetyMargin })
      scene.wind = { speed: wind, from: 0 }
      scene.play(clip)
      for (let frame = 0; frame < BEFORE; frame++) scene.step(FRAME)
      const until = Math.round(1 + ((count - 1) * (i + 1)) / runs.length)
      while (shapes.length < until) {
        for (let frame = 0; frame < APART; frame++) scene.step(FRAME)
        const shape = new Float32Array(shapes[0].length)
        scene.clothInRoot(shape)
        shapes.push(shape)
      }
    }
    return { shapes, triangles: Uint32Array.from(garment.mesh.triangles) }
  } finally {
    fields.dispose()
  }
}

async function humanoidClips(): Promise<readonly Clip[]> {
  const spec = readSpec(JSON.stringify({ model: { rig: 'humanoid' }, learn: 'self-contact' }))
  const { clips, heldOut } = (await loadSubject(spec)) as LoadedCharacterContact
  return [...clips, ...heldOut]
}
