/** A rigid ball presses a soft body: the field says how deep, NearestTriangles which triangle feels it. */
import { NearestTriangles } from 'pliant/detect'
import { gatherVertices } from 'pliant/respond'

/** Points of the ball that are asked about, and its pressure per depth [Pa/m] on its share of the surface. */
const POINTS = 256
const STIFFNESS = 1e6

export class BallPress {
  constructor({ fem, field }, radius) {
    this.fem = fem
    this.field = field
    this.radius = radius
    this.area = (4 * Math.PI * radius ** 2) / POINTS
    this.vertices = fem.surface.positions.slice()
    this.nearest = new NearestTriangles({ positions: this.vertices, triangles: fem.surface.triangles })
    this.directions = spherePoints(POINTS)
    this.points = new Float64Array(3 * POINTS)
    this.distances = new Float64Array(POINTS)
    this.normals = new Float64Array(3 * POINTS)
    this.results = { triangleIds: new Uint32Array(POINTS), barycentrics: new Float64Array(3 * POINTS) }
    this.touching = 0
  }

  // #region press
  /** @param centre of the ball [m] */
  step(seconds, centre) {
    const { fem, field, nearest, points, distances, normals, results } = this
    for (let i = 0; i < points.length; i++) points[i] = centre[i % 3] + this.radius * this.directions[i]

    field.update({ nodes: fem.positions })
    field.query(points, POINTS, distances, normals)
    gatherVertices(fem.positions, fem.surface.nodeOfVertex, this.vertices)
    nearest.update(this.vertices)
    nearest.find(points, POINTS, results, { distances }) // what the field says makes the search short

    fem.forces.fill(0)
    fem.forceStiffness.fill(0)
    this.touching = 0
    for (let i = 0; i < POINTS; i++) if (distances[i] < 0) this.#push(i, -distances[i])
    fem.step(seconds)
  }

  /** Along the inward normal, on the three corners of the nearest triangle by their weights. */
  #push(i, depth) {
    const { fem, normals, results } = this
    const { triangles, nodeOfVertex } = fem.surface
    const [x, y, z] = normals.subarray(3 * i, 3 * i + 3)
    const stiffness = STIFFNESS * this.area
    this.touching++
    for (let corner = 0; corner < 3; corner++) {
      const node = nodeOfVertex[triangles[3 * results.triangleIds[i] + corner]]
      const weight = stiffness * results.barycentrics[3 * i + corner]
      fem.forces[3 * node] -= weight * depth * x
      fem.forces[3 * node + 1] -= weight * depth * y
      fem.forces[3 * node + 2] -= weight * depth * z
      // How the push falls as the node gives way, xx xy xz yy yz zz: keeps the step stable however stiff the ball is.
      const block = [x * x, x * y, x * z, y * y, y * z, z * z]
      for (let k = 0; k < 6; k++) fem.forceStiffness[6 * node + k] += weight * block[k]
    }
  }
  // #endregion
}

/** Evenly over the unit sphere. */
function spherePoints(count) {
  const points = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    const y = 1 - (2 * i + 1) / count
    const r = Math.sqrt(1 - y * y)
    points.set([r * Math.cos(2.399963 * i), y, r * Math.sin(2.399963 * i)], 3 * i)
  }
  return points
}
