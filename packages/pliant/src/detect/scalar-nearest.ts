/**
 * The nearest triangle of a surface that deforms, in plain code: the twin of `wasm/find-nearest.ts`, and what answers where
 * that has no answer. Groups of patches of triangles get spheres in one pass over the vertices; spheres of a group's
 * patches, and for each triangle of a patch a disc in its plane, are found where a point first comes near.
 *
 * Spheres and not boxes: found in two thirds of the time, and asked without branches that are hard to foresee
 * (notes/nearest-triangle.md). Side by side in vectors boxes are quicker.
 */

import { CLOSEST_SIZE, closestOnTriangle } from '../exact/point-triangle.js'
import type { Floats } from '../math/floats.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { NO_TRIANGLE } from './nearest-results.js'
import type { Patches, VertexSets } from './patches.js'
import { DISC_SIZE, PAD, ROUNDING, writeDisc } from './triangle-disc.js'

export class ScalarNearest {
  /** What the last `find` came upon: the triangle, or `NO_TRIANGLE`, and its squared distance [m^2]. */
  triangle = NO_TRIANGLE
  squared = Number.NaN
  private readonly triangleCount: number
  /** Vertex numbers of each place, three each. */
  private readonly vertices: Uint32Array
  private readonly placeOfTriangle: Uint32Array
  private readonly patchOfPlace: Uint32Array
  /** Centre and radius of each patch's sphere, and of each group's. */
  private readonly patchSpheres: Float64Array
  private readonly groupSpheres: Float64Array
  /** Corners of each place, nine numbers each, and its disc, of patches that are open. */
  private readonly corners: Float64Array
  private readonly discs: Float64Array
  /** The update in which the spheres of each group's patches were found last, and each patch was opened last. */
  private readonly fitted: Uint32Array
  private readonly opened: Uint32Array
  private updates = 0
  private positions: Floats
  private readonly candidate = new Float64Array(CLOSEST_SIZE)
  private best = Number.MAX_VALUE
  private bestPlace = -1

  constructor(
    mesh: TriangleMesh,
    private readonly patches: Patches,
  ) {
    const count = mesh.triangles.length / 3
    const patchCount = patches.firstPlace.length - 1
    this.triangleCount = count
    this.positions = mesh.positions
    this.vertices = new Uint32Array(3 * count)
    this.placeOfTriangle = new Uint32Array(count)
    this.patchOfPlace = new Uint32Array(count)
    for (let place = 0; place < count; place++) {
      const t = patches.triangleOfPlace[place]
      this.placeOfTriangle[t] = place
      for (let k = 0; k < 3; k++) this.vertices[3 * place + k] = mesh.triangles[3 * t + k]
    }
    for (let patch = 0; patch < patchCount; patch++) {
      this.patchOfPlace.fill(patch, patches.firstPlace[patch], patches.firstPlace[patch + 1])
    }
    this.patchSpheres = new Float64Array(4 * patchCount)
    this.groupSpheres = new Float64Array(4 * (patches.firstPatch.length - 1))
    this.corners = new Float64Array(9 * count)
    this.discs = new Float64Array(DISC_SIZE * count)
    this.fitted = new Uint32Array(patches.firstPatch.length - 1)
    this.opened = new Uint32Array(patchCount)
  }

  /**
   * Moves the surface.
   * @param positions  read until the next update
   * @returns false if a vertex of a triangle is not finite
   */
  follow(positions: Floats): boolean {
    const { fitted, groupSpheres, patches } = this
    this.positions = positions
    this.updates++
    return fitSpheres(positions, patches.ofGroups, 0, fitted.length, groupSpheres)
  }

  /**
   * @param reach     first radius to look in [m], NaN without
   * @param triangle  to be looked at first, or any other number
   */
  find(px: number, py: number, pz: number, reach: number, triangle: number): void {
    // Below infinity, so that no triangle counts as near to a point that is infinitely far.
    this.best = Number.MAX_VALUE
    this.bestPlace = -1
    this.tryTriangle(triangle, px, py, pz)
    // Not a number without a hint, and then never below anything.
    if (reach * reach < this.best) {
      this.search(px, py, pz, reach)
      // Nothing in the radius that the hint gave: it was too small.
      if (!(this.best <= reach * reach)) this.searchAll(px, py, pz)
    } else this.searchAll(px, py, pz)
    this.triangle = this.bestPlace < 0 ? NO_TRIANGLE : this.patches.triangleOfPlace[this.bestPlace]
    this.squared = this.best
  }

  /** Finds the spheres of a group's patches, once a frame. */
  private fitPatches(group: number): void {
    const { firstPatch, ofPatches } = this.patches
    this.fitted[group] = this.updates
    fitSpheres(this.positions, ofPatches, firstPatch[group], firstPatch[group + 1], this.patchSpheres)
  }

  private tryTriangle(triangle: number, px: number, py: number, pz: number): void {
    if (!(triangle < this.triangleCount)) return
    const place = this.placeOfTriangle[triangle]
    const patch = this.patchOfPlace[place]
    if (this.opened[patch] !== this.updates) this.open(patch)
    this.lookAt(place, px, py, pz)
  }

  /** With nothing to go by, first the patch whose centre is nearest: it leaves few of the others. */
  private searchAll(px: number, py: number, pz: number): void {
    if (this.bestPlace < 0) {
      const { groupSpheres, patchSpheres } = this
      const { firstPatch } = this.patches
      const group = nearestCentre(groupSpheres, 0, groupSpheres.length, px, py, pz)
      if (this.fitted[group] !== this.updates) this.fitPatches(group)
      const patch = nearestCentre(patchSpheres, 4 * firstPatch[group], 4 * firstPatch[group + 1], px, py, pz)
      this.searchPatch(patch, px, py, pz, Infinity)
    }
    this.search(px, py, pz, Math.sqrt(this.best))
  }

  /** Looks at every triangle within a radius that may be nearer than the best one so far. */
  private search(px: number, py: number, pz: number, within: number): void {
    const { groupSpheres, patchSpheres } = this
    const { firstPatch } = this.patches
    let radius = within * ROUNDING
    for (let group = 0, g = 0; g < groupSpheres.length; group++, g += 4) {
      if (isApart(groupSpheres, g, px, py, pz, radius)) continue
      if (this.fitted[group] !== this.updates) this.fitPatches(group)
      const end = firstPatch[group + 1]
      for (let patch = firstPatch[group]; patch < end; patch++) {
        if (!isApart(patchSpheres, 4 * patch, px, py, pz, radius)) radius = this.searchPatch(patch, px, py, pz, radius)
      }
    }
  }

  /** @returns the radius beyond which nothing is of interest any more */
  private searchPatch(patch: number, px: number, py: number, pz: number, within: number): number {
    if (this.opened[patch] !== this.updates) this.open(patch)
    const { discs } = this
    const { firstPlace } = this.patches
    const end = firstPlace[patch + 1]
    let radius = within
    let limit = within * within
    for (let place = firstPlace[patch]; place < end; place++) {
      const o = DISC_SIZE * place
      const x = px - discs[o]
      const y = py - discs[o + 1]
      const z = pz - discs[o + 2]
      const height = x * discs[o + 3] + y * discs[o + 4] + z * discs[o + 5]
      const sideways = x * x + y * y + z * z - height * height
      // What is left of the limit within the plane of the disc, and first without a root: the larger ball around it.
      const left = limit - height * height
      if (left < 0) continue
      const reach = discs[o + 6] + radius
      if (sideways > reach * reach) continue
      const exactReach = discs[o + 6] + Math.sqrt(left)
      if (sideways > exactReach * exactReach) continue
      this.lookAt(place, px, py, pz)
      const best = this.best * ROUNDING
      if (best < limit) {
        limit = best
        radius = Math.sqrt(best)
      }
    }
    return radius
  }

  private lookAt(place: number, px: number, py: number, pz: number): void {
    const squared = closestOnTriangle(this.corners, 9 * place, px, py, pz, this.candidate)
    if (!(squared <= this.best)) return
    // As in a scan: of equals the first.
    const { triangleOfPlace } = this.patches
    if (squared === this.best && triangleOfPlace[place] > triangleOfPlace[this.bestPlace]) return
    this.best = squared
    this.bestPlace = place
  }

  /** Gathers the corners of a patch and finds the discs of its triangles. */
  private open(patch: number): void {
    const { positions: p, vertices, corners, discs } = this
    const { firstPlace } = this.patches
    this.opened[patch] = this.updates
    const end = firstPlace[patch + 1]
    for (let place = firstPlace[patch]; place < end; place++) {
      const a = 3 * vertices[3 * place]
      const b = 3 * vertices[3 * place + 1]
      const c = 3 * vertices[3 * place + 2]
      const o = 9 * place
      corners[o] = p[a]
      corners[o + 1] = p[a + 1]
      corners[o + 2] = p[a + 2]
      corners[o + 3] = p[b]
      corners[o + 4] = p[b + 1]
      corners[o + 5] = p[b + 2]
      corners[o + 6] = p[c]
      corners[o + 7] = p[c + 1]
      corners[o + 8] = p[c + 2]
      writeDisc(corners, o, discs, DISC_SIZE * place)
    }
  }
}

/**
 * Spheres about the middles of anchors, through the furthest vertex of each set.
 * @returns false if a vertex is not finite
 */
function fitSpheres(p: Floats, sets: VertexSets, from: number, to: number, out: Float64Array): boolean {
  const { vertices, first, anchors } = sets
  let finite = 0
  for (let set = from; set < to; set++) {
    const a = 3 * anchors[2 * set]
    const b = 3 * anchors[2 * set + 1]
    const cx = (p[a] + p[b]) / 2
    const cy = (p[a + 1] + p[b + 1]) / 2
    const cz = (p[a + 2] + p[b + 2]) / 2
    let furthest = 0
    const end = first[set + 1]
    for (let i = first[set]; i < end; i++) {
      const v = 3 * vertices[i]
      const x = p[v] - cx
      const y = p[v + 1] - cy
      const z = p[v + 2] - cz
      const squared = x * x + y * y + z * z
      if (squared <= furthest) continue
      // What is not finite comes here: zero times it is NaN, and stays so.
      finite += 0 * squared
      furthest = squared
    }
    const o = 4 * set
    out[o] = cx
    out[o + 1] = cy
    out[o + 2] = cz
    out[o + 3] = Math.sqrt(furthest) * ROUNDING + PAD * (Math.abs(cx) + Math.abs(cy) + Math.abs(cz))
  }
  return finite === 0
}

/** Whether a sphere has no point within a radius of a point. */
function isApart(s: Float64Array, o: number, px: number, py: number, pz: number, radius: number): boolean {
  const x = px - s[o]
  const y = py - s[o + 1]
  const z = pz - s[o + 2]
  const reach = radius + s[o + 3]
  // True also where the point is not finite: there is nothing to find then.
  return !(x * x + y * y + z * z <= reach * reach)
}

/** Number of the sphere from `from` to `end` whose centre is nearest. */
function nearestCentre(s: Float64Array, from: number, end: number, px: number, py: number, pz: number): number {
  let nearest = from
  let least = Infinity
  for (let o = from; o < end; o += 4) {
    const x = px - s[o]
    const y = py - s[o + 1]
    const z = pz - s[o + 2]
    const squared = x * x + y * y + z * z
    if (squared < least) {
      least = squared
      nearest = o
    }
  }
  return nearest / 4
}
