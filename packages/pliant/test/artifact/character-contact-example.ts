/** The folding tube with a network of joint angles that tells which of its bones run into each other. */
import { encode } from '../../src/artifact/artifact.js'
import type { CharacterContactArtifact } from '../../src/artifact/kinds/character-contact.js'
import { characterAsStored, describeCharacter } from '../../src/artifact/kinds/stored-character.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import { randomStream } from '../../src/math/random.js'
import { clipFingerprint } from '../../src/model/clip-fingerprint.js'
import type { CollisionStateShape } from '../../src/net/collision-state/collision-state-shape.js'
import { type PosedGapShape, posedGapTensors } from '../../src/net/gaps/posed-gap-shape.js'
import { randomStateTensors } from '../net/collision-state/random-collision-state.js'
import { foldedPose, foldingClip, foldingTube, type TubeHanging } from './folding-tube.js'
import { EXAMPLE_QUALITY } from './self-contact-example.js'

/** Bones that are not joined, two each. */
const PAIRS = Uint32Array.of(0, 2, 0, 3, 1, 3)

/**
 * The end of the tube's last bone goes straight towards this place of its first one's space while all joints bend alike, and
 * passes through the bone where it is so far from it [m]: what the network 'ends' goes by.
 */
const AHEAD = [0, 1, -0.7]
export const MEETS_AT = Math.hypot(1, 0.7)

const SIZES = { codeSize: 3, frames: 4, pairs: 3, far: 9 }
const NETWORKS: Record<'random' | 'ends', PosedGapShape> = {
  random: { ...SIZES, places: 2, seen: 2, hidden: [8], activation: 'silu', perMetre: 2, softness: 0.3 },
  ends: { ...SIZES, places: 1, seen: 1, hidden: [], activation: 'relu', perMetre: 1, softness: 0.1 },
}

/** The paper's network: the root has nothing of its own. */
const STATE: CollisionStateShape = {
  codeSize: 3,
  domains: [[], [0], [1], [2]],
  encoder: [10, 8],
  state: 6,
  predictor: [5],
  classifier: [4],
  perLogit: 0.3,
  perDepth: 0.2,
  limit: 0.6,
  metres: 0.05,
}

function tensorsOf(network: keyof typeof NETWORKS): Map<string, Float32Array> {
  const random = randomStream(23)
  const { places } = NETWORKS[network]
  const placeOf = (bone: number): number[] => [
    bone,
    random.between(-0.1, 0.1),
    random.uniform(),
    random.between(-0.1, 0.1),
  ]
  const tensors = new Map(
    [...posedGapTensors(NETWORKS[network])].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => 0.2 + 0.4 * random.normal())]
    }),
  )
  const ofParts = [...PAIRS].map((bone) => Array.from({ length: places }, () => placeOf(bone)))
  tensors.set('pair.places', Float32Array.from(ofParts.flat(2)))
  tensors.set('pair.middles', Float32Array.from(ofParts.flatMap(([first]) => first)))
  // All are near.
  tensors.set('pair.far', new Float32Array(3).fill(1e6))
  if (network === 'ends') {
    tensors.get('pair.places')!.set([0, ...AHEAD, 3, 0, 1, 0], 8)
    tensors.set('gap.radius', Float32Array.of(0, MEETS_AT, 0))
    tensors.set('pair.0.weight', new Float32Array(3 * 6))
    tensors.set('pair.0.bias', Float32Array.of(9, 0, 9))
  }
  return tensors
}

/**
 * @param network  'random' weights, or 'ends': way to AHEAD less MEETS_AT of the ends, other pairs far apart; or 'state': random
 *   weights of the paper's network
 */
export function characterContactExample(
  network: keyof typeof NETWORKS | 'state' = 'random',
  hanging: TubeHanging = 'chain',
): CharacterContactArtifact {
  const character = characterAsStored(foldingTube(hanging))
  const { skeleton } = character
  const clips = [foldingClip('fold', [100, 100, 100]), foldingClip('lean', [40, -30, 20])]
  const heldOut = [
    [0.5, 0.25, 1],
    [1.5, 1.5, 1.5],
  ].map((angles) => {
    if (hanging === 'chain') return foldedPose(skeleton, angles.map(Math.fround))
    const pose = skeleton.createPose()
    character.code.decode(
      angles.map((angle) => angle / Math.PI),
      pose,
    )
    return pose
  })
  // Poses to judge by are stored in single precision.
  for (const { rotations, translations } of heldOut) {
    rotations.set(Float32Array.from(rotations))
    translations.set(Float32Array.from(translations))
  }
  return {
    kind: 'character-contact',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'self-distance',
      name: 'tube',
      code: {
        size: 3,
        names: ['first x', 'second x', 'third x'],
        lower: [-1, -1, -1],
        upper: [1, 1, 1],
        how: 'angles about x over pi',
      },
      model: {
        kind: 'character-contact',
        ...describeCharacter(character),
        clips: clips.map((clip) => ({ name: clip.name, fingerprint: clipFingerprint(skeleton, clip) })),
        heldOut: { poses: 2, clips: ['lean'] },
        neighbours: { along: 0.05, near: 0.005 },
        metres: 0.8,
      },
      networks: {
        distance:
          network === 'state'
            ? { kind: 'collision-state', shape: structuredClone(STATE) }
            : { kind: 'posed-gaps', shape: structuredClone(NETWORKS[network]) },
      },
      training: {
        method: network === 'state' ? 'paper' : 'pliant',
        seed: 1,
        specHash: 'abc',
        steps: 10,
        poses: 6,
        labels: 6,
      },
      quality: structuredClone(EXAMPLE_QUALITY),
    },
    networks: { distance: network === 'state' ? randomStateTensors(STATE, 24) : tensorsOf(network) },
    character,
    pairs: network === 'state' ? new Uint32Array(0) : PAIRS.slice(),
    heldOut,
  }
}

/** The same as its file, for tests of other packages. */
export function characterContactFile(
  network: keyof typeof NETWORKS | 'state',
  changed: (made: CharacterContactArtifact) => void = () => {},
  hanging: TubeHanging = 'chain',
) {
  const artifact = characterContactExample(network, hanging)
  changed(artifact)
  return encode(artifact)
}
