/**
 * Ways to answer queries about a character in a new pose: any field that follows a skeleton, the paper's network in
 * onnxruntime, and a tree of triangles that are skinned and refitted; three-answers.ts has those that three-mesh-bvh
 * brings for a SkinnedMesh. All give signed distance and normal, in the root frame.
 *
 * The fair rival is typed-array skinning into the tree's own positions, refit, and then as tree-answers.ts asks.
 */
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { createOrtNetwork } from 'pliant/ort'
import type { BodyField } from 'pliant/sim'
import { BufferAttribute, BufferGeometry } from 'three'
import { MeshBVH } from 'three-mesh-bvh'
import { networkOnnx } from '../../networks/network-onnx.js'
import { type Answers, askTree } from '../../queries/tree-answers.js'
import type { PaperSubject } from './subject.js'

/** One frame: a new pose, then queries. */
export interface AnswerFrame {
  pose: SkeletonPose
  /** xyz triples [m]. */
  points: Float32Array
}

/** Follows the pose and answers all of the frame's points. */
export type Answer = (frame: AnswerFrame, out: Answers) => Promise<void> | void

export function answerByField({ skeleton }: SkinnedCharacter, field: BodyField): Answer {
  const matrices = new Float64Array(16 * skeleton.jointCount)
  return ({ pose, points }, { distances, normals }) => {
    skeleton.matrices(pose, matrices)
    field.update({ joints: pose, matrices })
    field.query(points, points.length / 3, distances, normals)
  }
}

/** The paper's network of a character in onnxruntime, which is faster than our kernels at its 8 x 128. */
export async function answerByPaperOnnx(
  character: SkinnedCharacter,
  { network: { shape, normalisation }, tensors }: Pick<PaperSubject, 'network' | 'tensors'>,
): Promise<{ answer: Answer; dispose(): Promise<void> }> {
  const network = await createOrtNetwork(networkOnnx(shape, tensors, true))
  const code = new Float64Array(character.codeSize)
  const { centre, scale } = normalisation
  let local = new Float32Array(0)
  return {
    async answer({ pose, points }, { distances, normals }) {
      const count = points.length / 3
      if (local.length < points.length) local = new Float32Array(points.length)
      for (let i = 0; i < points.length; i++) local[i] = (points[i] - centre[i % 3]) / scale
      character.encodePose(pose, code)
      await network.query(local, count, code, distances, normals)
      for (let i = 0; i < count; i++) distances[i] *= scale
    },
    dispose: () => network.dispose(),
  }
}

/** @param reach  where the search stops [m] */
export function answerByTree(character: SkinnedCharacter, reach?: number): Answer {
  const geometry = new BufferGeometry()
  const vertices = new Float32Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, vertices)
  geometry.setAttribute('position', new BufferAttribute(vertices, 3))
  geometry.setIndex(new BufferAttribute(character.triangles.slice(), 1))
  const bvh = new MeshBVH(geometry)
  return ({ pose, points }, out) => {
    character.positionsOfPose(pose, vertices)
    bvh.refit()
    askTree(bvh, points, out, reach)
  }
}
