/** A character as three.js has it, for rivals that skin by three.js. */
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { Bone, BufferAttribute, BufferGeometry, Matrix4, Skeleton, SkinnedMesh } from 'three'

/** Four influences a vertex at most. */
export function skinnedMesh({ surface, vertexCount }: SkinnedCharacter): SkinnedMesh {
  const geometry = new BufferGeometry()
  const bones = new Uint16Array(4 * vertexCount)
  const weights = new Float32Array(4 * vertexCount)
  for (let v = 0; v < vertexCount; v++) {
    const first = surface.influenceStarts[v]
    // The heaviest come first.
    const count = Math.min(4, surface.influenceStarts[v + 1] - first)
    let sum = 0
    for (let k = 0; k < count; k++) sum += surface.influenceWeights[first + k]
    for (let k = 0; k < count; k++) {
      bones[4 * v + k] = surface.influenceBones[first + k]
      weights[4 * v + k] = surface.influenceWeights[first + k] / sum
    }
  }
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(surface.bound), 3))
  geometry.setAttribute('skinIndex', new BufferAttribute(bones, 4))
  geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4))
  geometry.setIndex(new BufferAttribute(surface.triangles.slice(), 1))
  const inverses = Array.from(surface.bones.joints, (_, b) =>
    new Matrix4().fromArray(surface.bones.inverseBind, 16 * b),
  )
  const mesh = new SkinnedMesh(geometry)
  mesh.bind(
    new Skeleton(
      inverses.map(() => new Bone()),
      inverses,
    ),
    new Matrix4(),
  )
  return mesh
}

/** Carries a pose over to the mesh's bones; what reads `boneMatrices` must update the skeleton after it. */
export function boneFollower({ skeleton, surface }: SkinnedCharacter, mesh: SkinnedMesh): (pose: SkeletonPose) => void {
  const matrices = new Float64Array(16 * skeleton.jointCount)
  return (pose) => {
    skeleton.matrices(pose, matrices)
    mesh.skeleton.bones.forEach((bone, b) => {
      bone.matrixWorld.fromArray(matrices, 16 * surface.bones.joints[b])
    })
  }
}
