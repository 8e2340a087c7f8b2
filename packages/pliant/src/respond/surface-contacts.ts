/**
 * Contacts of one body's vertices with the surface of another: the field says where and which way, the nearest triangle
 * which three nodes bear the reaction, by their weights at the closest point.
 *
 * Each body is solved by itself, so the contact between them must be split. With K the contact's true stiffness over all
 * nodes involved and P a block-diagonal matrix with P - K positive semidefinite, nodes get the force that contact will
 * have if all go on as they do, plus P (h v - dx): then M (v' - v)/h = -K (x + dx) - (P - K)(dx - h v), implicit Euler
 * with some mass added, which is stable for any step and stiffness, and gives nothing to what moves on evenly. P is
 * k (1 + a) at the vertex and w_i k (1 + 1/a) at corners of weight w_i. Any a > 0 is stable; with the ratio of how the two
 * bodies resist where they touch, both feel nearly the same force also while they are accelerated.
 */

import { ContactList } from '../field/contact.js'
import type { SignedField } from '../field/signed-field.js'
import type { FemBody } from '../sim/fem/fem-body.js'
import { type ContactLaw, frictionPerSlip, pressingDepth, pressingSlope } from './contact-law.js'
import type { ContactSurface } from './contact-surface.js'

/** Gradients shorter than this say nothing about a direction. */
const NO_DIRECTION = 1e-6

export class SurfaceContacts {
  /** Contacts that push in this step: A is `surface` with its triangle, B is `points` with its vertex. */
  readonly contacts: ContactList
  /** Forces [N] on the vertices that are predicted for the end of the step, xyz triples. */
  readonly forces: Float64Array
  /** How deep the deepest vertex is inside by the field [m]; 0 if none is. */
  deepest = 0

  private readonly distances: Float64Array
  private readonly gradients: Float64Array
  private readonly barycentrics: Float64Array
  private readonly lastTriangles: Uint32Array
  private readonly results
  private readonly hints
  /** How much more the points' body resists than the other. */
  private ratio = 1
  private readonly force = new Float64Array(3)
  private readonly slip = new Float64Array(3)

  /**
   * @param points   whose vertices touch
   * @param surface  what they touch
   * @param field    of `surface`; updated by whoever steps
   * @param share    of the vertices' areas that counts
   */
  constructor(
    private readonly points: ContactSurface,
    private readonly surface: ContactSurface,
    private readonly field: SignedField,
    private readonly law: ContactLaw,
    private readonly share: number,
  ) {
    const most = points.vertexCount
    this.contacts = new ContactList(most)
    this.forces = new Float64Array(3 * most)
    this.distances = new Float64Array(most)
    this.gradients = new Float64Array(3 * most)
    this.barycentrics = new Float64Array(3 * most)
    this.lastTriangles = new Uint32Array(most)
    const { featuresA: triangles, separations } = this.contacts
    this.results = { triangleIds: triangles, barycentrics: this.barycentrics }
    this.hints = { distances: separations, margin: law.thickness, triangles }
  }

  /** Adds forces and their stiffness to both bodies for a step of `h` seconds. */
  push(h: number): void {
    const { points, contacts, lastTriangles, forces, force } = this
    this.field.query(points.vertices, points.vertexCount, this.distances, this.gradients)
    const near = this.collect(h)
    this.surface.findNearest(contacts.pointsB, near, this.results, this.hints)
    contacts.count = 0
    for (let c = 0; c < near; c++) {
      lastTriangles[contacts.featuresB[c]] = contacts.featuresA[c]
      if (!this.pushPair(c, h)) continue
      const kept = contacts.count++
      contacts.move(c, kept)
      forces.set(force, 3 * kept)
    }
  }

  /** Lists the vertices that touch or may by the end of the step. @returns how many */
  private collect(h: number): number {
    const { points, distances, gradients, contacts } = this
    const { pointsA, pointsB, normals, separations } = contacts
    const { velocities: v, surface } = points.body
    const otherWay = h * this.surface.fastest()
    let near = 0
    let patch = 0
    this.deepest = 0
    for (let vertex = 0; vertex < points.vertexCount; vertex++) {
      const distance = distances[vertex]
      const i = 3 * surface.nodeOfVertex[vertex]
      const way = h * Math.sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2])
      if (!(distance < this.law.thickness + way + otherWay)) continue
      const g = 3 * vertex
      const length = Math.sqrt(gradients[g] ** 2 + gradients[g + 1] ** 2 + gradients[g + 2] ** 2)
      if (!(length > NO_DIRECTION && length < Infinity)) continue
      const c = near++
      patch += points.areas[vertex]
      for (let axis = 0; axis < 3; axis++) {
        const normal = gradients[g + axis] / length
        normals[3 * c + axis] = normal
        pointsB[3 * c + axis] = points.vertices[g + axis]
        pointsA[3 * c + axis] = points.vertices[g + axis] - distance * normal
      }
      separations[c] = distance
      contacts.areas[c] = this.share * points.areas[vertex]
      contacts.featuresA[c] = this.lastTriangles[vertex]
      contacts.featuresB[c] = vertex
      this.deepest = Math.max(this.deepest, -distance)
    }
    if (near > 0) this.ratio = points.resistance(patch, h) / this.surface.resistance(patch, h)
    return near
  }

  /** @returns whether there is any force, which is then in `this.force` */
  private pushPair(c: number, h: number): boolean {
    const { points, surface, law, barycentrics: w, force, slip } = this
    const { normals, separations, areas, featuresA, featuresB } = this.contacts
    const node = points.body.surface.nodeOfVertex[featuresB[c]]
    const { triangles, nodeOfVertex } = surface.body.surface
    const first = 3 * featuresA[c]
    const v = points.body.velocities
    const u = surface.body.velocities
    const nx = normals[3 * c]
    const ny = normals[3 * c + 1]
    const nz = normals[3 * c + 2]
    for (let axis = 0; axis < 3; axis++) slip[axis] = v[3 * node + axis]
    for (let corner = 0; corner < 3; corner++) {
      const other = nodeOfVertex[triangles[first + corner]]
      const weight = w[3 * c + corner]
      for (let axis = 0; axis < 3; axis++) slip[axis] -= weight * u[3 * other + axis]
    }
    const leaving = nx * slip[0] + ny * slip[1] + nz * slip[2]
    const reach = law.thickness - separations[c]
    const k = law.stiffness * areas[c]
    // Approaching, the force of where the step would end; leaving, its tangent.
    const ahead = leaving < 0 ? reach - h * leaving : reach
    const slope = k * pressingSlope(ahead, law.thickness)
    const pressing = k * pressingDepth(ahead, law.thickness)
    const normal = pressing - slope * leaving * (leaving < 0 ? law.damping : h + law.damping)
    // One that is there holds on while it would pull less than it pushes: let go at once, light tools came and went
    // every other step; held on with no tangent, they were carried against their weight.
    if (!(pressing > 0 && normal > -pressing)) return false
    slip[0] -= leaving * nx
    slip[1] -= leaving * ny
    slip[2] -= leaving * nz
    const speed = Math.sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2])
    const perSlip = frictionPerSlip(Math.max(0, normal), speed, law)
    force[0] = normal * nx - perSlip * slip[0]
    force[1] = normal * ny - perSlip * slip[1]
    force[2] = normal * nz - perSlip * slip[2]
    const along = slope * (1 + law.damping / h)
    // Implicit in slip with the coefficient of now, so friction is too weak while a slide slows down and too strong while
    // it gains. Constant drag for fast slides made that a third smaller and two-sided contact rougher.
    const across = perSlip / h
    const { ratio } = this
    addSplit(points.body, node, 1, force, along * (1 + ratio), across * (1 + ratio), nx, ny, nz, h)
    for (let corner = 0; corner < 3; corner++) {
      const weight = w[3 * c + corner]
      const other = nodeOfVertex[triangles[first + corner]]
      const more = weight * (1 + 1 / ratio)
      addSplit(surface.body, other, -weight, force, more * along, more * across, nx, ny, nz, h)
    }
    return true
  }
}

/** Gives a node its part of a force, and P (h v - dx) with P = along n n^T + across (I - n n^T). */
function addSplit(
  { velocities: v, forces, forceStiffness: s }: FemBody,
  node: number,
  part: number,
  force: Float64Array,
  along: number,
  across: number,
  nx: number,
  ny: number,
  nz: number,
  h: number,
): void {
  const i = 3 * node
  const d = 6 * node
  const extra = along - across
  const speed = extra * (nx * v[i] + ny * v[i + 1] + nz * v[i + 2])
  forces[i] += part * force[0] + h * (across * v[i] + speed * nx)
  forces[i + 1] += part * force[1] + h * (across * v[i + 1] + speed * ny)
  forces[i + 2] += part * force[2] + h * (across * v[i + 2] + speed * nz)
  s[d] += across + extra * nx * nx
  s[d + 1] += extra * nx * ny
  s[d + 2] += extra * nx * nz
  s[d + 3] += across + extra * ny * ny
  s[d + 4] += extra * ny * nz
  s[d + 5] += across + extra * nz * nz
}
