/**
 * A body that deforms, ready to meet others: its surface where it is now, and a field of the same shape, kept in step
 * by one `update`. What `Solid` is to a body that keeps its shape; its points are the vertices, which go where the
 * surface goes.
 */
import type { CodeState, MovingField, NodeState, SignedField } from '../../field/signed-field.js'
import type { Floats } from '../../math/floats.js'
import { requireItems, requireState } from '../../math/require.js'
import { gatherVertices } from '../../mesh/gather-vertices.js'
import type { TetSurface } from '../../mesh/tet-mesh.js'
import type { ReducedModel } from '../../model/reduced-model.js'

/** A surface that deforms and the field of what is inside it, both in one frame. */
export interface DeformingBody {
  /** Learned or exact, of the shape that the surface has now. */
  readonly field: SignedField
  /** Vertex numbers, three per triangle, outward by the right-hand rule. */
  readonly triangles: Uint32Array
  /** Where the vertices are now [m], xyz triples. */
  readonly positions: Floats
}

/** A body that deforms and takes its new shape by one call. */
export interface MovingBody<State> extends DeformingBody {
  /** Takes a new shape, for surface and field alike. @throws what the field throws for such a state */
  update(state: State): void
}

/**
 * A body that a code shapes, as a character, a bar of a few modes or a soft body, in the frame of its model: at the
 * code of zeros until it is updated.
 * @param model  from its code to its vertices, as `Artifact.model`
 * @param field  takes the same codes
 */
export function bodyOfCode(
  model: Pick<ReducedModel, 'codeSize' | 'vertexCount' | 'triangles' | 'positions'>,
  field: MovingField<CodeState>,
): MovingBody<CodeState> {
  const positions = new Float64Array(3 * model.vertexCount)
  const update = (state: CodeState): void => {
    requireState('update', state, 'code')
    field.update(state)
    model.positions(state.code, positions)
  }
  update({ code: new Float64Array(model.codeSize) })
  return { field, triangles: model.triangles, positions, update }
}

/**
 * A body of tetrahedra whose nodes somebody moves, in the world; at rest until it is updated.
 * @param surface    of the tetrahedra at rest, as `FemBody.surface`
 * @param restNodes  where all nodes are at rest [m], xyz triples
 */
export function bodyOfNodes(
  surface: Pick<TetSurface, 'nodeOfVertex' | 'triangles'>,
  restNodes: Floats,
  field: MovingField<NodeState>,
): MovingBody<NodeState> {
  const nodeCount = restNodes.length / 3
  const positions = new Float64Array(3 * surface.nodeOfVertex.length)
  const update = (state: NodeState): void => {
    requireState('update', state, 'nodes')
    requireItems('update', state.nodes, 'node', nodeCount, 3)
    field.update(state)
    gatherVertices(state.nodes, surface.nodeOfVertex, positions)
  }
  update({ nodes: restNodes })
  return { field, triangles: surface.triangles, positions, update }
}
