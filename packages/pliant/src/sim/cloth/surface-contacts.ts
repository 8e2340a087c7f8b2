/**
 * Contacts of a cloth with a body between its vertices: the deepest places of edges and triangles (detect/surface), each held
 * outside by moving its corners, by their weights there and their masses, so that momentum is kept. Recovery and friction as
 * of vertices (body-contacts.ts).
 *
 * Asked where the skin will have carried the cloth, without its own motion: ahead of that a pole that is thinner than the way of
 * a frame would be found from its far side. Asked again within the frame where vertices near the body have strayed: a vertex that
 * is held by the point of a spike slips off it within a frame, and the triangles beside it must be held from then on.
 */
import { SurfaceMinima } from '../../detect/surface/surface-minima.js'
import type { Obstacle } from '../obstacle.js'
import type { BodyContacts } from './body-contacts.js'
import type { ClothSettings } from './cloth-options.js'

export class SurfaceContacts {
  private readonly minima: SurfaceMinima
  private readonly lows: Float64Array
  private readonly within: Float64Array
  /** Of each vertex: where it was asked, and how far the skin near it goes in the frame [m]. */
  private readonly asked: Float64Array
  private readonly skinWays: Float64Array
  /** Of each vertex: its own way in the frame [m], for twice which contacts are watched. */
  private readonly ownWays: Float64Array
  private frame = 1
  /** Part of the frame that was left when the surface was asked. */
  private left = 1
  private readonly velocities: Float64Array
  /** Of each contact: sum of w^2 / mass; 0 where all corners are attached. */
  private readonly ease: Float64Array

  constructor(
    triangles: Uint32Array,
    private readonly inverseMasses: Float64Array,
    private readonly settings: ClothSettings,
  ) {
    this.minima = new SurfaceMinima(triangles, inverseMasses.length)
    this.lows = new Float64Array(inverseMasses.length)
    this.within = new Float64Array(inverseMasses.length)
    this.asked = new Float64Array(3 * inverseMasses.length)
    this.skinWays = new Float64Array(3 * inverseMasses.length)
    this.ownWays = new Float64Array(inverseMasses.length)
    this.velocities = new Float64Array(this.minima.points.length)
    this.ease = new Float64Array(this.minima.distances.length)
  }

  /** How many are watched. */
  get count(): number {
    return this.minima.count
  }

  forget(): void {
    this.minima.count = 0
  }

  /** Once a frame, when vertices have been asked. @param frame  its duration [s] */
  gather(obstacle: Obstacle, x: Float64Array, frame: number, contacts: BodyContacts): void {
    const { lows, within, asked, skinWays, ownWays } = this
    const { carried, vertexPoints, vertexDistances } = contacts
    this.frame = frame
    this.left = 1
    asked.set(carried)
    for (let v = 0, i = 0; v < lows.length; v++, i += 3) {
      skinWays[i] = carried[i] - x[i]
      skinWays[i + 1] = carried[i + 1] - x[i + 1]
      skinWays[i + 2] = carried[i + 2] - x[i + 2]
      ownWays[v] = length(vertexPoints, carried, i)
      lows[v] = vertexDistances[v] - ownWays[v]
      within[v] = contacts.reach(i)
    }
    this.find(obstacle, contacts)
  }

  /**
   * Searches again if a vertex near the body has strayed from where it was asked, relative to the body.
   * @param remaining  time to the frame's end [s]
   */
  requery(obstacle: Obstacle, x: Float64Array, remaining: number, contacts: BodyContacts): void {
    const { asked, skinWays, lows, within, ownWays, minima, settings } = this
    const left = remaining / this.frame
    let hasStrayed = false
    for (let v = 0, i = 0; v < lows.length && !hasStrayed; v++, i += 3) {
      if (minima.isNear[v] === 0) continue
      const dx = x[i] + left * skinWays[i] - asked[i]
      const dy = x[i + 1] + left * skinWays[i + 1] - asked[i + 1]
      const dz = x[i + 2] + left * skinWays[i + 2] - asked[i + 2]
      hasStrayed = dx * dx + dy * dy + dz * dz > settings.requeryDistance ** 2
    }
    if (!hasStrayed) return
    for (let v = 0, i = 0; v < lows.length; v++, i += 3) {
      const dx = x[i] + left * skinWays[i] - asked[i]
      const dy = x[i + 1] + left * skinWays[i + 1] - asked[i + 1]
      const dz = x[i + 2] + left * skinWays[i + 2] - asked[i + 2]
      asked[i] += dx
      asked[i + 1] += dy
      asked[i + 2] += dz
      lows[v] -= Math.sqrt(dx * dx + dy * dy + dz * dz)
      within[v] -= 2 * (this.left - left) * ownWays[v]
    }
    this.left = left
    this.find(obstacle, contacts)
  }

  private find(obstacle: Obstacle, contacts: BodyContacts): void {
    const { minima, velocities, inverseMasses, ease } = this
    const { corners, weights, points, normals } = minima
    minima.find(obstacle.field, this.asked, this.lows, this.within)
    contacts.queries += minima.queries
    if (obstacle.motion && minima.count > 0) {
      obstacle.motion.velocity(points, normals, minima.count, velocities)
      for (let i = 0; i < 3 * minima.count; i++) if (!Number.isFinite(velocities[i])) velocities[i] = 0
    } else velocities.fill(0, 0, 3 * minima.count)
    for (let k = 0; k < minima.count; k++) {
      ease[k] = 0
      for (let i = 3 * k; i < 3 * k + 3; i++) ease[k] += inverseMasses[corners[i]] * weights[i] ** 2
    }
  }

  /**
   * Moves the cloth out of the body and rubs it against it, as `BodyContacts.solve` does with vertices.
   * @param dt         substep [s]
   * @param remaining  time from the substep's end to the frame's [s]
   */
  solve(x: Float64Array, previous: Float64Array, dt: number, remaining: number, contacts: BodyContacts): void {
    const { minima, velocities, inverseMasses, ease } = this
    const { corners, weights, normals, points, separations } = minima
    const { friction, recoverySpeed, thickness } = this.settings
    const { released } = contacts
    const recovery = recoverySpeed * dt
    for (let k = 0; k < minima.count; k++) {
      const j = 3 * k
      const a = 3 * corners[j]
      const b = 3 * corners[j + 1]
      const c = 3 * corners[j + 2]
      if (ease[k] === 0 || released[a / 3] + released[b / 3] + released[c / 3] > 0) continue
      const wa = weights[j]
      const wb = weights[j + 1]
      const wc = weights[j + 2]
      const nx = normals[j]
      const ny = normals[j + 1]
      const nz = normals[j + 2]
      const ux = velocities[j]
      const uy = velocities[j + 1]
      const uz = velocities[j + 2]
      const px = wa * x[a] + wb * x[b] + wc * x[c]
      const py = wa * x[a + 1] + wb * x[b + 1] + wc * x[c + 1]
      const pz = wa * x[a + 2] + wb * x[b + 2] + wc * x[c + 2]
      const gap =
        nx * (px - points[j] + ux * remaining) +
        ny * (py - points[j + 1] + uy * remaining) +
        nz * (pz - points[j + 2] + uz * remaining) +
        (separations[k] - thickness)
      if (gap >= 0) continue
      contacts.touching++
      let rx = px - (wa * previous[a] + wb * previous[b] + wc * previous[c]) - ux * dt
      let ry = py - (wa * previous[a + 1] + wb * previous[b + 1] + wc * previous[c + 1]) - uy * dt
      let rz = pz - (wa * previous[a + 2] + wb * previous[b + 2] + wc * previous[c + 2]) - uz * dt
      const rn = rx * nx + ry * ny + rz * nz
      const old = Math.min(-gap, Math.max(0, rn - gap))
      const kept = Math.max(0, old - recovery)
      rx -= rn * nx
      ry -= rn * ny
      rz -= rn * nz
      const slide = Math.sqrt(rx * rx + ry * ry + rz * rz)
      const hold = friction * (-gap - old)
      const rub = slide <= hold ? 1 : hold / slide
      const out = gap + kept
      for (let corner = 0; corner < 3; corner++) {
        const share = (weights[j + corner] * inverseMasses[corners[j + corner]]) / ease[k]
        if (share === 0) continue
        const i = 3 * corners[j + corner]
        x[i] -= share * (out * nx + rub * rx)
        x[i + 1] -= share * (out * ny + rub * ry)
        x[i + 2] -= share * (out * nz + rub * rz)
        previous[i] += share * (old - kept) * nx
        previous[i + 1] += share * (old - kept) * ny
        previous[i + 2] += share * (old - kept) * nz
      }
    }
  }
}

function length(from: Float64Array, to: Float64Array, i: number): number {
  return Math.sqrt((to[i] - from[i]) ** 2 + (to[i + 1] - from[i + 1]) ** 2 + (to[i + 2] - from[i + 2]) ** 2)
}
