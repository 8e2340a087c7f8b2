/** An opened character as the worker holds it: trained collider, clips, and every field that the cloth can be given. */
import { decode } from 'pliant'
import { type CharacterArtifact, type Clip, rigFromScene } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { type BodyBone, bodyLandmarks, fitGarment, type Garment, type GarmentKind, garmentKinds } from 'pliant/sim'
import { type CharacterFields, characterFields, exactCharacter } from 'pliant/unstable/blocks'

/** A character taller than this [units] was made in centimetres. */
const TALLEST_IN_METRES = 20

export interface WornBody {
  readonly artifact: CharacterArtifact
  readonly fields: CharacterFields
  /** The exact body for judging: the same triangles as `fields.exact`, posed apart from it. */
  readonly truth: ReturnType<typeof exactCharacter>
  readonly bones: readonly BodyBone[]
  readonly clips: readonly Clip[]
  readonly garments: readonly GarmentKind[]
  /** Metres per unit of the character. */
  readonly unit: number
  fit(kind: GarmentKind): Garment
}

/**
 * @param collider bytes of the trained character
 * @param rig      bytes of a glTF file of the same skeleton, for its clips
 * @throws Error in one line if the two do not belong together, or nothing can be worn
 */
export async function openBody(collider: Uint8Array, rig: Uint8Array): Promise<WornBody> {
  const artifact = await decode(collider, 'character')
  const { character, manifest } = artifact
  const network = manifest.networks.distance
  if (network.kind !== 'bones') {
    throw new Error(`cloth: ${manifest.name} was trained by the paper's method; train it with the default one.`)
  }
  const { skeleton, clips } = rigFromScene(readGltf(rig))
  if (skeleton.names.join() !== character.skeleton.names.join()) {
    throw new Error(`cloth: the rig's joints are not those that ${manifest.name} was trained on; open both again.`)
  }
  if (clips.length === 0) throw new Error('cloth: the rig has no clips; export it with its animations.')
  const garments = garmentKinds(bodyLandmarks(character.skeleton))
  if (garments.length === 0) {
    throw new Error("cloth: no arms and no two legs by the joints' names; name hands and feet in the rig.")
  }
  const fields = await characterFields(artifact)
  return {
    artifact,
    fields,
    truth: exactCharacter(character),
    bones: network.shape.bones,
    clips,
    garments,
    unit: character.height > TALLEST_IN_METRES ? 0.01 : 1,
    fit: (kind) => fitGarment(character, fields.learned, kind),
  }
}
