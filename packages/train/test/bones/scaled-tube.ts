/** The bending tube as a rig in any unit, with scales on armature, root and joints that leave its motion as it is. */

import { type Rig, rigFromScene } from 'pliant/character'
import { invertAffine, type RigSource } from 'pliant/unstable'
import { tubeCharacter } from './tube-character.js'

type Scale = readonly [number, number, number]

export interface ScaledTube {
  /** Size in the world: 1 for the tube in metres. */
  world?: number
  /** Size of the bound vertices in the file. */
  bound?: number
  /** Of the armature, then of the three joints. Uneven ones: x and y alike, so that bending about z is left alone. */
  scales?: readonly [Scale, Scale, Scale, Scale]
}

const ONE: Scale = [1, 1, 1]
export const even = (scale: number): Scale => [scale, scale, scale]

/** Its clips bend it about z; that is the motion that uneven scales do not change. */
export function scaledTube({ world = 1, bound = 1, scales = [ONE, ONE, ONE, ONE] }: ScaledTube = {}): Rig {
  const { character, train } = tubeCharacter({ rings: 12, around: 8 })
  const { surface, vertexCount } = character
  const names = ['Armature', 'root', 'middle', 'tip']
  // Where each node's axes have come to in the world, all of them unturned at rest.
  const axes = scales.map((_, node) =>
    [0, 1, 2].map((axis) => scales.slice(0, node + 1).reduce((product, scale) => product * scale[axis], 1)),
  )
  const nodes = names.map((name, node) => {
    const height = Math.max(0, node - 1)
    const rise = node < 2 ? 0 : world / axes[node - 1][1]
    const worldMatrix = Float64Array.of(axes[node][0], 0, 0, 0, 0, axes[node][1], 0, 0, 0, 0, axes[node][2], 0)
    return {
      name,
      parent: node - 1,
      localMatrix: new Float64Array(16),
      worldMatrix: Float64Array.of(...worldMatrix, 0, world * height, 0, 1),
      parts: { translation: [0, rise, 0], rotation: [0, 0, 0, 1], scale: [...scales[node]] },
    }
  })
  const inverseBindMatrices = new Float64Array(48)
  for (let joint = 0; joint < 3; joint++) {
    const at = 16 * joint
    invertAffine(nodes[joint + 1].worldMatrix, 0, inverseBindMatrices, at)
    for (let i = at; i < at + 12; i++) inverseBindMatrices[i] *= world / bound
  }
  const joints = new Uint16Array(4 * vertexCount)
  const weights = new Float32Array(4 * vertexCount)
  for (let v = 0; v < vertexCount; v++) {
    for (let i = surface.influenceStarts[v]; i < surface.influenceStarts[v + 1]; i++) {
      joints[4 * v + i - surface.influenceStarts[v]] = surface.influenceBones[i]
      weights[4 * v + i - surface.influenceStarts[v]] = surface.influenceWeights[i]
    }
  }
  const scene: RigSource = {
    nodes,
    skins: [{ joints: [1, 2, 3], inverseBindMatrices }],
    meshes: [
      {
        name: 'body',
        node: 0,
        skin: 0,
        positions: surface.bound.map((value) => bound * value),
        triangles: surface.triangles,
        influences: 4,
        joints,
        weights,
        morphTargets: [],
        morphWeights: [],
      },
    ],
    animations: [
      {
        name: 'bend',
        duration: 1,
        channels: train[1].tracks.map(({ target, size, ...track }) => ({
          ...track,
          node: target + 1,
          valuesPerKey: size,
        })),
      },
    ],
  }
  return rigFromScene(scene)
}
