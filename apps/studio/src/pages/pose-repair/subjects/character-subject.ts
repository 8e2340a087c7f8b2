/** A rigged character by its joint angles: its parts are its bones, and clips move it. */
import { load } from 'pliant'
import { type CharacterContactArtifact, characterShape, type SkinnedCharacter } from 'pliant/character'
import { weightsOfCode } from 'pliant/unstable'
import { posedSelfContact } from 'pliant/unstable/exact'
import { heldOutMotion } from './held-out-motion.js'
import { nearParts } from './near-parts.js'
import type { CodeEntry, MotionFile, PoseSubject } from './pose-subject.js'
import { namedApart, readCharacterMotions } from './read-motions.js'

/** [m]: clearances are learned within some centimetres. */
const GLOW = 0.025
const MARGIN = 0.01

export async function openCharacter(
  artifact: CharacterContactArtifact,
  files: readonly MotionFile[],
): Promise<PoseSubject> {
  const { manifest, character, heldOut } = artifact
  const { skeleton, surface } = character
  const motions = namedApart([
    ...files.flatMap((file) => readCharacterMotions(character, file)),
    ...(heldOut.length > 1 ? [heldOutMotion(character, heldOut)] : []),
  ])
  const shape = characterShape(character, manifest.model.neighbours)
  const { test } = posedSelfContact(shape)
  const field = await load(artifact)
  const { ofTriangle } = shape.parts
  return {
    name: manifest.name,
    backend: field.backend,
    quality: manifest.quality,
    shape,
    entries: entriesOf(character),
    parts: { ofTriangle, groups: groupsOfBones(character) },
    field,
    near: nearParts(field, (bone) => skeleton.names[surface.bones.joints[bone]], { glow: GLOW, margin: MARGIN }),
    exact: test,
    weights: weightsOfCode(character),
    motions,
    dispose: () => field.dispose(),
  }
}

const AXES = ['turn x', 'turn y', 'turn z', 'slide x', 'slide y', 'slide z']

function entriesOf({ code, skeleton, height }: SkinnedCharacter): CodeEntry[] {
  return Array.from(code.joints, (joint, entry) => {
    const axis = code.axes[entry]
    return {
      name: AXES[axis],
      group: skeleton.names[joint],
      // A turn of 1 is half a turn, a slide of 1 the height of the body.
      readAs:
        axis < 3
          ? { factor: 180, unit: '\u00b0', decimals: 0 }
          : { factor: 100 * height, unit: '\u202fcm', decimals: 1 },
    }
  })
}

/** Of each bone its own joint, or the next one above it that the code moves; the first of the code if there is none. */
function groupsOfBones({ code, skeleton, surface }: SkinnedCharacter): string[] {
  const moved = new Set(code.joints)
  return Array.from(surface.bones.joints, (bone) => {
    let joint = bone
    while (joint >= 0 && !moved.has(joint)) joint = code.carried.parents[joint]
    return skeleton.names[joint >= 0 ? joint : code.joints[0]]
  })
}
