/**
 * What contact asks of a body that moves: distance and normal in the world, after following the body's nodes once per
 * step. `ElasticField` is the learned one; here are the body's own triangles, and a shape that rides along rigidly.
 */
import type { SignedField } from '../field/signed-field.js'
import type { Floats } from '../math/floats.js'
import { requireGradientQuery, requireItems } from '../math/require.js'
import { gatherVertices } from '../mesh/gather-vertices.js'
import { RigidAlignment } from '../model/rigid-alignment.js'
import type { FemBody } from '../sim/fem/fem-body.js'
import { pointsToRest, vectorsToWorld } from './rigid-frame.js'

export interface TouchField {
  /**
   * Follows a body: queries answer for these positions until the next call.
   * @param positions  of all nodes [m], xyz triples in the world
   * @throws RangeError if there are too few, or naming one that is not finite; queries then answer as before
   */
  follow(positions: Floats): void
  /** As `SignedField.gradient`, points and gradients in the world. */
  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void
}

/** The triangles of the body's surface. @param mesh  an `ExactMeshField` of `body.surface` */
export function exactTouchField(
  body: Pick<FemBody, 'surface' | 'nodeCount'>,
  mesh: Pick<SignedField, 'gradient'> & { update(positions: Floats): void },
): TouchField {
  const { nodeOfVertex } = body.surface
  const vertices = new Float64Array(3 * nodeOfVertex.length)
  return {
    follow(positions) {
      requireItems('touch field', positions, 'node', body.nodeCount, 3)
      gatherVertices(positions, nodeOfVertex, vertices)
      mesh.update(vertices)
    },
    gradient: (points, count, distances, gradients) => mesh.gradient(points, count, distances, gradients),
  }
}

/**
 * A shape of the rest frame carried by the body's rigid motion: right for a tool that is stiff.
 * @param rest  rest positions [m] of all nodes, and `masses` [kg] of them
 */
export function rigidTouchField(field: SignedField, rest: Float64Array, masses: Float64Array): TouchField {
  const alignment = new RigidAlignment(rest, masses)
  const frame = new Float64Array(16)
  let local = new Float64Array(0)
  return {
    follow(positions) {
      requireItems('touch field', positions, 'node', masses.length, 3)
      alignment.align(positions, frame)
    },
    gradient(points, count, distances, gradients) {
      requireGradientQuery(points, count, distances, gradients)
      if (local.length < 3 * count) local = new Float64Array(3 * count)
      pointsToRest(frame, points, count, local)
      field.gradient(local, count, distances, gradients)
      vectorsToWorld(frame, count, gradients)
    },
  }
}

/**
 * The learned field where it trusts itself, another where it does not: at poses far from those it was trained on.
 * @param learned  an `ElasticField` of a trained field
 * @param other    asked instead: `exactTouchField`
 */
export class GuardedTouchField implements TouchField {
  /** Whether the learned field answers for where the body is. */
  trusted = true

  constructor(
    private readonly learned: TouchField & { readonly trusted: boolean },
    private readonly other: TouchField,
  ) {}

  follow(positions: Floats): void {
    this.learned.follow(positions)
    this.trusted = this.learned.trusted
    if (!this.trusted) this.other.follow(positions)
  }

  gradient(points: Floats, count: number, outDistances: Floats, outGradients: Floats): void {
    const field = this.trusted ? this.learned : this.other
    field.gradient(points, count, outDistances, outGradients)
  }
}
