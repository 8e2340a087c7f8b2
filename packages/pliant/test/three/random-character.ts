/** A character with a network of random weights in bone frames: everything about it is real but what it learned. */
import type { CharacterArtifact } from '../../src/artifact/kinds/character.js'
import { FORMAT_VERSION } from '../../src/artifact/manifest.js'
import { readGltf } from '../../src/files/gltf.js'
import { type RigOptions, rigFromScene } from '../../src/model/rig.js'
import { createCharacter } from '../../src/model/skinned-character.js'
import { randomBoneShape, randomBoneTensors } from '../net/bones/random-bones.js'

/** @param glb  a rig with clips */
export function randomCharacter(glb: Uint8Array, seed: number, options: RigOptions = {}): CharacterArtifact {
  const rig = rigFromScene(readGltf(glb), options)
  const character = createCharacter(rig)
  const { skeleton, surface, code, height } = character
  const joints = [...skeleton.names.keys()].filter((joint) => skeleton.belowRoot[joint] === 1)
  const shape = randomBoneShape(seed, { boneCount: joints.length, scale: height, fade: 0.1 * height })
  const grow = (values: readonly number[]) => values.map((value) => value * height) as [number, number, number]
  shape.bones.forEach((bone, b) => {
    Object.assign(bone, { name: skeleton.names[joints[b]], joint: joints[b], drivers: [joints[b]] })
    Object.assign(bone, {
      centre: grow(bone.centre),
      half: grow(bone.half),
      start: grow(bone.start),
      end: grow(bone.end),
    })
    bone.radius = height * (0.01 + bone.radius)
  })
  const { lower, upper } = code.bounds
  return {
    kind: 'character',
    character,
    networks: { distance: randomBoneTensors(shape, seed) },
    heldOut: [],
    manifest: {
      format: FORMAT_VERSION,
      kind: 'signed-distance',
      name: 'random',
      code: {
        size: code.size,
        names: Array.from({ length: code.size }, (_, i) => `entry ${i}`),
        lower: [...lower],
        upper: [...upper],
        how: 'as the clips move it',
      },
      model: {
        kind: 'character',
        height,
        skeleton: { names: [...skeleton.names], root: skeleton.root },
        largestAngle: code.largestAngle,
        clips: [],
        heldOut: { poses: 0, clips: [] },
        surface: {
          vertices: character.vertexCount,
          triangles: surface.triangles.length / 3,
          influences: surface.influenceBones.length,
          bones: surface.bones.joints.length,
          skinning: 'linear',
          made: 'as given',
          meanDeviation: 0,
          maxDeviation: 0,
        },
      },
      truncation: 0.1 * height,
      networks: { distance: { kind: 'bones', shape } },
      training: { method: 'pliant', seed, specHash: 'none', steps: 0, poses: 0, labels: 0 },
      quality: null,
    },
  }
}
