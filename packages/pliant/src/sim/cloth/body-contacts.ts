/**
 * Contacts of a cloth with a body, from batched queries of its distance at vertices and at face centres; with the option
 * `contact: 'surface'` at vertices alone, and all else is found by surface-contacts.ts.
 *
 * Asked once a frame, at the place where each point will be at the frame's end if it goes with the skin near it and, for
 * a short way, on by its own motion. Between queries the distance is linear, d(x, t) = d0 + n.(x + u (T - t) - x0), u the
 * surface's velocity: the body is known at the frame's end T and moves evenly towards it. Points that stray from where
 * they were asked, relative to the body, are asked again during the frame.
 *
 * Friction is Coulomb's on displacements relative to the surface, within each substep. Depth that was there before the
 * substep is taken out at a limited speed and without leaving velocity behind (it moves the substep's start as well), so
 * a cloth that starts or is caught inside a body does not shoot out. Vertices
 * that are squeezed and overstretched are let go (squeezed.ts).
 */

import type { Obstacle } from '../obstacle.js'
import type { ClothSettings } from './cloth-options.js'

export class BodyContacts {
  /** Points asked since the last `gather` began: for measurements. */
  queries = 0
  /** Contacts that touched in the last solved substep. */
  touching = 0
  /** 1 for vertices that pass through the body this substep, with the faces around them: squeezed, and overstretched. */
  readonly released: Uint8Array
  /** 1 for vertices that a moving part of the body is near to in this frame. */
  readonly swept: Uint8Array
  /** Contacts being watched; those before `vertexContacts` are vertices, the rest faces. */
  private count = 0
  private vertexContacts = 0

  private readonly triangles: Uint32Array
  private readonly inverseMasses: Float64Array
  private readonly settings: ClothSettings
  // Of every vertex: where the skin near it will have carried it, and from the frame's query.
  readonly carried: Float64Array
  readonly vertexPoints: Float64Array
  readonly vertexDistances: Float64Array
  readonly vertexNormals: Float64Array
  // Of every face that may touch, packed.
  private readonly facePoints: Float64Array
  private readonly faceDistances: Float64Array
  private readonly faceNormals: Float64Array
  private readonly faces: Int32Array
  // Of every contact.
  private readonly subjects: Int32Array
  private readonly places: Float64Array
  private readonly normals: Float64Array
  private readonly offsets: Float64Array
  private readonly velocities: Float64Array
  // Of contacts asked again, packed.
  private readonly strays: Int32Array
  private readonly strayPoints: Float64Array
  private readonly strayDistances: Float64Array
  private readonly strayNormals: Float64Array

  constructor(triangles: Uint32Array, inverseMasses: Float64Array, settings: ClothSettings) {
    const vertexCount = inverseMasses.length
    const faceCount = triangles.length / 3
    const capacity = vertexCount + faceCount
    this.triangles = triangles
    this.inverseMasses = inverseMasses
    this.settings = settings
    this.released = new Uint8Array(vertexCount)
    this.swept = new Uint8Array(vertexCount)
    this.carried = new Float64Array(3 * vertexCount)
    this.vertexPoints = new Float64Array(3 * vertexCount)
    this.vertexDistances = new Float64Array(vertexCount)
    this.vertexNormals = new Float64Array(3 * vertexCount)
    this.facePoints = new Float64Array(3 * faceCount)
    this.faceDistances = new Float64Array(faceCount)
    this.faceNormals = new Float64Array(3 * faceCount)
    this.faces = new Int32Array(faceCount)
    this.subjects = new Int32Array(capacity)
    this.places = new Float64Array(3 * capacity)
    this.normals = new Float64Array(3 * capacity)
    this.offsets = new Float64Array(capacity)
    this.velocities = new Float64Array(3 * capacity)
    this.strays = new Int32Array(capacity)
    this.strayPoints = new Float64Array(3 * capacity)
    this.strayDistances = new Float64Array(capacity)
    this.strayNormals = new Float64Array(3 * capacity)
  }

  /** Forgets all contacts and how far the body was: a frame without one. */
  forget(): void {
    this.clear()
    this.vertexDistances.fill(0)
  }

  private clear(): void {
    this.count = 0
    this.vertexContacts = 0
    this.queries = 0
    this.touching = 0
  }

  /** The frame's queries. @param frame  its duration [s] */
  gather(obstacle: Obstacle, x: Float64Array, v: Float64Array, frame: number): void {
    this.clear()
    const { vertexPoints: points, vertexDistances: distances, inverseMasses } = this
    const vertexCount = inverseMasses.length
    this.predict(obstacle, x, v, frame)
    obstacle.field.query(points, vertexCount, distances, this.vertexNormals)
    this.queries += vertexCount
    for (let i = 0; i < vertexCount; i++) {
      if (inverseMasses[i] > 0 && distances[i] < this.reach(3 * i)) {
        this.add(i, points, distances[i], this.vertexNormals, 3 * i)
      }
    }
    this.vertexContacts = this.count
    if (this.settings.contact === 'points') this.gatherFaces(obstacle)
    if (obstacle.motion && this.count > 0) {
      obstacle.motion.velocity(this.places, this.normals, this.count, this.velocities)
      for (let i = 0; i < 3 * this.count; i++) if (!Number.isFinite(this.velocities[i])) this.velocities[i] = 0
    } else this.velocities.fill(0, 0, 3 * this.count)
    this.markSwept()
  }

  private markSwept(): void {
    const { swept, subjects, velocities: u, vertexContacts } = this
    swept.fill(0)
    for (let k = 0; k < vertexContacts; k++) {
      if (u[3 * k] ** 2 + u[3 * k + 1] ** 2 + u[3 * k + 2] ** 2 > SWEEPING * SWEEPING) swept[subjects[k]] = 1
    }
  }

  /**
   * Where each vertex is asked: carried along with the skin that it is near to, and on by its own motion relative to it,
   * but not far: what is flung about in a squeeze would be asked on the other side of a limb.
   */
  private predict(obstacle: Obstacle, x: Float64Array, v: Float64Array, frame: number): void {
    const { vertexPoints: points, vertexDistances, carried } = this
    const limit = this.settings.guessDistance
    this.carryNear(obstacle, x, frame)
    for (let i = 0; i < points.length; i += 3) {
      let dx = frame * v[i]
      let dy = frame * v[i + 1]
      let dz = frame * v[i + 2]
      if (vertexDistances[i / 3] < NEAR) {
        dx += x[i] - carried[i]
        dy += x[i + 1] - carried[i + 1]
        dz += x[i + 2] - carried[i + 2]
        const way = Math.sqrt(dx * dx + dy * dy + dz * dz)
        if (way > limit) {
          dx *= limit / way
          dy *= limit / way
          dz *= limit / way
        }
      } else {
        // Far from any skin: it goes its own way.
        carried[i] = x[i]
        carried[i + 1] = x[i + 1]
        carried[i + 2] = x[i + 2]
      }
      points[i] = carried[i] + dx
      points[i + 1] = carried[i + 1] + dy
      points[i + 2] = carried[i + 2] + dz
    }
  }

  /** Where vertices that were near the body will be if they go with its skin; packed into the contacts' arrays. */
  private carryNear(obstacle: Obstacle, x: Float64Array, frame: number): void {
    const { vertexDistances, carried, places, normals, velocities } = this
    let count = 0
    for (let v = 0; v < vertexDistances.length; v++) {
      if (!(vertexDistances[v] < NEAR)) continue
      for (let axis = 0; axis < 3; axis++) places[3 * count + axis] = x[3 * v + axis]
      count++
    }
    normals.fill(0, 0, 3 * count)
    if (obstacle.motion && count > 0) obstacle.motion.velocity(places, normals, count, velocities)
    else velocities.fill(0, 0, 3 * count)
    count = 0
    for (let v = 0; v < vertexDistances.length; v++) {
      if (!(vertexDistances[v] < NEAR)) continue
      for (let axis = 0; axis < 3; axis++) {
        const way = frame * velocities[3 * count + axis]
        carried[3 * v + axis] = x[3 * v + axis] + (Number.isFinite(way) ? way : 0)
      }
      count++
    }
  }

  /**
   * Asks again about contacts whose points have strayed, relative to the body, from where they were asked. The place is
   * where the point is now, carried along with the surface to the frame's end: a guess ahead by the point's own velocity
   * lands on the far side of a thin limb now and then, and there the cloth stays.
   * @param remaining  time to the frame's end [s]
   */
  requery(obstacle: Obstacle, x: Float64Array, remaining: number): void {
    const { subjects, places, normals, velocities, strays, strayPoints, triangles } = this
    const limit = this.settings.requeryDistance ** 2
    let count = 0
    for (let k = 0; k < this.count; k++) {
      const i = 3 * subjects[k]
      let squared = 0
      let clear = this.offsets[k]
      for (let axis = 0; axis < 3; axis++) {
        const now =
          k < this.vertexContacts
            ? x[i + axis]
            : (x[3 * triangles[i] + axis] + x[3 * triangles[i + 1] + axis] + x[3 * triangles[i + 2] + axis]) / 3
        const place = now + velocities[3 * k + axis] * remaining
        strayPoints[3 * count + axis] = place
        squared += (place - places[3 * k + axis]) ** 2
        clear += normals[3 * k + axis] * places[3 * k + axis]
      }
      // A distance changes by no more than the way gone: what was far enough still is.
      if (squared > limit && !(clear > 0 && clear * clear > squared)) strays[count++] = k
    }
    if (count === 0) return
    obstacle.field.query(strayPoints, count, this.strayDistances, this.strayNormals)
    this.queries += count
    for (let s = 0; s < count; s++) this.set(strays[s], strayPoints, this.strayDistances[s], this.strayNormals, 3 * s)
  }

  /**
   * Moves the cloth out of the body and rubs it against it.
   * @param dt         substep [s]
   * @param remaining  time from the substep's end to the frame's [s]
   */
  solve(x: Float64Array, previous: Float64Array, dt: number, remaining: number): void {
    this.touching = 0
    this.solveVertices(x, previous, dt, remaining)
    this.solveFaces(x, previous, dt, remaining)
  }

  /** Only faces that a distance of Lipschitz constant one allows to touch. */
  private gatherFaces(obstacle: Obstacle): void {
    const { triangles, vertexPoints: points, vertexDistances, facePoints, faces, inverseMasses } = this
    let count = 0
    for (let f = 0; f < faces.length; f++) {
      const ia = triangles[3 * f]
      const ib = triangles[3 * f + 1]
      const ic = triangles[3 * f + 2]
      if (inverseMasses[ia] + inverseMasses[ib] + inverseMasses[ic] === 0) continue
      const a = 3 * ia
      const b = 3 * ib
      const c = 3 * ic
      const px = (points[a] + points[b] + points[c]) / 3
      const py = (points[a + 1] + points[b + 1] + points[c + 1]) / 3
      const pz = (points[a + 2] + points[b + 2] + points[c + 2]) / 3
      const da = vertexDistances[ia]
      const db = vertexDistances[ib]
      const dc = vertexDistances[ic]
      // The corner that is farthest out says most.
      const far = da > db ? (da > dc ? a : c) : db > dc ? b : c
      const gap = Math.sqrt((points[far] - px) ** 2 + (points[far + 1] - py) ** 2 + (points[far + 2] - pz) ** 2)
      if (Math.max(da, db, dc) - gap > this.reach(far)) continue
      facePoints[3 * count] = px
      facePoints[3 * count + 1] = py
      facePoints[3 * count + 2] = pz
      faces[count++] = f
    }
    if (count === 0) return
    obstacle.field.query(facePoints, count, this.faceDistances, this.faceNormals)
    this.queries += count
    for (let k = 0; k < count; k++) {
      const reach = this.reach(3 * triangles[3 * faces[k]])
      if (this.faceDistances[k] < reach) {
        this.add(faces[k], facePoints, this.faceDistances[k], this.faceNormals, 3 * k)
      }
    }
  }

  /** Distance [m] below which a vertex is watched: twice its way over the frame relative to the body, and some more. */
  reach(i: number): number {
    const { vertexPoints: p, carried: c } = this
    const way = Math.sqrt((p[i] - c[i]) ** 2 + (p[i + 1] - c[i + 1]) ** 2 + (p[i + 2] - c[i + 2]) ** 2)
    return 2 * way + 2 * this.settings.thickness + MIN_REACH
  }

  private add(subject: number, points: Float64Array, distance: number, normals: Float64Array, i: number): void {
    this.subjects[this.count] = subject
    if (this.set(this.count, points, distance, normals, i)) this.count++
  }

  /** Writes a contact's plane; false, and no change, if the answer is no plane. */
  private set(k: number, points: Float64Array, distance: number, normals: Float64Array, i: number): boolean {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2)
    if (!(length > 1e-9 && length < Infinity && Number.isFinite(distance))) return false
    let along = 0
    for (let axis = 0; axis < 3; axis++) {
      const n = normals[i + axis] / length
      this.normals[3 * k + axis] = n
      this.places[3 * k + axis] = points[i + axis]
      along += n * points[i + axis]
    }
    this.offsets[k] = distance - along - this.settings.thickness
    return true
  }

  private solveVertices(x: Float64Array, previous: Float64Array, dt: number, remaining: number): void {
    const { subjects, normals, offsets, velocities, vertexContacts, released } = this
    const { friction, recoverySpeed } = this.settings
    const recovery = recoverySpeed * dt
    for (let k = 0; k < vertexContacts; k++) {
      const j = 3 * k
      const i = 3 * subjects[k]
      const nx = normals[j]
      const ny = normals[j + 1]
      const nz = normals[j + 2]
      const ux = velocities[j]
      const uy = velocities[j + 1]
      const uz = velocities[j + 2]
      const gap = nx * x[i] + ny * x[i + 1] + nz * x[i + 2] + offsets[k] + (nx * ux + ny * uy + nz * uz) * remaining
      if (gap >= 0 || released[subjects[k]] === 1) continue
      this.touching++
      // Displacement relative to the surface, and its part along the normal.
      let rx = x[i] - previous[i] - ux * dt
      let ry = x[i + 1] - previous[i + 1] - uy * dt
      let rz = x[i + 2] - previous[i + 2] - uz * dt
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
      x[i] -= out * nx + rub * rx
      x[i + 1] -= out * ny + rub * ry
      x[i + 2] -= out * nz + rub * rz
      previous[i] += (old - kept) * nx
      previous[i + 1] += (old - kept) * ny
      previous[i + 2] += (old - kept) * nz
    }
  }

  /** A face's centre moves by moving its corners, each by its share w / sum w, three times over. */
  private solveFaces(x: Float64Array, previous: Float64Array, dt: number, remaining: number): void {
    const { triangles, inverseMasses, subjects, normals, offsets, velocities, released } = this
    const { friction, recoverySpeed } = this.settings
    const recovery = recoverySpeed * dt
    for (let k = this.vertexContacts; k < this.count; k++) {
      const j = 3 * k
      const f = 3 * subjects[k]
      const a = 3 * triangles[f]
      const b = 3 * triangles[f + 1]
      const c = 3 * triangles[f + 2]
      const nx = normals[j]
      const ny = normals[j + 1]
      const nz = normals[j + 2]
      const ux = velocities[j]
      const uy = velocities[j + 1]
      const uz = velocities[j + 2]
      const px = (x[a] + x[b] + x[c]) / 3
      const py = (x[a + 1] + x[b + 1] + x[c + 1]) / 3
      const pz = (x[a + 2] + x[b + 2] + x[c + 2]) / 3
      const gap = nx * px + ny * py + nz * pz + offsets[k] + (nx * ux + ny * uy + nz * uz) * remaining
      if (gap >= 0 || released[a / 3] + released[b / 3] + released[c / 3] > 0) continue
      this.touching++
      let rx = px - (previous[a] + previous[b] + previous[c]) / 3 - ux * dt
      let ry = py - (previous[a + 1] + previous[b + 1] + previous[c + 1]) / 3 - uy * dt
      let rz = pz - (previous[a + 2] + previous[b + 2] + previous[c + 2]) / 3 - uz * dt
      const rn = rx * nx + ry * ny + rz * nz
      const old = Math.min(-gap, Math.max(0, rn - gap))
      const kept = Math.max(0, old - recovery)
      rx -= rn * nx
      ry -= rn * ny
      rz -= rn * nz
      const slide = Math.sqrt(rx * rx + ry * ry + rz * rz)
      const hold = friction * (-gap - old)
      const rub = slide <= hold ? 1 : hold / slide
      const wa = inverseMasses[a / 3]
      const wb = inverseMasses[b / 3]
      const wc = inverseMasses[c / 3]
      const scale = 3 / (wa + wb + wc)
      for (let corner = 0; corner < 3; corner++) {
        const i = corner === 0 ? a : corner === 1 ? b : c
        const share = scale * (corner === 0 ? wa : corner === 1 ? wb : wc)
        x[i] -= share * ((gap + kept) * nx + rub * rx)
        x[i + 1] -= share * ((gap + kept) * ny + rub * ry)
        x[i + 2] -= share * ((gap + kept) * nz + rub * rz)
        previous[i] += share * (old - kept) * nx
        previous[i + 1] += share * (old - kept) * ny
        previous[i + 2] += share * (old - kept) * nz
      }
    }
  }
}

/** Vertices nearer to the body than this [m] in the last frame are guessed to go with its skin. */
const NEAR = 0.1

/** Skin faster than this [m/s] may catch cloth and carry it away. */
const SWEEPING = 0.25

/** Least reach [m]: gravity alone moves a vertex 3 mm in a frame of 16 ms. */
const MIN_REACH = 0.005
