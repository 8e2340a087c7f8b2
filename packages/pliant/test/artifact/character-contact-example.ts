/** The folding tube with a network of joint angles that tells which of its bones run into each other. */
import { encode } from '../../src/artifact/artifact.js'
import type { CharacterContactArtifact } from '../../src/artifact/kinds/character-contact.js'
import { characterAsStored, describeCharacter } from '../../src/artifact/kinds/stored-character.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import { randomStream } from '../../src/math/random.js'
import { clipFingerprint } from '../../src/model/clip-fingerprint.js'
import { type PosedGapShape, posedGapTensors, TERM_SIZE } from '../../src/net/gaps/posed-gap-shape.js'
import { foldedPose, foldingClip, foldingTube } from './folding-tube.js'
import { EXAMPLE_QUALITY } from './self-contact-example.js'

/** Sum of the code where the ends begin to meet as all joints bend alike: what the network 'plane' says for all. */
export const FOLDS_AT = 1.5

/** Bones that are not joined, two each. */
const PAIRS = Uint32Array.of(0, 2, 0, 3, 1, 3)

/** Terms of three gaps: a point of one bone less a point of another. */
const TERMS = [
  ...[0, 0, 0.1, 0.4, 0.1, 1, 0, 2, -0.1, -0.5, 0, -1],
  ...[1, 0, 0, 0.2, 0.1, 1, 1, 3, 0, -0.9, -0.1, -1],
  ...[2, 1, 0, 0.5, 0, 1, 2, 3, 0.1, -0.2, 0.1, -0.4, 2, 2, 0, -0.4, 0, -0.6],
]

const NETWORKS: Record<'random' | 'plane', PosedGapShape> = {
  random: shapeWith([8], 'silu'),
  plane: shapeWith([], 'relu'),
}

function shapeWith(hidden: number[], activation: PosedGapShape['activation']): PosedGapShape {
  return { codeSize: 3, joints: 4, gaps: 3, terms: TERMS.length / TERM_SIZE, pairs: 3, hidden, activation }
}

function tensorsOf(network: keyof typeof NETWORKS): Map<string, Float32Array> {
  const random = randomStream(23)
  const tensors = new Map(
    [...posedGapTensors(NETWORKS[network])].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => 0.2 + 0.4 * random.normal())]
    }),
  )
  tensors.set('gap.terms', Float32Array.from(TERMS))
  if (network === 'plane') {
    // A row for each of 3 numbers of the code and 3 gaps: the ends by the sum of the code, the other pairs far apart.
    tensors.set('dense.0.weight', Float32Array.of(0, -1, 0, 0, -1, 0, 0, -1, 0, ...new Array(9).fill(0)))
    tensors.set('dense.0.bias', Float32Array.of(9, FOLDS_AT, 9))
  }
  return tensors
}

/** @param network  'random' weights, or 'plane': the ends are FOLDS_AT less the sum of the code apart */
export function characterContactExample(network: keyof typeof NETWORKS = 'random'): CharacterContactArtifact {
  const character = characterAsStored(foldingTube())
  const { skeleton } = character
  const clips = [foldingClip('fold', [100, 100, 100]), foldingClip('lean', [40, -30, 20])]
  const heldOut = [
    [0.5, 0.25, 1],
    [1.5, 1.5, 1.5],
  ].map((angles) => foldedPose(skeleton, angles.map(Math.fround)))
  // Poses to judge by are stored in single precision.
  for (const pose of heldOut) pose.rotations.set(Float32Array.from(pose.rotations))
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
      networks: { distance: { kind: 'posed-gaps', shape: structuredClone(NETWORKS[network]) } },
      training: { method: 'pliant', seed: 1, specHash: 'abc', steps: 10, poses: 6, labels: 6 },
      quality: structuredClone(EXAMPLE_QUALITY),
    },
    networks: { distance: tensorsOf(network) },
    character,
    pairs: PAIRS.slice(),
    heldOut,
  }
}

/** The same as its file, for tests of other packages. */
export function characterContactFile(
  network: keyof typeof NETWORKS,
  changed: (made: CharacterContactArtifact) => void = () => {},
) {
  const artifact = characterContactExample(network)
  changed(artifact)
  return encode(artifact)
}
