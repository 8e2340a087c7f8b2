/**
 * A model's own triangles as a field that follows what moves the model: joints of a character, nodes of an elastic body,
 * or the rigid motion of one that is stiff. What learned fields are measured against, and what answers in their stead.
 */
import { followingField } from '../field/following.js'
import type { MovingField, NodeState, SignedField, VertexState } from '../field/signed-field.js'
import { TransformedField } from '../field/transformed.js'
import { requireItems, requireState } from '../math/require.js'
import { gatherVertices } from '../mesh/gather-vertices.js'
import type { TetSurface } from '../mesh/tet-mesh.js'
import { RigidAlignment } from './rigid-alignment.js'
import type { SkeletonPose } from './skeleton.js'
import type { SkinnedCharacter } from './skinned-character.js'

/**
 * A character in the root frame.
 * @param mesh  an `ExactMeshField` of the character's triangles, in any pose
 */
export function skinnedMeshField(
  character: Pick<SkinnedCharacter, 'positionsOfPose' | 'vertexCount'>,
  mesh: MovingField<VertexState>,
): MovingField<{ joints: SkeletonPose }> {
  const vertices = new Float64Array(3 * character.vertexCount)
  return followingField(mesh, (state) => {
    requireState('update', state, 'joints')
    character.positionsOfPose(state.joints, vertices)
    return { vertices }
  })
}

/**
 * An elastic body in the world.
 * @param surface    of the tetrahedra
 * @param nodeCount  of all nodes
 * @param mesh       an `ExactMeshField` of `surface`
 */
export function nodesMeshField(
  { nodeOfVertex }: Pick<TetSurface, 'nodeOfVertex'>,
  nodeCount: number,
  mesh: MovingField<VertexState>,
): MovingField<NodeState> {
  const vertices = new Float64Array(3 * nodeOfVertex.length)
  return followingField(mesh, (state) => {
    requireState('update', state, 'nodes')
    requireItems('update', state.nodes, 'node', nodeCount, 3)
    gatherVertices(state.nodes, nodeOfVertex, vertices)
    return { vertices }
  })
}

/**
 * A shape of the rest frame carried by an elastic body's rigid motion: right for a tool that is stiff.
 * @param rest  rest positions [m] of all nodes, and `masses` [kg] of them
 */
export function rigidNodesField(field: SignedField, rest: Float64Array, masses: Float64Array): MovingField<NodeState> {
  const alignment = new RigidAlignment(rest, masses)
  const frame = new Float64Array(16)
  return followingField(new TransformedField(field), (state) => {
    requireState('update', state, 'nodes')
    requireItems('update', state.nodes, 'node', masses.length, 3)
    alignment.align(state.nodes, frame)
    return { frame }
  })
}
