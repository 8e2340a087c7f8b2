/**
 * Contacts of one body's vertices, and if wanted of the deepest places of its edges and triangles, with the surface of
 * another: the field says where and which way, the nearest triangle which three nodes bear the reaction, by their
 * weights at the closest point.
 *
 * Each body is solved by itself, so the contact between them must be split. With K the contact's true stiffness over
 * all nodes involved and P a block-diagonal matrix with P - K positive semidefinite, nodes get the force that contact
 * will have if all go on as they do, plus P (h v - dx): then M (v' - v)/h = -K (x + dx) - (P - K)(dx - h v), implicit
 * Euler with some mass added, which is stable for any step and stiffness, and gives nothing to what moves on evenly. P
 * is w_i k (1 + a) at the place's own nodes of weight w_i (a vertex has one, of weight 1), and w_i k (1 + 1/a) at
 * corners of the triangle. Any a > 0 is stable; with the ratio of how the two bodies resist where they touch, both feel
 * nearly the same force also while they are accelerated.
 */

import { type MeetsAt, SurfacePlaces } from '../detect/surface/surface-places.js'
import { ContactList } from '../field/contact.js'
import type { SignedField } from '../field/signed-field.js'
import type { FemBody } from '../sim/fem/fem-body.js'
import { type ContactLaw, frictionPerSlip, pressingDepth, pressingSlope } from './contact-law.js'
import type { ContactSurface } from './contact-surface.js'

export class SurfaceContacts {
  /**
   * Contacts that push in this step: A is `surface` with its triangle, B is `points` with its vertex, edge or triangle.
   */
  readonly contacts: ContactList
  /** Forces [N] on the places that are predicted for the end of the step, xyz triples. */
  readonly forces: Float64Array
  /** How deep the deepest place is inside by the field [m]; 0 if none is. */
  deepest = 0

  private readonly places: SurfacePlaces
  private readonly within: Float64Array
  private readonly barycentrics: Float64Array
  /** Of each vertex, edge and triangle. */
  private readonly lastTriangles: Uint32Array
  private readonly results
  private readonly hints
  /** How much more the points' body resists than the other. */
  private ratio = 1
  private readonly force = new Float64Array(3)
  private readonly slip = new Float64Array(3)

  /**
   * @param points   whose surface touches
   * @param surface  what it touches
   * @param field    of `surface`; updated by whoever steps
   * @param share    of the vertices' areas that counts
   * @param at       where: at vertices, or between them as well
   */
  constructor(
    private readonly points: ContactSurface,
    private readonly surface: ContactSurface,
    private readonly field: SignedField,
    private readonly law: ContactLaw,
    private readonly share: number,
    at: MeetsAt,
  ) {
    this.places = new SurfacePlaces(points.body.surface.triangles, points.vertexCount, at)
    const most = this.places.capacity
    this.contacts = new ContactList(most)
    this.forces = new Float64Array(3 * most)
    this.within = new Float64Array(points.vertexCount)
    this.barycentrics = new Float64Array(3 * most)
    this.lastTriangles = new Uint32Array(most)
    const { featuresA: triangles, separations } = this.contacts
    this.results = { triangleIds: triangles, barycentrics: this.barycentrics }
    this.hints = { distances: separations, margin: law.thickness, triangles }
  }

  /** Adds forces and their stiffness to both bodies for a step of `h` seconds. */
  push(h: number): void {
    const { contacts, lastTriangles, forces, force } = this
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

  /** Lists the places that touch or may by the end of the step. @returns how many */
  private collect(h: number): number {
    const { points, places, within, law, contacts } = this
    const { pointsA, pointsB, normals, separations, areas, featuresA, featuresB } = contacts
    const { velocities: v, surface } = points.body
    const otherWay = h * this.surface.fastest()
    for (let vertex = 0; vertex < points.vertexCount; vertex++) {
      const i = 3 * surface.nodeOfVertex[vertex]
      const way = h * Math.sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2])
      within[vertex] = law.thickness + way + otherWay
    }
    const near = places.find(this.field, points.vertices, within)
    const { corners, weights } = places
    let patch = 0
    this.deepest = 0
    for (let c = 0; c < near; c++) {
      let area = 0
      for (let o = 3 * c; o < 3 * c + 3; o++) {
        normals[o] = places.normals[o]
        pointsB[o] = places.points[o]
        pointsA[o] = places.points[o] - places.separations[c] * normals[o]
        area += weights[o] * points.areas[corners[o]]
      }
      // What lies between vertices stands for their areas once more, and for a patch only where none of them is near.
      if (c < places.vertices || places.vertices === 0) patch += area
      separations[c] = places.separations[c]
      areas[c] = this.share * area
      featuresA[c] = this.lastTriangles[places.features[c]]
      featuresB[c] = places.features[c]
      this.deepest = Math.max(this.deepest, -places.distances[c])
    }
    if (near > 0) this.ratio = points.resistance(patch, h) / this.surface.resistance(patch, h)
    return near
  }

  /** @returns whether there is any force, which is then in `this.force` */
  private pushPair(c: number, h: number): boolean {
    const { points, surface, law, barycentrics, places, force, slip } = this
    const { normals, separations, areas, featuresA } = this.contacts
    const nodeOfPoint = points.body.surface.nodeOfVertex
    const { triangles, nodeOfVertex } = surface.body.surface
    const first = 3 * featuresA[c]
    const v = points.body.velocities
    const u = surface.body.velocities
    const nx = normals[3 * c]
    const ny = normals[3 * c + 1]
    const nz = normals[3 * c + 2]
    slip.fill(0)
    for (let o = 3 * c; o < 3 * c + 3; o++) {
      const weight = places.weights[o]
      if (weight === 0) continue
      const node = nodeOfPoint[places.corners[o]]
      for (let axis = 0; axis < 3; axis++) slip[axis] += weight * v[3 * node + axis]
    }
    for (let corner = 0; corner < 3; corner++) {
      const other = nodeOfVertex[triangles[first + corner]]
      const weight = barycentrics[3 * c + corner]
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
    for (let o = 3 * c; o < 3 * c + 3; o++) {
      const weight = places.weights[o]
      if (weight === 0) continue
      const more = weight * (1 + ratio)
      addSplit(points.body, nodeOfPoint[places.corners[o]], weight, force, more * along, more * across, nx, ny, nz, h)
    }
    for (let corner = 0; corner < 3; corner++) {
      const weight = barycentrics[3 * c + corner]
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
